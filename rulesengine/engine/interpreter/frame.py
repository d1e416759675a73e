"""What an operation is evaluated in: a state or a draft of one, variables, and the step in hand."""

from typing import Any

from rulesengine.state import Record, State, Step


class Draft:
    """A state while effects change it; it has the same parts, and those of a record."""

    __slots__ = (
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
        """A draft of its own of a state or of another draft."""
        return cls(state, state.record() if isinstance(state, Draft) else Record())

    def record(self) -> Record:
        return Record(self.placed, self.moved, self.flipped, self.removed, self.captured)


class Frame:
    """`results` remembers, for the step in hand, the state and record that it leads to.

    `kept` has what operations have given while one expression is evaluated, as long as neither
    the state nor a variable changes.
    """

    __slots__ = ("at", "kept", "results", "step", "variables")

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
        self.kept: dict[int, Any] | None = None

    def asked(self) -> "Frame":
        """The same frame while one expression is evaluated."""
        frame = Frame(self.at, self.variables, self.step, self.results)
        frame.kept = {}
        return frame

    def binding(self, name: str, value: Any) -> "Frame":
        """The same frame with one more variable."""
        return Frame(self.at, {**self.variables, name: value}, self.step, self.results)

    def on(self, at: State) -> "Frame":
        """The same variables on another state."""
        return Frame(at, self.variables, self.step)
