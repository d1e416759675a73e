"""The syntax tree of expressions, effects, results and keys: frozen nodes with spans."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields

from rulesengine.support.source import Span


@dataclass(frozen=True, slots=True)
class Node:
    """The base of all nodes, with the source span, which comparisons ignore."""

    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Number(Node):
    value: int


@dataclass(frozen=True, slots=True)
class Name(Node):
    word: str


@dataclass(frozen=True, slots=True)
class Field(Node):
    """A value inside a template: `{value:format}`; a pattern's field is `{name:kind}`."""

    value: Node
    format: str


@dataclass(frozen=True, slots=True)
class Text(Node):
    """A quoted text; its fields are filled in where it is printed."""

    parts: tuple[str | Field, ...]


@dataclass(frozen=True, slots=True)
class Call(Node):
    function: str
    arguments: tuple[Node, ...]
    named: tuple[tuple[str, Node], ...]
    name_span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Each(Node):
    """`function(variable in domain, body)`: the body is evaluated once for each value."""

    function: str
    variable: str
    domain: Node
    body: Node
    name_span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Index(Node):
    """`name[value]`."""

    word: str
    value: Node


@dataclass(frozen=True, slots=True)
class Operation(Node):
    """`and`, `or` with two operands or more; `not`, `negative` with one; the others with two."""

    operator: str
    operands: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Conditional(Node):
    test: Node
    then: Node
    otherwise: Node


@dataclass(frozen=True, slots=True)
class Range(Node):
    """Numbers from `low` to `high`; an omitted bound is None."""

    low: Node | None
    high: Node | None


@dataclass(frozen=True, slots=True)
class Listing(Node):
    items: tuple[Node, ...]


# Phrases; each expands into the nodes above (expand.py).


@dataclass(frozen=True, slots=True)
class Words(Node):
    """Adjacent names, `own king`: the intersection of their sets of cells."""

    words: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Where(Node):
    """`cells where condition`, the cell being `it`."""

    cells: Node
    condition: Node


@dataclass(frozen=True, slots=True)
class Touching(Node):
    cells: Node
    others: Node


@dataclass(frozen=True, slots=True)
class Between(Node):
    """`over between start and until`."""

    over: Node
    start: Node
    until: Node


@dataclass(frozen=True, slots=True)
class OfSide(Node):
    """`name of side`: the value of the name for that side."""

    name: Name
    side: Node


# Effects.


@dataclass(frozen=True, slots=True)
class PieceEffect(Node):
    """An effect on pieces: a verb and its operands, each after a word (`put` x `on` y)."""

    words: tuple[str, ...]
    operands: tuple[Node, ...]

    @property
    def verb(self) -> str:
        return self.words[0]


@dataclass(frozen=True, slots=True)
class SetRegister(Node):
    """A new value of a register; one that `adds` is the old value plus this one."""

    register: Node
    value: Node
    adds: bool = False


@dataclass(frozen=True, slots=True)
class EffectIf(Node):
    test: Node
    then: "Effect"
    otherwise: "Effect | None"


@dataclass(frozen=True, slots=True)
class Block(Node):
    """Effects in brackets, one after the other."""

    effects: tuple["Effect", ...]


@dataclass(frozen=True, slots=True)
class ForEach(Node):
    """`for variable in domain do effect`: the effect once for each value."""

    variable: str
    domain: Node
    effect: "Effect"


@dataclass(frozen=True, slots=True)
class CarryEach(Node):
    """`carry variable in cells to target`: every piece to its own cell, simultaneously."""

    variable: str
    cells: Node
    target: Node


@dataclass(frozen=True, slots=True)
class Repeat(Node):
    """`repeat effect until condition`; without a condition until the state does not change."""

    effect: "Effect"
    until: Node | None


@dataclass(frozen=True, slots=True)
class Perform(Node):
    """A use of an effect that the spec defines, `clear` or `settle(to)`."""

    name: Name
    arguments: tuple[Node, ...]


Effect = PieceEffect | SetRegister | EffectIf | Block | ForEach | CarryEach | Repeat | Perform

# Results of ends and keys of strategies.


@dataclass(frozen=True, slots=True)
class Wins(Node):
    side: Node


@dataclass(frozen=True, slots=True)
class Loses(Node):
    side: Node


@dataclass(frozen=True, slots=True)
class Draw(Node):
    pass


@dataclass(frozen=True, slots=True)
class ByScore(Node):
    highest: bool


Result = Wins | Loses | Draw | ByScore


@dataclass(frozen=True, slots=True)
class Key(Node):
    """A ranking of moves by a strategy: `most` or `least` of a value."""

    order: str
    value: Node


@dataclass(frozen=True, slots=True)
class Prefer(Node):
    """A phrase for a key: the moves of the first condition that is true for any move."""

    conditions: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class OneOfEach(Node):
    """`one of each result`: the first of the moves that lead to equal states."""


@dataclass(frozen=True, slots=True)
class KeyWord(Node):
    """A phrase for a key, such as `lowest`."""

    word: str


def children(node: Node) -> Iterator[Node]:
    """Yield the nodes directly inside a node, in the order of the text."""
    if isinstance(node, SetRegister) and node.adds:  # `add VALUE to REGISTER`
        yield from (node.value, node.register)
        return
    for f in fields(node):
        yield from _nodes(getattr(node, f.name))


def walk(node: Node) -> Iterator[Node]:
    """Yield the node and all nodes inside it, without recursion."""
    stack = [node]
    while stack:
        top = stack.pop()
        yield top
        stack.extend(children(top))


def _nodes(value: object) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _nodes(item)
