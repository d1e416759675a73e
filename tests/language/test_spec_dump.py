from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesengine.language.document import parse
from rulesengine.language.document.dump import dump
from rulesengine.language.document.nodes import (
    Document,
    Entry,
    Mapping,
    Node,
    Scalar,
    Sequence,
    to_plain,
)
from rulesengine.support.files import read_source
from rulesengine.support.source import Slice, Source, Span

GAMES = sorted((Path(__file__).parents[2] / "games").glob("*.yaml"))


def again(document: Document) -> Document:
    read_back, found = parse(Source("dump.yaml", dump(document)))
    assert found == []
    assert read_back is not None
    return read_back


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_bundled_spec_reads_back_from_its_dump(path: Path) -> None:
    document, _ = parse(read_source(path))
    assert document is not None
    assert to_plain(again(document).root) == to_plain(document.root)
    assert dump(again(document)) == dump(document)


def test_a_dump_is_plain_yaml_in_blocks() -> None:
    text = 'a: {b: [1, "1", x y], c: ""}\nd: "l1\\n  l2\\n"\ne: [[p], {q: null}]\nf: {}\n'
    document, _ = parse(Source("test.yaml", text))
    assert document is not None
    assert dump(document) == (
        'a:\n  b:\n    - 1\n    - "1"\n    - x y\n  c: ""\n'
        "d: |\n  l1\n    l2\ne:\n  - - p\n  - q: null\nf: {}\n"
    )


def tree(value: object) -> Node:
    """Return a node for a value of dicts, lists and scalars."""
    span = Span(Source("made", ""), 0, 0)
    if isinstance(value, dict):
        return Mapping(tuple(Entry(key, span, tree(item)) for key, item in value.items()), span)
    if isinstance(value, list):
        return Sequence(tuple(map(tree, value)), span)
    assert isinstance(value, str | int | None)
    is_text = isinstance(value, str)
    text = value if isinstance(value, str) else json.dumps(value)
    return Scalar(value, Slice.of(text), span, "double" if is_text else "plain")


ALPHABET = st.sampled_from("ab1 \n\t'\"\\#:-?&*!|>%@{}[],.~é𝄞0")
LEAVES = st.none() | st.booleans() | st.integers(-9, 9) | st.text(ALPHABET, max_size=12)
KEYS = st.text(ALPHABET.filter(lambda char: char != "\n"), min_size=1, max_size=6)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3)
)


@pytest.mark.slow
@given(st.dictionaries(KEYS, VALUES, min_size=1, max_size=4))
def test_whatever_a_document_holds_its_dump_reads_back(value: dict[str, object]) -> None:
    root = tree(value)
    assert isinstance(root, Mapping)
    assert to_plain(again(Document(root.span.source, root)).root) == value
