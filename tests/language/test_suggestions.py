"""Suggestions in findings: the nearest word, edits of a spec, and parsing on after a fix."""

import pytest

from rulesengine.language.document import parse
from rulesengine.language.document.edits import quoted, with_entry, without_entry, without_item
from rulesengine.language.document.nodes import Mapping, Sequence
from rulesengine.language.document.recovery import CorrectedText
from rulesengine.language.pipeline import analyse
from rulesengine.support.diagnostic import Diagnostic, Suggestion, did_you_mean, nearest
from rulesengine.support.source import Source, Span

WORDS = ("rows", "columns", "origin", "empty", "enemy", "neighbours", "diagonal", "to", "do")


@pytest.mark.parametrize(
    ("word", "meant"),
    [("colums", "columns"), ("orgiin", "origin"), ("empy", "empty"), ("neighbors", "neighbours"),
     ("diag", "diagonal"), ("enmey", "enemy"), ("rosw", "rows"), ("x", ""), ("board", ""),
     ("ot", "to"), ("zz", ""), ("", "")],
)  # fmt: skip
def test_the_nearest_word_is_one_or_two_slips_away_or_begins_so(word: str, meant: str) -> None:
    assert nearest(word, WORDS) == meant


def test_the_offer_of_a_word_is_an_edit_of_the_finding() -> None:
    source = Source("x", "a: empy")
    span = Span(source, 3, 7)
    finding = Diagnostic("unknown-name", span, "unknown name", did_you_mean("empy", WORDS))
    assert finding.help == "did you mean `empty`?"
    assert finding.fix is not None
    assert finding.fix.applied() == "a: empty"


def test_a_help_without_an_edit_has_no_fix() -> None:
    assert Diagnostic("x", Span(Source("x", "a"), 0, 1), "wrong", "think again").fix is None


def edited(edit: tuple[Span, str]) -> str:
    span, text = edit
    return Diagnostic("x", span, "wrong", Suggestion("so", text)).fix.applied()  # type: ignore[union-attr]


def root(text: str) -> Mapping:
    document, findings = parse(Source("x", text))
    assert document is not None
    assert findings == []
    return document.root


@pytest.mark.parametrize(
    ("text", "after"),
    [("a: {b: 1}\n", "a: {b: 1, z: 2}\n"), ("a: {}\n", "a: {z: 2}\n"),
     ("a:\n  b: 1\n  c: 3\n", "a:\n  b: 1\n  z: 2\n  c: 3\n"),
     ("a:\n  b: 1\n", "a:\n  b: 1\n  z: 2\n"),
     ("a: {b: [1, 2], c: 3}\n", "a: {b: [1, 2], z: 2, c: 3}\n")],
)  # fmt: skip
def test_an_entry_is_added_in_the_form_of_its_map(text: str, after: str) -> None:
    inner = root(text).get("a")
    assert isinstance(inner, Mapping)
    assert edited(with_entry(inner, "z: 2")) == after


@pytest.mark.parametrize(
    ("text", "key", "after"),
    [("a: {b: 1, c: 2}\n", "b", "a: {c: 2}\n"), ("a: {b: 1, c: 2}\n", "c", "a: {b: 1}\n"),
     ("a: {b: 1}\n", "b", "a: {}\n"), ("a:\n  b: 1\n  c: 2\n", "c", "a:\n  b: 1\n"),
     ("a:\n  b: 1\n  c: 2\n", "b", "a:\n  c: 2\n"),
     ("a:\n  b:\n    d: 1\n  c: 2\n", "b", "a:\n  c: 2\n")],
)  # fmt: skip
def test_an_entry_is_taken_away_with_its_comma_or_its_lines(
    text: str, key: str, after: str
) -> None:
    inner = root(text).get("a")
    assert isinstance(inner, Mapping)
    entry = inner.entry(key)
    assert entry is not None
    assert edited(without_entry(inner, entry)) == after


@pytest.mark.parametrize(
    ("text", "number", "after"),
    [("a: [x, y]\n", 0, "a: [y]\n"), ("a: [x, y]\n", 1, "a: [x]\n"), ("a: [x]\n", 0, "a: []\n"),
     ("a:\n  - x\n  - y\n", 1, "a:\n  - x\n"), ("a:\n  - x\n  - y\n", 0, "a:\n  - y\n")],
)  # fmt: skip
def test_an_item_is_taken_away_with_its_comma_or_its_line(
    text: str, number: int, after: str
) -> None:
    inner = root(text).get("a")
    assert isinstance(inner, Sequence)
    assert edited(without_item(inner, inner.items[number])) == after


@pytest.mark.parametrize("text", ["a: b", 'say "x"', "back\\slash", 'it\'s "x"', "*"])
def test_a_quoted_text_reads_back(text: str) -> None:
    (entry,) = root(f"k: {quoted(text)}\n")
    assert entry.value.text.text == text  # type: ignore[union-attr]


def test_after_a_fix_places_are_still_those_of_the_source() -> None:
    source = Source("x", "a: b: c\nd: *\ne: f\n")
    document, findings = parse(source)
    assert document is not None
    assert [(f.code, f.span.text) for f in findings] == [
        ("unexpected-colon", ":"),
        ("unquoted-symbol", "*"),
    ]
    texts = {entry.key: entry.value.span.text for entry in document.root}
    assert texts == {"a": "b: c", "d": "*", "e": "f"}
    assert all(entry.value.span.source is source for entry in document.root)


def test_a_draft_without_a_fix_is_the_source() -> None:
    source = Source("x", "a: 1\n")
    mapping = root("a: 1\n")
    assert CorrectedText.of(source).mapping(mapping) is mapping


@pytest.mark.parametrize(
    ("cells", "fixed"),
    [
        ("own and row(3)", "own and rows(3)"),
        ("own where row(3) = row(it)", ""),
        ("own where row(it) = column(3)", ""),
        ("own where row(it) > 1 + row(2)", ""),
    ],
)
def test_rows_are_suggested_for_the_row_of_a_number_unless_it_is_calculated_with(
    cells: str, fixed: str
) -> None:
    text = (
        "spec: 1\nname: Broken\nboard: {rows: 3, columns: 3}\nplayers: [left, right]\n"
        'pieces: {stone: {left: x, right: o}, empty: "."}\nrules:\n'
        f"  moves: {{place: stone, to: empty}}\n  end: {{when: any({cells}), result: draw}}\n"
    )
    findings = analyse(Source("broken.yaml", text)).findings
    finding = next(f for f in findings if f.message == "expected a cell, found a number")
    assert (finding.fix.applied() if finding.fix else "") == (
        text.replace(cells, fixed) if fixed else ""
    )
