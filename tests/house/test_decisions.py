"""The decision records in docs/decisions: form, numbers, links, and the tables that list them."""

import re
from datetime import date
from pathlib import Path

import pytest

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
