from __future__ import annotations

import pytest

from rulesengine.errors import UsageError
from rulesengine.language.document import extends, yaml_events
from rulesengine.language.document.nodes import Document, Mapping, to_plain
from rulesengine.support.diagnostic import Diagnostic
from rulesengine.support.source import Source

BOTH = "extends: [one, two]\n"


def resolved(**texts: str) -> tuple[Document, list[Diagnostic]]:
    """Resolve the spec `child` over the others, each found by its name."""

    def find(name: str, child: Source) -> Source:
        if name not in texts:
            raise UsageError(f"there is no spec `{name}`")
        return Source(name, texts[name])

    source = Source("child", texts["child"])
    root, found = yaml_events.parse(source)
    assert isinstance(root, Mapping)
    document, more = extends.resolve(Document(source, root), find, yaml_events.parse)
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


NAMED = """
rules:
  moves: [{name: walk, move: own, to: all}, otherwise, {name: jump, move: own}, pass]
  end: [{when: a, result: draw}, {name: last, when: b}]
"""


def test_a_map_over_a_list_changes_its_items_by_their_names() -> None:
    child = "rules: {moves: {jump: {to: empty}, walk: {to: null}}, end: {last: null}}\n"
    assert merged(parent=NAMED, child=f"extends: parent\n{child}") == {
        "rules": {
            "moves": [
                {"name": "walk", "move": "own"},
                "otherwise",
                {"name": "jump", "move": "own", "to": "empty"},
                "pass",
            ],
            "end": [{"when": "a", "result": "draw"}],
        }
    }


def test_a_map_over_a_list_that_is_one_item_replaces_it() -> None:
    child = "extends: parent\nrules: {moves: {place: disc, to: empty}}\n"
    found = merged(parent=NAMED, child=child)
    assert isinstance(found, dict)
    assert found["rules"]["moves"] == {"place": "disc", "to": "empty"}


def test_a_name_that_a_list_does_not_have_is_reported() -> None:
    child = "extends: parent\nrules: {moves: {jmp: null, walk: {to: empty}}}\n"
    _, found = resolved(parent=NAMED, child=child)
    assert [(f.message, str(f.help)) for f in found] == [
        ("the list has no item named `jmp`", "did you mean `jump`?")
    ]


def test_a_section_may_be_deleted_that_no_parent_has() -> None:
    child = "extends: parent\ntests: null\nregisters:\n"
    document, _ = resolved(parent="name: p\n", child=child)
    assert [entry.key for entry in document.root] == ["name", "registers"]  # which lacks a value


@pytest.mark.parametrize(
    ("child", "parameters"),
    [
        ("n: {default: 4}", [{"n": 3}, {"n": 2}, {"n": 3, "m": 1}]),
        ("n: {default: 3}", [None, {"n": 2}, {"m": 1}]),
        ("n: {from: 4, default: 5}", [None, {"n": 2}, {"m": 1}]),  # 3 is none of its values
        ("m: {choices: [2, 3], default: 2}", [None, {"n": 2}, {"m": 1}]),
        ("m: {choices: [0, 1, 2], default: 2}", [{"m": 0}, {"n": 2, "m": 0}, {"m": 1}]),
    ],
)
def test_tests_of_a_parent_keep_its_defaults(child: str, parameters: list[object]) -> None:
    parent = """
parameters: {n: {from: 2, to: 9, default: 3}, m: {choices: [0, 1], default: 0}}
tests: [{perft: [9]}, {parameters: {n: 2}}, {parameters: {m: 1}}]
"""
    child = f"extends: parent\nparameters: {{{child}}}\n"
    found = merged(parent=parent, child=child)
    assert isinstance(found, dict)
    assert [test.get("parameters") for test in found["tests"]] == parameters
    own = merged(parent=parent, child=child + "tests: [{perft: [16]}]\n")
    assert isinstance(own, dict)
    assert own["tests"] == [{"perft": [16]}]


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
    document, found = resolved(one="a: 1\nm: {x: 1}\n", two="b: 2\nm: {y: 2}\n", child=BOTH)
    assert not found
    assert list(to_plain(document.root)) == ["a", "m", "b"]  # type: ignore[call-overload]
    assert to_plain(document.root) == {"a": 1, "m": {"x": 1, "y": 2}, "b": 2}


def test_a_key_that_two_parents_give_differently_is_a_clash_with_both_places() -> None:
    _, found = resolved(one="a: 1\nb: {x: 1, y: 1}\n", two="b: {y: 1, x: 2}\n", child=BOTH)
    assert [(f.code, f.span.text) for f in found] == [("parents-clash", "two")]
    assert found[0].message == "two parents give `b.x` different values"
    assert [(n.span.source.name, n.span.text, n.span.start) for n in found[0].notes] == [
        ("one", "x", 9), ("two", "x", 10),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("one", "two", "clash"),
    [
        ("a: [1, 2]", "a: [1, 3]", "a"),
        ("a: {x: 1}", "a: 1", "a"),
        ("a: 1", "a: 2\nb: 1", "a"),
        ("a: 1", "a: '1'", "a"),
        ("a: {b: {c: 1}}", "a: {b: {c: 2}}", "a.b.c"),
    ],
)
def test_values_and_lists_clash_as_wholes_and_maps_key_by_key(
    one: str, two: str, clash: str
) -> None:
    _, found = resolved(one=one, two=two, child=BOTH)
    assert [f.message for f in found] == [f"two parents give `{clash}` different values"]


@pytest.mark.parametrize(
    ("child", "value"),
    [("a: 5", 5), ("a: null", None), ("a: {x: 7}", {"x": 7, "y": 1}), ("a: {x: null}", {"y": 1})],
)
def test_the_child_decides_a_clash(child: str, value: object) -> None:
    texts = {"one": "a: {x: 1, y: 1}\nz: 1", "two": "a: {x: 2}", "child": f"{BOTH}{child}\n"}
    plain = merged(**texts)
    assert isinstance(plain, dict)
    assert plain.get("a") == value


def test_a_clash_is_decided_at_its_key_only() -> None:
    child = f"{BOTH}a: {{y: 5}}\n"
    _, found = resolved(one="a: {x: 1}", two="a: {x: 2}", child=child)
    assert [f.message for f in found] == ["two parents give `a.x` different values"]


def test_equal_values_of_two_parents_are_no_clash() -> None:
    assert merged(one="a: [1, {b: 2}]", two="a: [1, {b: 2}]", child=BOTH) == {"a": [1, {"b": 2}]}


def test_conflicts_between_any_two_of_three_parents() -> None:
    texts = {"one": "a: 1", "two": "b: 1", "three": "a: 2\nb: 2"}
    _, found = resolved(**texts, child="extends: [one, two, three]\n")
    assert [(f.span.text, f.message) for f in found] == [
        ("three", "two parents give `a` different values"),
        ("three", "two parents give `b` different values"),
    ]


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
    assert [(n.span.source.name, n.span.text) for n in found[0].notes] == [("b", "c")]


def test_an_unknown_parent_of_a_parent_is_shown_with_both_places() -> None:
    _, found = resolved(child="extends: p\n", p="extends: nobody\n")
    assert [(f.code, f.span.source.name, f.span.text) for f in found] == [
        ("unknown-parent", "p", "nobody")
    ]
    assert [(n.span.source.name, n.span.text) for n in found[0].notes] == [("child", "p")]


def test_a_parent_in_a_newer_version_says_so_and_nothing_else() -> None:
    _, found = resolved(child="extends: p\nspec: 1\n", p="spec: 2\na: 1\na: 2\n")
    assert [(f.code, f.span.source.name, f.span.text) for f in found] == [("newer-spec", "p", "2")]


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
