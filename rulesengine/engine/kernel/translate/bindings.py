"""What the names of a driver stand for in its code."""

from collections.abc import Iterable, Mapping, Sequence

from rulesengine.engine.kernel.code.form import Type, Value, Var
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.move_prefixes import InStems
from rulesengine.engine.kernel.emit.move_sets import Candidate, InLists, Numbered
from rulesengine.engine.kernel.emit.state_values import Position
from rulesengine.engine.kernel.translate.nodes import Kind
from rulesengine.engine.kernel.translate.operations import TYPES
from rulesengine.support.frozen import record


@record
class Nothing:
    """The moves of a state without any."""


@record
class Taken:
    """A move by its number."""

    moves: Numbered | Nothing
    index: Value


@record
class Variable:
    """What changes: a value, or all the values of a state."""

    kind: Kind
    vars: tuple[Var, ...]


# Moves that stand on lists, from which they are taken off.
Held = InLists | InStems

Bound = Value | Position | Numbered | Nothing | Taken | Candidate | Variable


@record
class Loop:
    """The loop that is in hand: how many lists of moves were in use where it began.

    If it is `wrapped`, a loop of one round around its body ends the round; `broken` then tells
    that the loop is over, if it has a `break`.
    """

    lists: int
    wrapped: bool
    broken: Var | None


@record
class Here:
    """A place in the code: what names stand for, moves on lists in order, the innermost loop."""

    names: Mapping[str, Bound]
    lists: tuple[Held, ...] = ()
    loop: Loop | None = None

    def with_(self, **names: Bound) -> "Here":
        return Here({**self.names, **names}, self.lists, self.loop)


def types_of(ctx: Context, kinds: Iterable[Kind]) -> tuple[Type, ...]:
    """The types of the values that stand for kinds."""
    found: list[Type] = []
    for kind in kinds:
        if kind == "state":
            found.extend(ctx.layout.types)
        elif kind != "game":
            found.append(TYPES[kind])
    return tuple(found)


def zeros(ctx: Context, kinds: Iterable[Kind]) -> tuple[Value, ...]:
    """Some value of each of these types."""
    return tuple(ctx.b.const(type_, 0) for type_ in types_of(ctx, kinds))


def flat(bounds: Iterable[Bound]) -> tuple[Value, ...]:
    """The values that stand for numbers and states."""
    values: list[Value] = []
    for bound in bounds:
        if isinstance(bound, Position):
            values.extend(bound.values())
        elif isinstance(bound, Value):
            values.append(bound)
    return tuple(values)


def bound_of(
    ctx: Context, kinds: Iterable[Kind], values: Sequence[Value], side: Value | None = None
) -> tuple[Value | Position, ...]:
    """Numbers and states of the values that stand for them; the side to move may be known."""
    found: list[Value | Position] = []
    rest = list(values)
    for kind in kinds:
        size = len(types_of(ctx, (kind,)))
        now, rest = tuple(rest[:size]), rest[size:]
        if kind == "state":
            found.append(Position.of(ctx.layout, now, side))
        elif kind != "game":
            found.extend(now)
    return tuple(found)
