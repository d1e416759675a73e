"""Observations of single states, for callers without a batch."""

from typing import TYPE_CHECKING

from rulesengine.batch.memory_layout import plan_of
from rulesengine.batch.observations import Planes
from rulesengine.batch.protocol import BatchGame
from rulesengine.engine.drivers.memory import WORD
from rulesengine.errors import UsageError
from rulesengine.state import State

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from rulesengine.batch.validate import Flags, Ints

_BYTE = 8
_ENDS = b"\x01"  # follows a packed state: a clear bit and a set bit


class Observer:
    """Computes the observation of a state, equal to that of a batch of one game.

    Planes are gathered bit by bit from a packed state. A table for each side, to move or not, has
    the bit of each cell.
    """

    def __init__(self, game: BatchGame) -> None:
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
        self._registers, self._swaps = planes.register_offsets, form.swaps
        # Cached: looking up these attributes takes as long as the calls.
        self._array, self._bits = np.frombuffer, np.unpackbits
        self._byte, self._flag = np.dtype(np.uint8), np.dtype(np.int8)

    def observe(self, state: State, player: int) -> "tuple[Flags, Ints]":
        """Return the planes of a state from a player's side, and its other registers.

        Raises UsageError for a state with a piece that has no symbol.
        """
        import numpy as np

        packed = packed_of(state)
        planes: Flags = self.planes(packed, player, False)[:-1].view(np.bool_)
        return planes, self.numbers(packed)

    def planes(self, packed: bytes, player: int, is_to_move: bool) -> "npt.NDArray[np.int8]":
        """Return the planes of a packed state, and a last one that is full if the player is to
        move.
        """
        side = player ^ packed[-WORD] if self._swaps else player
        bits = self._bits(self._array(packed + _ENDS, self._byte)).view(self._flag)
        planes: npt.NDArray[np.int8] = bits[self._tables[is_to_move][side]]
        return planes

    def numbers(self, packed: bytes) -> "Ints":
        """Return the other registers of a packed state."""
        import numpy as np

        values: Ints = np.frombuffer(packed, "<i8")[self._registers]
        return values


def packed_of(state: State) -> bytes:
    """Return the packed bytes of a state. Raises UsageError."""
    if state.packed is None:
        raise UsageError("the state has a piece without a symbol")
    return state.packed
