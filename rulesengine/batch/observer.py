"""Single states as planes of cells and numbers, for whoever holds states and no batch."""

from typing import TYPE_CHECKING

from rulesengine.batch.memory_layout import plan_of
from rulesengine.batch.observations import Planes
from rulesengine.batch.protocol import Playable
from rulesengine.engine.drivers.memory import WORD
from rulesengine.errors import UsageError
from rulesengine.state import State

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from rulesengine.batch.validate import Flags, Ints

_BYTE = 8
_ENDS = b"\x01"  # behind a packed state: a bit that is not set and one that is


class Observer:
    """What a batch of one game would show of states, one after the other.

    Planes are gathered bit by bit from a packed state, by tables: for each side, and for who is
    to move and who is not, the place of each cell's bit.
    """

    def __init__(self, game: Playable) -> None:
        import numpy as np

        form, packed = game.program.form, game.initial_state().packed
        assert packed is not None
        players = len(form.players)
        plan = plan_of(game.actions, packed, players, games=1, shares=1, restarts=False)
        planes, unset = Planes(game.program, plan), _BYTE * len(packed)
        bits = planes.bits(unset)
        turn = np.empty((players, 1, bits.shape[2]), np.int64)
        self._tables = []
        for bit in (unset, unset + _BYTE - 1):
            turn[:] = bit
            self._tables.append(np.concatenate([bits, turn], axis=1))
        self._others, self._swaps = planes.others, form.swaps
        # Looked up once: to find them takes as long as they do.
        self._array, self._bits = np.frombuffer, np.unpackbits
        self._byte, self._flag = np.dtype(np.uint8), np.dtype(np.int8)

    def observe(self, state: State, player: int) -> "tuple[Flags, Ints]":
        """The planes of a state as a player sees them, and its numbers.

        Raises UsageError for a state with a piece that has no symbol.
        """
        import numpy as np

        packed = packed_of(state)
        planes: Flags = self.planes(packed, player, False)[:-1].view(np.bool_)
        return planes, self.numbers(packed)

    def planes(self, packed: bytes, player: int, is_to_move: bool) -> "npt.NDArray[np.int8]":
        """The planes of a packed state, and one more that is full if the player is to move."""
        side = player ^ packed[-WORD] if self._swaps else player
        bits = self._bits(self._array(packed + _ENDS, self._byte)).view(self._flag)
        seen: npt.NDArray[np.int8] = bits[self._tables[is_to_move][side]]
        return seen

    def numbers(self, packed: bytes) -> "Ints":
        """The registers of a packed state that are no sets."""
        import numpy as np

        found: Ints = np.frombuffer(packed, "<i8")[self._others]
        return found


def packed_of(state: State) -> bytes:
    """The bytes of a state. Raises UsageError."""
    if state.packed is None:
        raise UsageError("the state holds a piece that has no symbol")
    return state.packed
