"""The evaluation context of an operation: a state or draft, variables, and the current step."""

from typing import Any

from rulesengine.state import Record, State, Step


class Draft:
    """A mutable copy of a state with the fields of a record, which effects change.

    `before` is the state that the move of the draft began in.
    """

    __slots__ = (
        "before",
        "captured",
        "flipped",
        "history",
        "moved",
        "placed",
        "planes",
        "registers",
        "removed",
        "seats",
        "side",
    )

    def __init__(self, state: "State | Draft", record: Record) -> None:
        self.before: State = state.before if isinstance(state, Draft) else state
        self.planes: list[int] = list(state.planes)
        self.side: int = state.side
        self.registers: list[int] = list(state.registers)
        self.history: tuple[tuple[tuple[int, ...], int], ...] = state.history
        self.seats: tuple[int, ...] = state.seats
        self.placed = record.placed
        self.moved = record.moved
        self.flipped = record.flipped
        self.removed = record.removed
        self.captured = record.captured

    @classmethod
    def of(cls, state: "State | Draft") -> "Draft":
        """Return an independent draft of a state or of another draft."""
        return cls(state, state.record() if isinstance(state, Draft) else Record())

    def record(self) -> Record:
        return Record(self.placed, self.moved, self.flipped, self.removed, self.captured)


class LowerPosition:
    """A state or draft with other pieces and stacks: those below some upper pieces."""

    def __init__(
        self, at: "State | Draft | LowerPosition", planes: list[int], registers: list[int]
    ) -> None:
        self._at = at
        self.planes = planes
        self.registers = registers

    def __getattr__(self, name: str) -> Any:
        return getattr(self._at, name)


class Frame:
    """The context in which an expression is evaluated.

    - `at` is the state or draft that operations read.
    - `variables` has their values by name.
    - `step` has the steps of the move under consideration.
    - `results` caches the state and record after that move, by side.
    - `cache` has the values of common subexpressions during one expression, as long as neither the
      state nor a variable changes.
    """

    __slots__ = ("at", "cache", "results", "step", "variables")

    def __init__(
        self,
        at: State | Draft,
        variables: dict[str, Any],
        step: tuple[Step, ...] = (),
        results: dict[int, tuple[State, Record]] | None = None,
    ) -> None:
        self.at = at
        self.variables = variables
        self.step = step
        self.results = {} if results is None else results
        self.cache: dict[int, Any] | None = None

    def with_empty_cache(self) -> "Frame":
        """Return the same frame with an empty cache, for one expression."""
        frame = Frame(self.at, self.variables, self.step, self.results)
        frame.cache = {}
        return frame

    def binding(self, name: str, value: Any) -> "Frame":
        """Return the same frame with another variable."""
        return Frame(self.at, {**self.variables, name: value}, self.step, self.results)

    def on(self, at: State) -> "Frame":
        """Return a frame with the same variables on another state."""
        return Frame(at, self.variables, self.step)


def occupied(frame: Frame) -> int:
    """Return the cells with a piece."""
    mask = 0
    for plane in frame.at.planes:
        mask |= plane
    return mask


def plane_at(frame: Frame, cell: int) -> int:
    """Return the plane of the piece on a cell, or -1."""
    if cell >= 0:
        for plane, mask in enumerate(frame.at.planes):
            if mask >> cell & 1:
                return plane
    return -1
