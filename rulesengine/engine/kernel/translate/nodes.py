"""A driver as typed nodes: what is read of its source, and what code is made of."""

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
class Operate:
    """An instruction that only gives a value."""

    kind: Kind
    instruction: str
    args: "tuple[Expression, ...]"


@record
class Choose:
    """One of two values of which only one is made."""

    kind: Kind
    test: "Expression"
    yes: "Expression"
    no: "Expression"


@record
class Nth:
    """A move by its number."""

    kind: Kind
    moves: Name
    index: "Expression"


@record
class Ask:
    """What an operation of the game gives."""

    kind: Kind
    operation: str
    args: "tuple[Expression, ...]"


@record
class Call:
    """The results of a driver; one of several has no kind of its own."""

    kinds: tuple[Kind, ...]
    function: Function
    args: "tuple[Expression, ...]"

    @property
    def kind(self) -> Kind:
        (kind,) = self.kinds
        return kind


@record
class Access:
    """What a function finds in memory."""

    kind: Kind
    function: Function
    args: "tuple[Expression, ...]"


Expression = Constant | Name | Operate | Choose | Nth | Ask | Call | Access


@record
class Assign:
    """Names get the values, one each or all that a call gives; without names it is just called."""

    names: tuple[str, ...]
    values: tuple[Expression, ...]


@record
class Find:
    """The name gets the legal moves of a state for the rest of the block."""

    name: str
    state: Name


@record
class If:
    test: Expression
    then: "Block"
    other: "Block"


@record
class While:
    test: Expression
    body: "Block"


@record
class Range:
    name: str
    low: Expression
    high: Expression
    body: "Block"


@record
class Each:
    name: str
    moves: Name
    body: "Block"


@record
class Jump:
    """`break` or `continue`."""

    to: Literal["break", "continue"]


@record
class Return:
    values: tuple[Expression, ...]


@record
class Fail:
    """`raise`: what, only Python knows."""


@record
class Do:
    """A function that changes memory, or may stop."""

    function: Function
    args: tuple[Expression, ...]


Statement = Assign | Find | If | While | Range | Each | Jump | Return | Fail | Do
Block = tuple[Statement, ...]


@record
class Driver:
    """A function; `variables` are the names, with their kinds, that more than one place gives.

    `known` are the flags among its parameters that stand where it is called.
    """

    name: str
    params: tuple[tuple[str, Kind], ...]
    results: tuple[Kind, ...]
    body: Block
    variables: tuple[tuple[str, Kind], ...]
    known: frozenset[str]

    @property
    def is_sided(self) -> bool:
        """Whether it does something with the state that it is given but copy it."""
        states = {name for name, kind in self.params if kind == "state"}
        states -= {name for name, _ in self.variables}
        asked = (s.state for s in statements(self.body) if isinstance(s, Find))
        used = (
            arg
            for statement in statements(self.body)
            for expression in expressions(statement)
            if isinstance(expression, Ask | Call)
            for arg in expression.args
        )
        return any(isinstance(x, Name) and x.name in states for x in (*asked, *used))


def statements(block: Block) -> Iterator[Statement]:
    """The statements of a block and of those inside."""
    for statement in block:
        yield statement
        match statement:
            case If():
                yield from statements(statement.then)
                yield from statements(statement.other)
            case While() | Range() | Each():
                yield from statements(statement.body)


def expressions(statement: Statement) -> Iterator[Expression]:
    """The expressions of a statement, and what they are made of; not those of its blocks."""
    match statement:
        case Assign() | Return():
            found: tuple[Expression, ...] = statement.values
        case If() | While():
            found = (statement.test,)
        case Range():
            found = (statement.low, statement.high)
        case Do():
            found = statement.args
        case _:
            found = ()
    for expression in found:
        yield from _parts(expression)


def _parts(expression: Expression) -> Iterator[Expression]:
    yield expression
    match expression:
        case Operate() | Ask() | Call() | Access():
            inner: tuple[Expression, ...] = expression.args
        case Choose():
            inner = (expression.test, expression.yes, expression.no)
        case Nth():
            inner = (expression.index,)
        case _:
            inner = ()
    for part in inner:
        yield from _parts(part)


def jumps(block: Block) -> set[str]:
    """Where a block of a loop jumps to: `break`, `continue`; loops inside have their own."""
    found: set[str] = set()
    for statement in block:
        if isinstance(statement, Jump):
            found.add(statement.to)
        elif isinstance(statement, If):
            found |= jumps(statement.then) | jumps(statement.other)
    return found


def ends(block: Block) -> bool:
    """Whether the end of a block is never reached."""
    return any(map(_ends, block))


def _ends(statement: Statement) -> bool:
    match statement:
        case Jump() | Return() | Fail():
            return True
        case If():
            return ends(statement.then) and ends(statement.other)
        case While(test=Constant(value=1)):
            return "break" not in jumps(statement.body)
        case _:
            return False


def refusal(place: str, text: str) -> InternalError:
    """What is wrong with a driver, and where."""
    return InternalError(f"{place}: {text}")
