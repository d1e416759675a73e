from __future__ import annotations

import pytest

from rulesengine.diagnostic import Diagnostic
from rulesengine.errors import UsageError
from rulesengine.source import Source
from rulesengine.spec import events, extends
from rulesengine.spec.document import Document, Mapping, to_plain


def resolved(**texts: str) -> tuple[Document, list[Diagnostic]]:
    """The spec `child` over the others, each found by its name."""

    def find(name: str, child: Source) -> Source:
        if name not in texts:
            raise UsageError(f"there is no spec `{name}`")
        return Source(name, texts[name])

    source = Source("child", texts["child"])
    root, found = events.parse(source)
    assert isinstance(root, Mapping)
    document, more = extends.resolve(Document(source, root), find, events.parse)
    return document, found + more


def merged(**texts: str) -> object:
    document, found = resolved(**texts)
    assert not found
    return to_plain(document.root)


def test_maps_merge_lists_replace_and_null_deletes() -> None:
    parent = "name: p\nboard: {rows: 8, columns: 8}\nstart: [a, b]\nabout: x\n"
    child = "extends: parent\nname: c\nboard: {rows: 6}\nstart: [c]\nabout: null\n"
    assert merged(parent=parent, child=child) == {
        "name": "c", "board": {"rows": 6, "columns": 8}, "start": ["c"],
    }  # fmt: skip


def test_keys_keep_the_order_of_the_parent() -> None:
    document, _ = resolved(parent="a: 1\nb: 2\n", child="extends: parent\nc: 3\nb: 4\n")
    assert [(e.key, e.key_span.source.name) for e in document.root] == [
        ("a", "parent"), ("b", "child"), ("c", "child"),
    ]  # fmt: skip


def test_every_value_points_into_its_own_file() -> None:
    document, _ = resolved(parent="a: {x: 1, y: 2}\n", child="extends: parent\na: {y: 3}\n")
    inner = document.root.get("a")
    assert isinstance(inner, Mapping)
    assert [(e.value.span.source.name, e.value.span.text) for e in inner] == [
        ("parent", "1"), ("child", "3"),
    ]  # fmt: skip


def test_parents_are_merged_from_the_first_to_the_last() -> None:
    texts = {"one": "a: 1\nb: 1\nc: 1\n", "two": "b: 2\nc: 2\n"}
    assert merged(**texts, child="extends: [one, two]\nc: 3\n") == {"a": 1, "b": 2, "c": 3}


def test_a_parent_may_have_a_parent() -> None:
    texts = {"old": "a: 1\nb: 1\n", "mid": "extends: old\nb: 2\n"}
    assert merged(**texts, child="extends: mid\nc: 3\n") == {"a": 1, "b": 2, "c": 3}


def test_two_parents_may_share_a_parent() -> None:
    texts = {"top": "a: 1\n", "one": "extends: top\nb: 1\n", "two": "extends: top\nc: 1\n"}
    assert merged(**texts, child="extends: [one, two]\n") == {"a": 1, "b": 1, "c": 1}


def test_null_stays_where_the_parent_has_nothing_to_delete() -> None:
    assert merged(p="a: 1\n", child="extends: p\nplayers: {white: }\n") == {
        "a": 1, "players": {"white": None},
    }  # fmt: skip


def test_an_unknown_parent_is_shown_with_its_place() -> None:
    _, found = resolved(child="name: c\nextends: [nobody]\n")
    assert [(f.code, f.span.text, f.message) for f in found] == [
        ("unknown-parent", "nobody", "there is no spec `nobody`")
    ]


def test_a_circle_is_shown_with_its_whole_way() -> None:
    _, found = resolved(child="extends: b\n", b="extends: c\n", c="extends: b\n")
    assert [(f.code, f.span.source.name) for f in found] == [("extends-circle", "c")]
    assert found[0].message.endswith("b -> c -> b")


def test_a_spec_that_extends_itself_is_a_circle() -> None:
    _, found = resolved(child="extends: child\n")
    assert [f.message for f in found] == ["specs extend each other in a circle: child -> child"]


@pytest.mark.parametrize("value", ["{a: 1}", "[[a]]", '""', "null"])
def test_only_names_can_be_extended(value: str) -> None:
    _, found = resolved(child=f"extends: {value}\n")
    assert [f.code for f in found] == ["wrong-type"]


def test_findings_of_a_parent_are_reported() -> None:
    _, found = resolved(child="extends: p\n", p="a: 1\na: 2\n")
    assert [(f.code, f.span.source.name) for f in found] == [("repeated-key", "p")]


def test_a_long_chain_of_parents_ends_with_a_finding() -> None:
    texts = {f"n{i}": f"extends: n{i + 1}\n" for i in range(100)}
    _, found = resolved(child="extends: n0\n", **texts)
    assert [f.code for f in found] == ["too-many-parents"]


def test_a_fan_of_parents_is_read_once_each() -> None:
    texts = {f"n{i}": f"extends: [n{i + 1}, n{i + 1}]\n" for i in range(20)}
    assert merged(child="extends: n0\n", **texts, n20="a: 1\n") == {"a": 1}
