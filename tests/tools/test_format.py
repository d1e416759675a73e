"""The layout of specs: the output of `fmt`, with the same game and comments."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import rulesengine.tools.format
from rulesengine.errors import InternalError
from rulesengine.language.document import parse
from rulesengine.language.document.dump import dump
from rulesengine.language.document.nodes import Document, to_plain
from rulesengine.support.files import read_source
from rulesengine.support.resources import bundled_path
from rulesengine.support.source import Source
from rulesengine.tools.format import UnreadableSpec, formatted
from rulesengine.tools.format.equivalence import same_program
from tests.helpers.messy_layouts import messy
from tests.language.test_spec_dump import KEYS, VALUES

ROOT = Path(__file__).parents[2]
GAMES = sorted((ROOT / "games").glob("*.yaml"))

every_game = pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)


def layout(text: str, name: str = "test.yaml") -> str:
    return formatted(Source(name, text))


def document(path: Path) -> Document:
    found, findings = parse(read_source(path))
    assert found
    assert findings == []
    return found


def without_notes(text: str) -> list[str]:
    """Return the lines of a text without comments and blank lines."""
    return [line for line in text.split("\n") if line.strip() and line.strip()[:2] != "# "]


@every_game
def test_every_bundled_spec_has_the_layout(path: Path) -> None:
    assert formatted(read_source(path)) == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["new", "new-variant"])
def test_specs_of_the_new_command_are_formatted(name: str) -> None:
    path = ROOT / "grammars" / f"{name}.yaml"
    assert formatted(read_source(path)) == path.read_text(encoding="utf-8")


# Random layouts. The next test compares the programs, since that is slow.


@pytest.fixture(scope="module")
def _unproved() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rulesengine.tools.format, "same_program", lambda *_: True)
        yield


@pytest.mark.slow
@given(path=st.sampled_from(GAMES), seed=st.integers(0, 2**32))
@settings(deadline=None, max_examples=60)
@pytest.mark.usefixtures("_unproved")
def test_a_spec_in_any_layout_is_written_as_the_bundled_one(path: Path, seed: int) -> None:
    bundled = document(path)
    made = layout(messy(bundled, Random(seed), comments=False))
    assert without_notes(made) == without_notes(bundled.source.text)


@pytest.mark.slow
@given(path=st.sampled_from(GAMES), seed=st.integers(0, 2**32))
@settings(deadline=None, max_examples=60)
@pytest.mark.usefixtures("_unproved")
def test_the_layout_of_a_layout_is_itself_and_keeps_each_comment(path: Path, seed: int) -> None:
    bundled = document(path)
    text = messy(bundled, Random(seed), comments=True)
    made = layout(text)
    assert layout(made) == made
    again, _ = parse(Source("made", made))
    assert again
    assert to_plain(again.root) == to_plain(bundled.root)
    assert sorted(re.findall(r"# \d+\.", made)) == sorted(re.findall(r"# \d+\.", text))


@pytest.mark.slow
@every_game
def test_a_spec_in_a_messy_layout_makes_the_same_program(path: Path) -> None:
    bundled = document(path)
    text = messy(bundled, Random(path.stem), comments=True)
    made = formatted(Source(str(path), text))  # raises InternalError if not
    assert made != text


@pytest.mark.slow
@given(st.dictionaries(KEYS, VALUES, min_size=1, max_size=4), st.integers(0, 2**32))
@example({"a": "00\n"}, 1)  # a block at the end of the text
@settings(deadline=None, max_examples=150)
@pytest.mark.usefixtures("_unproved")
def test_whatever_a_document_holds_it_keeps_in_the_layout(value: object, seed: int) -> None:
    source, found = parse(Source("json", json.dumps(value)))
    if source is None or found:  # a number too large, a text that is too long
        return
    blocks, _ = parse(Source("dump", dump(source)))
    assert blocks
    for text in (source.source.text, messy(blocks, Random(seed), comments=True)):
        before, found = parse(Source("text", text))
        assert before
        assert not found
        made = layout(text)
        after, found = parse(Source("made", made))
        assert after
        assert not found
        assert to_plain(after.root) == to_plain(before.root) == value
        assert layout(made) == made


# One rule of the layout each; written by hand.


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "name:   A\nspec: 1\n", "spec: 1\nname: A\n", id="keys in the order of the schema"
        ),
        pytest.param(
            "pieces:\n    empty: .\n    disc: {b: o, a: '*'}\n",
            'pieces:\n  empty: "."\n  disc: {b: o, a: "*"}\n',
            id="names keep their order",
        ),
        pytest.param(
            "with: {start: x, misere: true, size: {columns: 2, rows: 1}}\n",
            "with: {start: x, misere: true, size: {rows: 1, columns: 2}}\n",
            id="transforms keep their order, their own keys do not",
        ),
        pytest.param(
            "nam: A\nspec: 1\n", "nam: A\nspec: 1\n", id="an unknown key stays where it is"
        ),
        pytest.param(
            "players:\n- 'white'\n-   \"black\"\n",
            "players:\n  - white\n  - black\n",
            id="lists are indented",
        ),
        pytest.param("players: [ a,b , c,]\n", "players: [a, b, c]\n", id="brackets"),
        pytest.param(
            "a: 'x: y'\nb: \"1\"\nc: 'no'\nd: '%'\ne: '\"'\nf: \"it's\"\ng: \"a, b\"\n",
            'a: "x: y"\nb: "1"\nc: "no"\nd: "%"\ne: \'"\'\nf: it\'s\ng: a, b\n',
            id="quotes where they are needed",
        ),
        pytest.param('a: {b: "c, d"}\n', 'a: {b: "c, d"}\n', id="quotes round a comma in brackets"),
        pytest.param("a:\nb: null\n", "a:\nb: null\n", id="nothing stays nothing"),
        pytest.param(
            "a: [one,  # first\n  two]\n",
            "a:\n  - one  # first\n  - two\n",
            id="a list with comments has a line for each value",
        ),
        pytest.param(
            "rules:\n    # the end\n    end:    # of all\n        when: x  # it\n    # and after\n",
            "rules:\n  # the end\n  end:  # of all\n    when: x  # it\n  # and after\n",
            id="comments stay by their values",
        ),
        pytest.param(
            "#!x\n\n# of the name\nname: A\n# of the version\nspec: 1\n",
            "#!x\n\n# of the version\nspec: 1\n# of the name\nname: A\n",
            id="a comment goes with its key, the first ones stay on top",
        ),
        pytest.param("a: 1\n\n\n\nb: 2\n\n", "a: 1\n\nb: 2\n", id="one blank line"),
        pytest.param("---\na: 1\n...\n", "a: 1\n", id="no marks of documents"),
        pytest.param("a:\n  b\n  c\n", "a: b c\n", id="a short text has one line"),
        pytest.param(
            "io: |\n     print board\n     if over\n       stop\n",
            "io: |\n  print board\n  if over\n    stop\n",
            id="a script keeps its own indentation",
        ),
        pytest.param(
            "a: |\n  x\n\n\nb: |-\n  y\n", "a: |\n  x\n\nb: |-\n  y\n", id="how blocks end"
        ),
        pytest.param(
            "a: >\n   b \n   c \nd: >\n  e\n     \n",
            "a: >\n  b \n  c \nd: >\n  e\n     \n",
            id="blanks at the end of a folded block are part of it",
        ),
        pytest.param(
            "board: {rows: 2, columns: 2}\nstart: |\n  x .\n   . x \n    mover:   a\n",
            "board: {rows: 2, columns: 2}\nstart: |\n  x .\n  . x\n  mover: a\n",
            id="rows of a drawing begin below each other",
        ),
        pytest.param(
            "board: {rows: 2, columns: 3}\nstart: |\n   x . o\n   .xo\n   o.x\n",
            "board: {rows: 2, columns: 3}\nstart: |\n  x.o\n  .xo\n  o.x\n",
            id="rows of a drawing are spaced alike",
        ),
        pytest.param(
            "board: {shape: hexagon, size: 2}\nstart: |2\n      . .\n     . . .\n      . .\n",
            "board: {shape: hexagon, size: 2}\nstart: |2\n   . .\n  . . .\n   . .\n",
            id="rows of a hexagon are shifted",
        ),
    ],
)
def test_the_layout(text: str, expected: str) -> None:
    assert layout(text) == expected
    assert layout(expected) == expected


def test_a_long_list_goes_on_in_the_next_line() -> None:
    words = [f"a{n}-b{n}" for n in range(30)]
    made = layout(f"tests:\n  - legal: [{','.join(words)}]\n")
    lines = made.split("\n")[1:-1]
    assert len(lines) > 1
    assert all(80 < len(line) <= 100 for line in lines[:-1])
    assert " ".join(lines).replace(" ", "") == f"-legal:[{','.join(words)}]"


def test_a_long_map_has_a_line_for_each_key() -> None:
    text = "x" * 60
    assert layout(f"a: {{b: {text}, c: {text}}}\n") == f"a:\n  b: {text}\n  c: {text}\n"


def test_a_long_text_of_several_lines_stays_one_of_several() -> None:
    one, other = "x" * 60, "y" * 60
    assert layout(f"a: {one}\n      {other}\n") == f"a: >-\n  {one}\n  {other}\n"


@pytest.mark.parametrize("text", ["a: [", "- a", "", "a: &b c", "a: 1\na: 2", "a:\tb: c"])
def test_a_text_that_is_no_document_is_not_formatted(text: str) -> None:
    with pytest.raises(UnreadableSpec):
        layout(text)


def test_a_layout_with_another_meaning_is_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rulesengine.tools.format, "printed", lambda *_: "a: 2\n")
    with pytest.raises(InternalError):
        layout("a:   1\n")
    monkeypatch.setattr(rulesengine.tools.format, "printed", lambda *_: "a: 1\n")
    with pytest.raises(InternalError):
        layout("a: 1  # a comment that would be lost\n")
    assert layout("a:   1\n") == "a: 1\n"


@pytest.mark.slow
def test_another_program_differs_from_the_same_one() -> None:
    source = read_source(ROOT / "games" / "hex.yaml")
    other = source.text.replace("own) and far", "own) and near")
    assert same_program(source, source)
    assert not same_program(source, Source(source.name, other))


def test_keys_of_formats_may_have_another_order() -> None:
    text = bundled_path("backgammon").read_text(encoding="utf-8")
    assert "  sgf: {game: 6}\n  tables:" in text
    moved = text.replace("  sgf: {game: 6}\n", "").replace(
        "  xgid: {}\n", "  xgid: {}\n  sgf: {game: 6}\n"
    )
    assert formatted(Source("backgammon.yaml", moved)) == text
