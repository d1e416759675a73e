"""The decision records in docs/decisions: form, numbers, tables, and the links from the code."""

import re
from datetime import date
from pathlib import Path

import pytest

from tests.helpers.modules import MODULES, label, read

FOLDER = Path(__file__).parents[2] / "docs" / "decisions"
README = FOLDER / "README.md"
RECORDS = sorted(path for path in FOLDER.glob("*.md") if path != README)

_FORM = re.compile(
    r"# (?P<number>\d{3})\. (?P<title>\S.*)\n"
    r"\n"
    r"Date: (?P<date>\d{4}-\d\d-\d\d)\. Status: (?P<status>\S.*)\n"
    r"\n"
    r"- \*\*Context\*\*: \S.*\n"
    r"- \*\*Choice\*\*: \S.*\n"
    r"- \*\*Rejected\*\*: \S.*\n"
    r"- \*\*Consequence\*\*: \S.*\n"
)
_FILE_NAME = re.compile(r"\d{3}(-[a-z0-9]+)+\.md")
_SUPERSEDED = re.compile(r"superseded by \[(\d{3})\]\((\S+\.md)\)")
_QUESTION = re.compile(r"(?i)(what|whether|how|where|who|why|which|when|whose)\b|.*\?")
_LINK = re.compile(r"\[([^]]*)\]\(([^)]*)\)")
_ROW = re.compile(r"\| (\d{3}) \| \[([^]]*)\]\(([^)]*)\) \| (.*) \|")

# A link from the code: `See decision 012.` or `See decisions 012 and 034.`
_CODE_LINK = re.compile(r"See\s+decisions?\s+(\d{3}(?:(?:,|\s+and)\s+\d{3})*)\.")
_MENTION = re.compile(r"(?i)\bdecisions?\s+\d+")

each_record = pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name[:3])


def read_form(path: Path) -> re.Match[str]:
    """Return the parts of a record; fail if it has another form."""
    form = _FORM.fullmatch(path.read_text(encoding="utf-8"))
    assert form, f"{path.name} is no title, date, status and four lines of body"
    return form


def read_links(path: Path) -> list[tuple[str, str]]:
    """Return the text and target of each link to another file."""
    links = _LINK.findall(path.read_text(encoding="utf-8"))
    return [(text, target) for text, target in links if "://" not in target]


@each_record
def test_a_record_has_a_title_a_date_a_status_and_four_lines(path: Path) -> None:
    form = read_form(path)
    assert _FILE_NAME.fullmatch(path.name)
    assert form["number"] == path.name[:3]
    date.fromisoformat(form["date"])  # raises ValueError


@each_record
def test_a_title_states_the_choice(path: Path) -> None:
    title = read_form(path)["title"]
    assert not _QUESTION.match(title)
    assert not title.endswith(".")


def test_numbers_are_unique_and_contiguous() -> None:
    numbers = [int(path.name[:3]) for path in RECORDS]
    assert numbers
    assert numbers == list(range(1, len(RECORDS) + 1))


@each_record
def test_a_superseded_record_names_a_later_one(path: Path) -> None:
    form = read_form(path)
    if form["status"] == "accepted":
        return
    successor = _SUPERSEDED.fullmatch(form["status"])
    assert successor, f"{path.name} has the status `{form['status']}`"
    number, target = successor.groups()
    assert target.startswith(number)
    assert number > form["number"]
    assert (FOLDER / target).is_file()


@pytest.mark.parametrize("path", [README, *RECORDS], ids=lambda path: path.stem[:6])
def test_links_between_records_resolve(path: Path) -> None:
    links = read_links(path)
    assert [target for _, target in links if not (FOLDER / target).is_file()] == []
    numbered = [(text, target) for text, target in links if text.isdecimal()]
    assert [text for text, target in numbered if not target.startswith(text)] == []


def test_the_tables_list_each_record_once_with_title_and_status() -> None:
    rows = _ROW.findall(README.read_text(encoding="utf-8"))
    forms = [(read_form(path), path.name) for path in RECORDS]
    assert sorted(rows) == [(f["number"], f["title"], name, f["status"]) for f, name in forms]


def linked_from(text: str) -> list[str]:
    """Return the numbers of the records that the text of a module links to."""
    unfolded = re.sub(r"\n\s*#?\s*", " ", text)
    assert len(_CODE_LINK.findall(unfolded)) == len(_MENTION.findall(unfolded)), text
    return [number for link in _CODE_LINK.findall(unfolded) for number in re.findall(r"\d+", link)]


def test_each_accepted_record_is_linked_from_the_code_that_it_explains() -> None:
    linked = {number for module in MODULES for number in linked_from(read(module))}
    accepted = {path.name[:3] for path in RECORDS if read_form(path)["status"] == "accepted"}
    assert sorted(accepted - linked) == []


def test_each_link_from_the_code_leads_to_an_accepted_record() -> None:
    accepted = {path.name[:3] for path in RECORDS if read_form(path)["status"] == "accepted"}
    found = [(label(module), number) for module in MODULES for number in linked_from(read(module))]
    assert [(name, number) for name, number in found if number not in accepted] == []


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("See decision 012.", ["012"]),
        ("# See\n    # decision 012.", ["012"]),
        ("See decisions 012, 034 and 056.", ["012", "034", "056"]),
        ("the decision of the interpreter", []),
    ],
)
def test_a_link_from_the_code_is_found(text: str, numbers: list[str]) -> None:
    assert linked_from(text) == numbers


def test_a_mention_in_another_form_is_an_error() -> None:
    with pytest.raises(AssertionError):
        linked_from("see decision 12")
