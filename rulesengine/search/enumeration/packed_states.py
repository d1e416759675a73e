"""States as bytes: of one length in each ply, equal where states are, up to symmetry if asked."""

from collections.abc import Callable

from rulesengine.engine.symmetry import Canonical, symmetries
from rulesengine.errors import UsageError
from rulesengine.language.ir.program import Program
from rulesengine.state import Before, State, compared, packed_state, registers_of


class Records:
    """Turns the states of a game into records and back.

    A record is the packed state; behind it stand the earlier positions where the rules read them,
    the last one first.
    """

    def __init__(self, program: Program, *, symmetry: bool = False) -> None:
        self._form = program.form
        self._has_history = program.keeps_history
        group = symmetries(program) if symmetry else ()
        # The record that stands for all those of states that are alike; None if that is each.
        self.alike: Callable[[bytes], bytes] | None = None
        if len(group) > 1:
            self.alike = Canonical(program, group).record

    @property
    def growth(self) -> int:
        """How many bytes longer a record is after each ply."""
        return self._form.packing.size if self._has_history else 0

    def record(self, state: State) -> bytes:
        """The record of any state. Raises UsageError for one that has none."""
        if state.packed is None:
            raise UsageError("no positions are enumerated from pieces that have no symbol")
        if not self._has_history:
            return state.packed
        return state.packed + b"".join(map(self._earlier, reversed(state.history)))

    def behind(self, state: State, record: bytes) -> bytes:
        """What stands behind each packed state that follows one."""
        if not self._has_history:
            return b""
        position = compared(self._form, state.planes, state.registers), state.side
        return self._earlier(position) + record[self._form.packing.size :]

    def state(self, record: bytes) -> State:
        """The state of a record."""
        if not self._has_history:
            return packed_state(self._form, record)
        size, state = self._form.packing.size, None
        for at in reversed(range(0, len(record), size)):
            state = packed_state(self._form, record[at : at + size], state)
        assert state is not None
        return state

    def _earlier(self, before: Before) -> bytes:
        """An earlier position: what is not compared of it is as at the start."""
        position, side = before
        registers = registers_of(self._form, position)
        packed = self._form.packing.pack(position[: len(self._form.symbols)], side, registers)
        return packed or b""
