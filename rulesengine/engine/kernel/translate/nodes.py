"""Typed syntax nodes of drivers: the output of the reader and the input of code generation."""

from collections.abc import Callable, Iterator
from typing import Any, Literal

from rulesengine.errors import InternalError
from rulesengine.support.frozen import record

Kind = Literal["int", "bool", "word", "state", "moves", "move", "game", "memory"]
Function = Callable[..., Any]


@record
class Constant:
    kind: Kind
    value: int


@record
class Name:
    kind: Kind
    name: str


@record
class Primitive:
    """A pure instruction."""

    kind: Kind
    instruction: str
    args: "tuple[Expression, ...]"


@record
class Conditional:
    """A conditional expression; only one of its values is computed."""

    kind: Kind
    test: "Expression"
    yes: "Expression"
    no: "Expression"


@record
class IndexedMove:
    """A move by its index."""

    kind: Kind
    moves: Name
    index: "Expression"


@record
class GameQuery:
    """The result of an operation of the game."""

    kind: Kind
    operation: str
    args: "tuple[Expression, ...]"


@record
class Call:
    """The results of a driver; a call with several results has no kind."""

    kinds: tuple[Kind, ...]
    function: Function
    args: "tuple[Expression, ...]"

    @property
    def kind(self) -> Kind:
        (kind,) = self.kinds
        return kind


@record
class Access:
    """The result of a function that reads memory."""

    kind: Kind
    function: Function
    args: "tuple[Expression, ...]"


Expression = Constant | Name | Primitive | Conditional | IndexedMove | GameQuery | Call | Access


@record
class Assign:
    """An assignment: one value for each name, or all results of a call; without names only the
    call.
    """

    names: tuple[str, ...]
    values: tuple[Expression, ...]


@record
class LegalMoves:
    """A binding of a name to the legal moves of a state, for the rest of the block."""

    name: str
    state: Name


@record
class If:
    test: Expression
    then: "Block"
    orelse: "Block"


@record
class While:
    test: Expression
    body: "Block"


@record
class ForRange:
    name: str
    low: Expression
    high: Expression
    body: "Block"


@record
class ForMoves:
    name: str
    moves: Name
    body: "Block"


@record
class Jump:
    """A `break` or `continue`."""

    to: Literal["break", "continue"]


@record
class Return:
    values: tuple[Expression, ...]


@record
class Fail:
    """A `raise`; the exception exists in Python only."""


@record
class MemoryCall:
    """A call of a function that changes memory, or may stop."""

    function: Function
    args: tuple[Expression, ...]


Statement = (
    Assign | LegalMoves | If | While | ForRange | ForMoves | Jump | Return | Fail | MemoryCall
)
Block = tuple[Statement, ...]


@record
class Driver:
    """A parsed driver.

    - `variables` are the names with more than one assignment, with their kinds.
    - `static_flags` are the flags among its parameters that are literals at each call.
    """

    name: str
    params: tuple[tuple[str, Kind], ...]
    results: tuple[Kind, ...]
    body: Block
    variables: tuple[tuple[str, Kind], ...]
    static_flags: frozenset[str]

    @property
    def is_sided(self) -> bool:
        """True if it uses its state for anything but copies, so that code is generated for each
        side.
        """
        states = {name for name, kind in self.params if kind == "state"}
        states -= {name for name, _ in self.variables}
        places = (s.state for s in statements(self.body) if isinstance(s, LegalMoves))
        used = (
            arg
            for statement in statements(self.body)
            for expression in expressions(statement)
            if isinstance(expression, GameQuery | Call)
            for arg in expression.args
        )
        return any(isinstance(x, Name) and x.name in states for x in (*places, *used))


def statements(block: Block) -> Iterator[Statement]:
    """Yield the statements of a block and of its inner blocks."""
    for statement in block:
        yield statement
        match statement:
            case If():
                yield from statements(statement.then)
                yield from statements(statement.orelse)
            case While() | ForRange() | ForMoves():
                yield from statements(statement.body)


def expressions(statement: Statement) -> Iterator[Expression]:
    """Yield the expressions of a statement with their subexpressions, not those of inner blocks."""
    match statement:
        case Assign() | Return():
            values: tuple[Expression, ...] = statement.values
        case If() | While():
            values = (statement.test,)
        case ForRange():
            values = (statement.low, statement.high)
        case MemoryCall():
            values = statement.args
        case _:
            values = ()
    for expression in values:
        yield from _parts(expression)


def _parts(expression: Expression) -> Iterator[Expression]:
    yield expression
    match expression:
        case Primitive() | GameQuery() | Call() | Access():
            inner: tuple[Expression, ...] = expression.args
        case Conditional():
            inner = (expression.test, expression.yes, expression.no)
        case IndexedMove():
            inner = (expression.index,)
        case _:
            inner = ()
    for part in inner:
        yield from _parts(part)


def jumps(block: Block) -> set[str]:
    """Return the jumps of a loop body, `break` or `continue`, without those of inner loops."""
    names: set[str] = set()
    for statement in block:
        if isinstance(statement, Jump):
            names.add(statement.to)
        elif isinstance(statement, If):
            names |= jumps(statement.then) | jumps(statement.orelse)
    return names


def ends(block: Block) -> bool:
    """True if the end of a block is unreachable."""
    return any(map(_ends, block))


def _ends(statement: Statement) -> bool:
    match statement:
        case Jump() | Return() | Fail():
            return True
        case If():
            return ends(statement.then) and ends(statement.orelse)
        case While(test=Constant(value=1)):
            return "break" not in jumps(statement.body)
        case _:
            return False


def driver_error(place: str, text: str) -> InternalError:
    """Return the error for a driver outside the subset, with its location."""
    return InternalError(f"{place}: {text}")
