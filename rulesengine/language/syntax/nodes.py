"""The syntax tree of expressions, effects, results and keys: frozen nodes with spans."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields

from rulesengine.support.source import Span


@dataclass(frozen=True, slots=True)
class Node:
    """What every node has: where it stands. Spans do not count in a comparison."""

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
    """`function(variable in domain, body)`: the body is read once for each value."""

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
    """Numbers from `low` to `high`; a bound that is not written is None."""

    low: Node | None
    high: Node | None


@dataclass(frozen=True, slots=True)
class Listing(Node):
    items: tuple[Node, ...]


# Phrases: each expands into the nodes above (expand.py).


@dataclass(frozen=True, slots=True)
class Words(Node):
    """Names side by side, `own king`: the cells where all of them hold."""

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
class Of(Node):
    """`name of side`: the name as that side reads it."""

    name: Name
    side: Node


# Effects.


@dataclass(frozen=True, slots=True)
class Act(Node):
    """What is done to pieces: a verb and its operands, each after a word (`put` x `on` y)."""

    words: tuple[str, ...]
    operands: tuple[Node, ...]

    @property
    def verb(self) -> str:
        return self.words[0]


@dataclass(frozen=True, slots=True)
class SetRegister(Node):
    register: Node
    value: Node


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
    """`carry variable in cells to target`: every piece to a cell of its own, all at once."""

    variable: str
    cells: Node
    target: Node


@dataclass(frozen=True, slots=True)
class Repeat(Node):
    """`repeat effect until condition`; without a condition until nothing changes."""

    effect: "Effect"
    until: Node | None


@dataclass(frozen=True, slots=True)
class Perform(Node):
    """An effect that the spec names, `clear` or `settle(to)`."""

    name: Name
    arguments: tuple[Node, ...]


Effect = Act | SetRegister | EffectIf | Block | ForEach | CarryEach | Repeat | Perform

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
    """How a strategy ranks moves: `most` or `least` of a value."""

    order: str
    value: Node


@dataclass(frozen=True, slots=True)
class Prefer(Node):
    """A phrase for a key: the moves of the first condition that holds for any."""

    conditions: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class OneOfEach(Node):
    """`one of each result`: of the moves that lead to equal states the first."""


@dataclass(frozen=True, slots=True)
class KeyWord(Node):
    """A phrase for a key, such as `lowest`."""

    word: str


def children(node: Node) -> Iterator[Node]:
    """The nodes directly inside a node, in the order of the text."""
    for f in fields(node):
        yield from _nodes(getattr(node, f.name))


def walk(node: Node) -> Iterator[Node]:
    """The node and all nodes inside it, without recursion."""
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
