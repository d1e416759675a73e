"""What an operation is evaluated in: a state or a draft of one, variables, and the step in hand."""

from dataclasses import dataclass, field
from typing import Any

from rulesengine.state import Record, State, Step


@dataclass(slots=True)
class Draft:
    """A state while effects change it; it has the same parts."""

    planes: list[int]
    side: int
    registers: list[int]
    history: tuple[tuple[tuple[int, ...], int], ...]
    seats: tuple[int, ...]
    placed: int = 0
    moved: int = 0
    flipped: int = 0
    removed: int = 0
    captured: int = 0

    @classmethod
    def of(cls, state: State) -> "Draft":
        return cls(
            list(state.planes), state.side, list(state.registers), state.history, state.seats
        )

    def record(self) -> Record:
        return Record(self.placed, self.moved, self.flipped, self.removed, self.captured)


@dataclass(slots=True)
class Frame:
    """`results` remembers, for the step in hand, the state and record that it leads to."""

    at: State | Draft
    variables: dict[str, Any]
    step: tuple[Step, ...] = ()
    results: dict[int, tuple[State, Record]] = field(default_factory=dict)

    def on(self, at: State) -> "Frame":
        """The same variables on another state."""
        return Frame(at, self.variables, self.step)


def bits(mask: int) -> list[int]:
    """The cells of a mask in reading order."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
