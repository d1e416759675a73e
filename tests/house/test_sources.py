"""The page docs/sources.md: the sources of the bundled games, and words for differences."""

import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from rulesengine.language import document
from rulesengine.language.document.nodes import to_plain
from rulesengine.support.files import read_source
from rulesengine.support.resources import bundled_file, bundled_names, find_parent

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")

# A row of the tables: one game and three cells, or several games and two.
_SOURCE = re.compile(r"^\| `([a-z0-9-]+)` \| ([^|]+) \| ([^|]+) \| (\d+) \|$", re.MULTILINE)
_DIFFERENCE = re.compile(
    r"^\| (`[a-z0-9-]+`(?:, `[a-z0-9-]+`)*) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE
)

# Games with a rule that was compared with no document.
FROM_MEMORY = {
    "brazilian-draughts",
    "chain-reaction",
    "chat-noir",
    "go",
    "hive",
    "samegame",
    "shogi",
    "stratego",
    "tak",
    "xiangqi",
}


class Claims(NamedTuple):
    """The source that a spec names and its remarks, each on one line."""

    source: str
    about: str


@cache
def bundled_claims() -> dict[str, Claims]:
    """Return the claims of each bundled spec, with those that it takes from its parents."""
    return {name: _claims(name) for name in bundled_names()}


def _claims(name: str) -> Claims:
    spec, findings = document.read(read_source(bundled_file(name)), find_parent)
    assert spec is not None, findings
    root = to_plain(spec.root)
    assert isinstance(root, dict)
    return Claims(*(" ".join(str(root.get(key) or "").split()) for key in Claims._fields))


def faults(page: str, specs: dict[str, Claims]) -> list[str]:
    """Return the contradictions between the tables of a page and the specs."""
    rows = _SOURCE.findall(page)
    differences = [
        (name, words)
        for names, _, words in _DIFFERENCE.findall(page)
        for name in names.replace("`", "").split(", ")
    ]
    return [
        *_wrong_rows([name for name, *_ in rows], list(specs)),
        *(f"{name}: another source" for name, source, *_ in rows if source != _of(specs, name)[0]),
        *_wrong_numbers({name: int(number) for name, *_, number in rows}, differences),
        *(
            f"{name}: no words `{words}`"
            for name, words in differences
            if words not in _of(specs, name)[1]
        ),
    ]


def _of(specs: dict[str, Claims], name: str) -> Claims:
    return specs.get(name, Claims("", ""))


def _wrong_rows(found: list[str], expected: list[str]) -> list[str]:
    missing = [f"{name}: no row" for name in expected if name not in found]
    unknown = [f"{name}: no such game" for name in found if name not in expected]
    twice = [f"{name}: {number} rows" for name, number in Counter(found).items() if number > 1]
    return [*missing, *unknown, *twice]


def _wrong_numbers(numbers: dict[str, int], differences: list[tuple[str, str]]) -> list[str]:
    found = Counter(name for name, _ in differences)
    return [
        f"{name}: {found[name]} differences, not {numbers.get(name, 0)}"
        for name in sorted({*numbers, *found})
        if found[name] != numbers.get(name, 0)
    ]


@pytest.mark.slow
def test_the_page_agrees_with_the_bundled_specs() -> None:
    assert len(_SOURCE.findall(PAGE)) > 90
    assert faults(PAGE, bundled_claims()) == []


@pytest.mark.slow
def test_every_bundled_spec_names_a_source() -> None:
    assert [name for name, claims in bundled_claims().items() if not claims.source] == []


def test_the_games_with_a_rule_compared_from_memory_are_known() -> None:
    rows = _SOURCE.findall(PAGE)
    assert {name for name, _, read, _ in rows if "memory" in read} == FROM_MEMORY


SPECS = {
    "ludo": Claims("a book", "Six moves again. Games are short."),
    "senet": Claims("a tomb", ""),
}
RIGHT = """
| `ludo` | a book | memory | 2 |
| `senet` | a tomb | memory | 0 |

| `ludo` | a second throw | Six moves again |
| `ludo` | a limit | Games are short |
"""


def test_a_page_that_agrees_has_no_faults() -> None:
    assert faults(RIGHT, SPECS) == []


@pytest.mark.parametrize(
    ("text", "other", "fault"),
    [
        ("| `senet` | a tomb | memory | 0 |\n", "", "senet: no row"),
        ("`senet`", "`chess`", "chess: no such game"),
        ("| `senet` | a tomb", "| `ludo` | a book", "ludo: 2 rows"),
        ("a tomb", "a king", "senet: another source"),
        ("memory | 2", "memory | 1", "ludo: 2 differences, not 1"),
        ("| `ludo` | a limit | Games are short |\n", "", "ludo: 1 differences, not 2"),
        ("Games are short", "Games are long", "ludo: no words `Games are long`"),
        ("| `ludo` | a limit", "| `ludo`, `senet` | a limit", "senet: no words `Games are short`"),
    ],
)
def test_a_page_that_disagrees_has_a_fault(text: str, other: str, fault: str) -> None:
    assert text in RIGHT
    assert fault in faults(RIGHT.replace(text, other), SPECS)
