"""What kernel code holds of a state: values of planes and registers, and what is known of cells."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from rulesengine.engine.kernel.analysis.state_layout import StateLayout
from rulesengine.engine.kernel.code.form import Value

RECORDS = ("placed", "moved", "flipped", "removed", "captured")


@dataclass(frozen=True, slots=True)
class Position:
    """A state, or a draft of one (then `record` holds what has changed so far).

    `content` tells of some sets of one cell which planes may be there: bit p for the p-th plane
    that is kept, the bit after these for no piece. `kept` follows from the planes of a state;
    that of a draft is of the state that it began as.
    """

    planes: tuple[Value, ...]
    side: Value
    registers: tuple[Value, ...]
    seats: Value | None
    history: Value | None
    record: Mapping[str, Value] | None = None
    content: Mapping[Value, int] = field(default_factory=lambda: MappingProxyType({}))
    kept: tuple[Value, ...] = ()

    def values(self) -> tuple[Value, ...]:
        """In the order of `StateLayout.types`."""
        more = [v for v in (self.seats, self.history) if v is not None]
        return (*self.planes, self.side, *self.registers, *more, *self.kept)

    @classmethod
    def of(
        cls, layout: StateLayout, values: tuple[Value, ...], side: Value | None = None
    ) -> "Position":
        """A state of values in the order of `StateLayout.types`; `side`, if given, is known."""
        end = len(values) - len(layout.kept)
        planes, rest, kept = (
            values[: len(layout.planes)],
            values[len(layout.planes) : end],
            values[end:],
        )
        registers, rest_ = rest[1 : 1 + len(layout.registers)], rest[1 + len(layout.registers) :]
        seats = rest_[0] if layout.seats else None
        history = rest_[-1] if layout.history else None
        side = side if side is not None else rest[0]
        return cls(planes, side, registers, seats, history, kept=kept)

    def settled(self) -> "Position":
        """The state that a draft has become."""
        return replace(self, record=None, content=MappingProxyType({}))


Result = Callable[[Value], tuple[Position, Mapping[str, Value]]]


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """What an operation is evaluated in: the frame of the interpreter.

    `result(side)` gives the state and record that the move in hand leads to if a side makes it,
    `again(state)` the same from another state.
    """

    at: Position
    variables: Mapping[str, Value]
    result: Result | None = None
    again: Callable[[Position], Result] | None = None

    def with_(self, **variables: Value) -> "Scene":
        known = {name.rstrip("_"): value for name, value in variables.items()}
        return replace(self, variables={**self.variables, **known})

    def on(self, at: Position) -> "Scene":
        """The same on another state or draft."""
        result = self.again(at) if self.again else self.result
        return replace(self, at=at, result=result)
