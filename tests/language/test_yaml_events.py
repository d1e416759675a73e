from __future__ import annotations

import tracemalloc
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from rulesengine.language.document.nodes import Document, Mapping, Scalar, to_plain
from rulesengine.language.document.yaml_events import parse
from rulesengine.support.diagnostic import Diagnostic, render
from rulesengine.support.limits import MAX_DEPTH, MAX_MESSAGE, MAX_NODES, MAX_STRING
from rulesengine.support.source import Source
from tests.helpers.work import patience

LOADERS = [pytest.param(yaml.SafeLoader, id="python")]
if hasattr(yaml, "CSafeLoader"):
    LOADERS.append(pytest.param(yaml.CSafeLoader, id="c"))


def findings(text: str, loader: Any = None) -> list[Diagnostic]:
    return parse(Source("test.yaml", text), loader)[1]


def only(text: str, loader: Any = None) -> Diagnostic:
    found = findings(text, loader)
    assert len(found) == 1, [render(f) for f in found]
    return found[0]


def plain(text: str) -> object:
    root, found = parse(Source("test.yaml", text))
    assert not found
    assert root is not None
    return to_plain(root)


ALIAS_BOMB = "a: &a [x]\n" + "".join(
    f"{chr(98 + i)}: &{chr(98 + i)} [{', '.join([f'*{chr(97 + i)}'] * 9)}]\n" for i in range(9)
)


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize(
    "text",
    [ALIAS_BOMB, "a: &a {x: 1}\nb: {<<: [*a, *a]}\n", "a: &a [*a]\n", "a: *b\n", "*a : b\n"],
)
def test_anchors_and_aliases_are_refused(text: str, loader: Any) -> None:
    assert "anchors and aliases are not allowed" in {f.message for f in findings(text, loader)}


def test_a_merge_key_is_refused_and_a_quoted_one_is_a_key() -> None:
    assert only("a:\n  <<: {b: 1}\n").code == "merge-key"
    assert plain('a: {"<<": 1}') == {"a": {"<<": 1}}


@pytest.mark.slow
@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize(
    "text", ["[" * 100_000, "{a: " * 20_000, "? " * 50_000, "- " * 50_000, "a: " + "[" * 50_000]
)
def test_hostile_nesting_is_one_line_in_little_memory(text: str, loader: Any) -> None:
    tracemalloc.start()
    try:
        with patience():
            assert only(text, loader).message == f"nested deeper than {MAX_DEPTH}"
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize("tag", ["!!python/object/apply:os.system", "!x", "!!int", "!<tag:y>"])
def test_tags_are_refused(tag: str, loader: Any) -> None:
    finding = only(f"a: {tag} [ls]\n" if "python" in tag else f'a: {tag} ""\n', loader)
    assert (finding.code, finding.span.text) == ("yaml-tag", tag)


def test_a_repeated_key_shows_both_places() -> None:
    finding = only("pieces: 1\nboard: 2\npieces: 3\n")
    assert finding.code == "repeated-key"
    assert (finding.span.start, finding.notes[0].span.start) == (19, 0)
    assert "test.yaml:3:1" in render(finding)
    assert "test.yaml:1:1" in render(finding)


def test_keys_are_text_whatever_they_look_like() -> None:
    assert plain("1: a\ntrue: b\nnull: c\n~: d\n") == {"1": "a", "true": "b", "null": "c", "~": "d"}


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize("key", ["? [a]\n:", "? {a: 1}\n:", ":", '"a\\nb":', '"":'])
def test_a_key_is_a_text_on_one_line(key: str, loader: Any) -> None:
    assert only(f"{key} x\n", loader).code == "bad-key"


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize(
    ("text", "code"),
    [("", "empty-spec"), ("# a\n# b\n", "empty-spec"), ("---\n...\n", "empty-spec"),
     ("- a\n", "not-a-map"), ("word\n", "not-a-map"), ("a: 1\n---\nb: 2\n", "two-documents"),
     ("%YAML 1.1\n---\na: 1\n", "yaml-directive"), ("a: 'x\n", "unclosed-quote"),
     ("a: [1, 2\n", "unclosed-bracket"), ("a: {b: 1\nc: 2\n", "unclosed-bracket"),
     ("a: b: c\n", "unexpected-colon"), ("a: 1\n b: 2\n", "unexpected-colon"),
     ("a: 1\nb\n", "missing-colon"), ("a:\n\tb: 1\n", "tab"), ('a: "\\q"\n', "unknown-escape"),
     ("a: |x\n b\n", "bad-block"), ("a:\n - b\n c: 1\n", "indentation"),
     ('a: "x" y\n', "misplaced-text"), ("{a: 1} x\n", "text-after-end")],
)  # fmt: skip
def test_a_text_that_is_no_spec_gets_one_clear_line(text: str, code: str, loader: Any) -> None:
    finding = only(text, loader)
    assert finding.code == code
    assert len(finding.message) + len(finding.help) < MAX_MESSAGE


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize("symbol", [*"*@&%`?,]", "*a", "@x", "%x"])
def test_a_symbol_with_a_meaning_in_yaml_is_to_be_quoted(symbol: str, loader: Any) -> None:
    finding = only(f"a: {symbol}\nb: 1\n", loader)
    assert finding.span.text == symbol
    assert finding.help == f'quote it: "{symbol}"'


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize("text", ["a: -\n", "a: !\n", "a: :\n", "a: {b: |, c: x}", "a: {b: >}"])
def test_a_dash_and_other_signs_are_to_be_quoted_where_yaml_reads_them(
    text: str, loader: Any
) -> None:
    assert only(text, loader).help.startswith('quote it: "')


@pytest.mark.parametrize("char", ["\x07", "\r", "\x85", "\u2028", "\u202e", "\ud800", "\ufeff"])
def test_control_and_direction_characters_are_refused_raw_and_escaped(char: str) -> None:
    assert only(f"a: x{char}y\n").span.start == 4
    if char != "\ud800":
        finding = only(f'a: "x\\u{ord(char):04x}y"\n')
        assert (finding.code, finding.span.start) == ("bad-character", 5)


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize("escape", ["\\ud800", "\\U0011FFFF", "\\x0"])
def test_an_escape_that_is_no_character_is_a_finding(escape: str, loader: Any) -> None:
    codes = {"unknown-escape", "bad-character", "misplaced-text"}
    assert only(f'a: "{escape}"\n', loader).code in codes


@pytest.mark.slow
def test_the_caps_hold_at_their_limit_and_not_above() -> None:
    deep = "a: " + "[" * (MAX_DEPTH - 1) + "]" * (MAX_DEPTH - 1)
    assert findings(deep) == []
    assert only(f"a: [{deep[3:]}]").code == "too-deep"
    many = f"a: [{'x,' * (MAX_NODES - 3)}]"
    assert findings(many) == []
    assert only(f"a: [{'x,' * (MAX_NODES - 2)}]").code == "too-many-values"
    assert findings(f"a: {'x' * MAX_STRING}") == []
    assert only(f"a: {'x' * (MAX_STRING + 1)}").code == "text-too-long"


def test_findings_that_leave_the_tree_whole_come_at_once() -> None:
    root, found = parse(Source("test.yaml", "a: &x 1\na: 2\n<<: 3\nb: !t 4\n"))
    assert [f.code for f in found] == ["yaml-anchor", "repeated-key", "merge-key", "yaml-tag"]
    assert root is not None


def test_spans_cover_keys_and_values() -> None:
    root, _ = parse(Source("test.yaml", 'first: {a: [1, "x"]}\nlast: |\n  text\n\n'))
    assert root is not None
    first, last = root.entry("first"), root.entry("last")
    assert first is not None
    assert last is not None
    assert (first.key_span.text, first.value.span.text) == ("first", '{a: [1, "x"]}')
    assert isinstance(last.value, Scalar)
    assert last.value.span.text == "|\n  text"
    assert root.get("no such key") is None


def test_documents_compare_by_content() -> None:
    source = Source("test.yaml", "a: 1\n")
    one, two = parse(source)[0], parse(source)[0]
    assert isinstance(one, Mapping)
    assert isinstance(two, Mapping)
    assert Document(source, one) == Document(source, two)


SCRAPS = ["a", "1", ": ", ":", "\n", "\n  ", "- ", "[", "]", "{", "}", ", ", "'", '"', "|", ">-",
          "&a ", "*a", "!!int ", "<<: ", "? ", "#", " #", "%", "@", "`", "---\n", "...\n", "\\x",
          "\t", "é", "~", "2024-13-45", "!", "0x1"]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("loader", LOADERS)
@given(st.lists(st.sampled_from(SCRAPS), max_size=25))
def test_whatever_the_text_there_is_a_map_or_a_finding(loader: Any, scraps: list[str]) -> None:
    root, found = parse(Source("test.yaml", "".join(scraps)), loader)
    assert root is not None or found
    for finding in found:
        render(finding)
