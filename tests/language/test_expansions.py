"""Phrases are syntactic sugar: a phrase and its expansion compile to the same program."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from rulesengine.language.check import reader
from rulesengine.language.document.nodes import Scalar
from rulesengine.language.ir.ops import OPS, Op
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import Site
from rulesengine.language.ir.scripted_ops import SCRIPTED
from rulesengine.language.lower import lower
from rulesengine.language.pipeline import analyse
from rulesengine.language.syntax import nodes as n
from rulesengine.language.syntax.expand import expand, expand_one, is_phrase
from rulesengine.language.syntax.parse import Parsed, Start, parse
from rulesengine.language.syntax.script import parse_script
from rulesengine.language.syntax.unparse import unparse
from rulesengine.support.files import read_source
from rulesengine.support.source import Slice, Source, Span
from tests.helpers.each_game import LARGER, OTHERS

ROOT = Path(__file__).parents[2]
SPECS = sorted((ROOT / "games").glob("*.yaml"))

PHRASES = """\
spec: 1
name: Phrases
board: {rows: 5, columns: 5}
players:
  left: {goal: top}
  right: {goal: bottom}
pieces:
  man: {left: l, right: r}
  wall: {neutral: w}
  empty: "."
start:
  - put man of left on rows(1) where it in columns(2 to 4)
  - put wall of neutral on c3
rules:
  moves:
    - place: man
      to: >
        empty touching (own man
        or man of opponent) where any(enemy man between it and (own man touching top))
      do: flip (enemy where any(neighbours(it) and (own man where row(it) > 1))) between to and own
    - otherwise
    - pass
  score: count(own man touching edge) - count(goal of opponent and own)
  end:
    - when: none(wall of neutral) or score of left > score of next(right)
      result: highest score wins
      reason: the wall is gone
strategies:
  greedy:
    - most count(own man where it in captured)
    - lowest
    - leftmost
  other:
    - prefer any(man of mover of left touching top) else any(own man) else none(enemy)
    - prefer none(wall of neutral)
    - highest
    - rightmost
io: |
  if count(own man touching top where column(it) > 1) > 2
    print "{label of mover} {score of (next(mover))} {count(own man touching top):3}"
"""


def sources() -> list[Source]:
    return [*map(read_source, SPECS), Source("phrases.yaml", PHRASES)]


def program(source: Source) -> Program:
    analysis = analyse(source)
    assert analysis.checked is not None, analysis.findings
    rules = analysis.checked.rules
    return lower(rules, {p.name: p.default for p in rules.parameters})


def without_places(value: Any) -> Any:
    """Return a program as plain tuples without the sites, which contain only source positions."""
    if isinstance(value, Site):
        return None
    if isinstance(value, Op):
        args = tuple(without_places(arg) for arg in value.args)
        return value.name, value.type, args, without_site(value)
    if isinstance(value, tuple):
        return tuple(without_places(item) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        names = [f.name for f in fields(value) if f.init and f.name != "sites"]
        return type(value).__name__, *(without_places(getattr(value, name)) for name in names)
    return value


def without_site(op: Op) -> Any:
    value_type = (OPS.get(op.name) or SCRIPTED[op.name]).value
    if op.name == "each" or value_type.endswith("and site"):
        assert isinstance(op.value, tuple)
        return op.value[:-1]
    return None if value_type == "site" else op.value


@pytest.fixture
def trees(monkeypatch: pytest.MonkeyPatch) -> list[n.Node]:
    """Record every tree that the checker reads from now on, for any key."""
    read: list[n.Node] = []

    def noting(text: Slice, start: Start = "expression") -> Parsed:
        node, findings = parse(text, start)
        read.extend([node] if node else [])
        return node, findings

    monkeypatch.setattr(reader, "parse", noting)
    return read


def read_all(source: Source, trees: list[n.Node]) -> tuple[list[n.Node], frozenset[str]]:
    """Return the trees of a spec and of its script, each once, and the names of its kinds.

    Texts in a parent's file are left out: the parent's own test covers them. So are the pieces of
    `place`, where `disc of white` is no phrase.
    """
    analysis = analyse(source)
    assert analysis.document is not None
    assert analysis.checked is not None
    script = analysis.document.root.get("io")
    lines = parse_script(script.text)[0] if isinstance(script, Scalar) else ()
    own = [tree for tree in [*trees, *lines] if tree.span.source.name == source.name]
    own = [tree for tree in own if not source.text[: tree.span.start].endswith("place: ")]
    unique = {(tree.span.start, tree.span.end): tree for tree in own}
    kinds = frozenset(kind.name for kind in analysis.checked.rules.kinds)
    return list(unique.values()), kinds


def phrases(node: n.Node) -> Iterator[n.Node]:
    """Yield the phrases of a tree: `disc of white` names a piece in `put`, `heap of a1` the target
    of `set`.
    """
    if is_phrase(node):
        yield node
    pieces = node.operands[:1] if isinstance(node, n.PieceEffect) and node.verb == "put" else ()
    if isinstance(node, n.SetRegister):
        pieces = (node.register,)
    for child in n.children(node):
        if child not in pieces:
            yield from phrases(child)


def replaced(source: Source, changes: list[tuple[Span, str]]) -> Source:
    text = source.text
    for span, new in sorted(changes, key=lambda change: -change[0].start):
        text = text[: span.start] + new + text[span.end :]
    return Source(source.name, text)


def written(node: n.Node) -> str:
    text = unparse(node)
    return text if isinstance(node, n.Key) else f"({text})"


def of_sources(deep: frozenset[str]) -> pytest.MarkDecorator:
    """Parametrise a test by the specs as `source`, each slow or deep."""
    cases = [(Path(one.name).stem, one) for one in sources()]
    marks = {name: pytest.mark.deep if name in deep else pytest.mark.slow for name, _ in cases}
    return pytest.mark.parametrize(
        "source", [pytest.param(one, id=name, marks=marks[name]) for name, one in cases]
    )


# One phrase at a time, each with a new parse of the whole spec: `phrases` has every kind.
@of_sources(OTHERS)
def test_a_phrase_and_its_expansion_give_the_same_program(
    source: Source, trees: list[n.Node]
) -> None:
    found, kinds = read_all(source, trees)
    before = without_places(program(source))
    for phrase in [p for tree in found for p in phrases(tree)]:
        expansion = expand_one(phrase, kinds)
        assert expansion != phrase
        after = replaced(source, [(phrase.span, written(expansion))])
        assert without_places(program(after)) == before, (phrase.span.text, unparse(expansion))


@of_sources(LARGER)
def test_a_spec_without_any_phrase_gives_the_same_program(
    source: Source, trees: list[n.Node]
) -> None:
    found, kinds = read_all(source, trees)
    outermost: list[n.Node] = []
    for phrase in sorted(
        (p for tree in found for p in phrases(tree)), key=lambda p: (p.span.start, -p.span.end)
    ):
        if not outermost or phrase.span.start >= outermost[-1].span.end:
            outermost.append(phrase)
    expanded = [(p.span, written(expand(p, kinds))) for p in outermost]
    after = replaced(source, expanded)
    trees.clear()
    rest = [p for tree in read_all(after, trees)[0] for p in phrases(tree)]
    assert rest == []
    assert without_places(program(after)) == without_places(program(source))


def test_every_sort_of_phrase_is_replaced_somewhere_also_inside_another(
    trees: list[n.Node],
) -> None:
    found = read_all(Source("phrases.yaml", PHRASES), trees)[0]
    seen = [p for tree in found for p in phrases(tree)]
    assert {type(p) for p in seen} == {
        n.Words,
        n.Where,
        n.Touching,
        n.Between,
        n.OfSide,
        n.KeyWord,
        n.Prefer,
    }
    nested = [type(q) for p in seen for c in n.children(p) for q in phrases(c)]
    assert {n.Words, n.Where, n.Touching, n.Between, n.OfSide} <= {*nested, n.Between}


def test_a_change_of_meaning_is_a_change_of_the_program() -> None:
    source = Source("phrases.yaml", PHRASES)
    changed = Source("phrases.yaml", PHRASES.replace("own man touching edge", "own man and edge"))
    assert without_places(program(changed)) != without_places(program(source))
