"""Serialised states: bytes of equal length in each ply, equal for equal states, optionally up to
symmetry.
"""

from collections.abc import Callable

from rulesengine.engine.symmetry import Canonical, symmetries
from rulesengine.errors import UsageError
from rulesengine.language.ir.program import Program
from rulesengine.state import Before, State, compared, packed_state, registers_of


class Records:
    """The conversion between states of a game and records.

    A record is the packed state. If the rules read earlier positions, these follow, the latest
    first.
    """

    def __init__(self, program: Program, *, symmetry: bool = False) -> None:
        self._form = program.form
        self._has_history = program.keeps_history
        group = symmetries(program) if symmetry else ()
        # The canonical record under symmetry; None without symmetries.
        self.canonical: Callable[[bytes], bytes] | None = None
        if len(group) > 1:
            self.canonical = Canonical(program, group).record

    @property
    def growth(self) -> int:
        """Return the number of bytes that each ply adds to a record."""
        return self._form.packing.size if self._has_history else 0

    @property
    def width(self) -> int:
        """Return the number of bytes of a position."""
        return self._form.packing.size

    def record(self, state: State) -> bytes:
        """Return the record of a state. Raises UsageError for a state that cannot be packed."""
        if state.packed is None:
            raise UsageError("no positions are enumerated from pieces that have no symbol")
        if not self._has_history:
            return state.packed
        return state.packed + b"".join(map(self._earlier, reversed(state.history)))

    def behind(self, state: State, record: bytes) -> bytes:
        """Return the history part of the records of a state's successors."""
        if not self._has_history:
            return b""
        position = compared(self._form, state.planes, state.registers), state.side
        return self._earlier(position) + record[self._form.packing.size :]

    def position(self, state: State) -> bytes:
        """Return the position of a state as `position_repeats` identifies it: the pieces, the side
        to move, and the compared registers.
        """
        pieces_and_registers = compared(self._form, state.planes, state.registers)
        return self._earlier((pieces_and_registers, state.side))

    def state(self, record: bytes) -> State:
        """Return the state of a record."""
        if not self._has_history:
            return packed_state(self._form, record)
        size, state = self._form.packing.size, None
        for at in reversed(range(0, len(record), size)):
            state = packed_state(self._form, record[at : at + size], state)
        assert state is not None
        return state

    def _earlier(self, before: Before) -> bytes:
        """Return an earlier position as bytes; values that are not compared are those of the
        initial state.
        """
        position, side = before
        registers = registers_of(self._form, position)
        packed = self._form.packing.pack(position[: len(self._form.symbols)], side, registers)
        return packed or b""
