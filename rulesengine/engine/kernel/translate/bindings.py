"""Bindings of the names of a driver to values of its code."""

from collections.abc import Iterable, Mapping, Sequence

from rulesengine.engine.kernel.code.form import Type, Value, Var
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.move_prefixes import PrefixedMoves
from rulesengine.engine.kernel.emit.move_sets import CandidateMove, ListedMoves, NumberedMoves
from rulesengine.engine.kernel.emit.state_values import Position
from rulesengine.engine.kernel.translate.nodes import Kind
from rulesengine.engine.kernel.translate.operations import TYPES
from rulesengine.support.frozen import record


@record
class NoMoves:
    """The moves of a state without legal moves."""


@record
class MoveAt:
    """A move by its index."""

    moves: NumberedMoves | NoMoves
    index: Value


@record
class Variable:
    """A mutable variable: of one value, or of all values of a state."""

    kind: Kind
    vars: tuple[Var, ...]


# Moves stored in move lists, which must be popped.
StoredMoves = ListedMoves | PrefixedMoves

Bound = Value | Position | NumberedMoves | NoMoves | MoveAt | CandidateMove | Variable


@record
class Loop:
    """The innermost loop: how many move lists were in use at its start.

    If it is `wrapped`, each iteration is an inner loop that runs once, and leaving it ends the
    iteration. `broken` is the flag of a `break`, which ends the outer loop.
    """

    lists: int
    wrapped: bool
    broken: Var | None


@record
class Bindings:
    """The bindings of names at a point of the code, its move lists in order, the innermost loop."""

    names: Mapping[str, Bound]
    lists: tuple[StoredMoves, ...] = ()
    loop: Loop | None = None

    def with_(self, **names: Bound) -> "Bindings":
        return Bindings({**self.names, **names}, self.lists, self.loop)


def types_of(ctx: Context, kinds: Iterable[Kind]) -> tuple[Type, ...]:
    """Return the types of the values of some kinds."""
    types: list[Type] = []
    for kind in kinds:
        if kind == "state":
            types.extend(ctx.layout.types)
        elif kind != "game":
            types.append(TYPES[kind])
    return tuple(types)


def zeros(ctx: Context, kinds: Iterable[Kind]) -> tuple[Value, ...]:
    """Return a zero of each of these types."""
    return tuple(ctx.b.const(type_, 0) for type_ in types_of(ctx, kinds))


def flat(bounds: Iterable[Bound]) -> tuple[Value, ...]:
    """Return the values of numbers and states."""
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
    """Return the numbers and states made of some values; the side to move may be known."""
    bound: list[Value | Position] = []
    rest = list(values)
    for kind in kinds:
        size = len(types_of(ctx, (kind,)))
        now, rest = tuple(rest[:size]), rest[size:]
        if kind == "state":
            bound.append(Position.of(ctx.layout, now, side))
        elif kind != "game":
            bound.extend(now)
    return tuple(bound)
