"""The values of a state in kernel code, and known contents of cells."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from rulesengine.engine.kernel.analysis.state_layout import StateLayout
from rulesengine.engine.kernel.code.form import Value

RECORDS = ("placed", "moved", "flipped", "removed", "captured")


@dataclass(frozen=True, slots=True)
class Position:
    """A state, or a draft: then `record` has the changes so far.

    `content` maps some sets of one cell to masks of the planes that may be there; the bit after the
    planes means no piece. `incremental` are incremental values, which follow from the planes of a
    state; those of a draft belong to the state that it began as. `before` is that state, None for a
    state and for the draft of a continued move.
    """

    planes: tuple[Value, ...]
    side: Value
    registers: tuple[Value, ...]
    seats: Value | None
    history: Value | None
    record: Mapping[str, Value] | None = None
    content: Mapping[Value, int] = field(default_factory=lambda: MappingProxyType({}))
    incremental: tuple[Value, ...] = ()
    before: "Position | None" = None

    def values(self) -> tuple[Value, ...]:
        """Return the values in the order of `StateLayout.types`."""
        more = [v for v in (self.seats, self.history) if v is not None]
        return (*self.planes, self.side, *self.registers, *more, *self.incremental)

    @classmethod
    def of(
        cls, layout: StateLayout, values: tuple[Value, ...], side: Value | None = None
    ) -> "Position":
        """Build a state from values in the order of `StateLayout.types`; `side` overrides its
        side.
        """
        end = len(values) - len(layout.incremental)
        planes, rest, incremental = (
            values[: len(layout.planes)],
            values[len(layout.planes) : end],
            values[end:],
        )
        registers, rest_ = rest[1 : 1 + len(layout.registers)], rest[1 + len(layout.registers) :]
        seats = rest_[0] if layout.seats else None
        history = rest_[-1] if layout.history else None
        side = side if side is not None else rest[0]
        return cls(planes, side, registers, seats, history, incremental=incremental)

    def settled(self) -> "Position":
        """Return the state that a draft has become."""
        return replace(self, record=None, content=MappingProxyType({}), before=None)


Result = Callable[[Value], tuple[Position, Mapping[str, Value]]]


@dataclass(frozen=True, slots=True, eq=False)
class Environment:
    """The environment of an operation; the counterpart of the interpreter's frame.

    `result(side)` returns the state and record after the current move by a side, `again(state)` the
    same function for another state.
    """

    at: Position
    variables: Mapping[str, Value]
    result: Result | None = None
    again: Callable[[Position], Result] | None = None

    def with_(self, **variables: Value) -> "Environment":
        known = {name.rstrip("_"): value for name, value in variables.items()}
        return replace(self, variables={**self.variables, **known})

    def on(self, at: Position) -> "Environment":
        """Return the same scene with another state or draft."""
        result = self.again(at) if self.again else self.result
        return replace(self, at=at, result=result)
