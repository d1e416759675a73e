"""Observations of single states by one player, without the parts that this player does not see."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulesengine.batch.observations import View, unseen_planes
from rulesengine.batch.observer import Observer, packed_of
from rulesengine.batch.protocol import BatchGame
from rulesengine.engine.observation import Observer as StateObserver
from rulesengine.engine.observation import VisiblePart
from rulesengine.state import State

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from rulesengine.batch.validate import Flags, Ints

_BYTE = 8


class PlayerObserver:
    """Computes the view of a player: planes of cells and other registers.

    The planes are those of a batch, and then those of `unseen_planes`. Parts that the player does
    not see have the values of `VisiblePart`, so equal observations of the interpreter have equal
    results. See decision 199.
    """

    def __init__(self, game: BatchGame) -> None:
        self._inner = Observer(game)
        self._observer = game.machine.derived(StateObserver)
        self._cells = len(game.program.form.cells)
        self._rows = len(unseen_planes(game.program.rules, game.program.form.players))

    def observe(self, state: State, player: int | None) -> "tuple[Flags, Ints]":
        """Return the planes of a state from a player's side, and its other registers.

        None is a spectator, at the side of the first player. Raises UsageError for a state with a
        piece that has no symbol.
        """
        import numpy as np

        planes, numbers = self.view(state, player, is_to_move=False)
        return planes[:-1].view(np.bool_), numbers

    def view(
        self, state: State, player: int | None, *, is_to_move: bool
    ) -> "tuple[npt.NDArray[np.int8], Ints]":
        """Return the planes, a last one for the turn of the player, and the other registers."""
        import numpy as np

        part, side = self._observer.visible_part(state, player), player or 0
        packed = packed_of(part.state)
        planes = self._inner.planes(packed, side, is_to_move)
        if self._rows:
            planes = np.concatenate([planes[:-1], self._unseen(part, side), planes[-1:]])
        return planes, self._inner.numbers(packed)

    def _unseen(self, part: VisiblePart, side: int) -> "npt.NDArray[np.int8]":
        """Return the planes of the cells that are not seen."""
        import numpy as np

        *owners, neutral = part.owners
        masks = (part.unseen, *owners[side:], *owners[:side], neutral)[: self._rows]
        size = -(-self._cells // _BYTE)
        packed = b"".join(mask.to_bytes(size, "little") for mask in masks)
        rows = np.frombuffer(packed, np.uint8).reshape(len(masks), size)
        return np.unpackbits(rows, axis=1, bitorder="little", count=self._cells).view(np.int8)


def observed(
    observer: PlayerObserver, states: Sequence[State], view: View | int
) -> "tuple[Flags, Ints]":
    """Return the planes and the other registers of states, each from its view.

    `mover` is the side of the state, `absolute` a spectator.
    """
    import numpy as np

    views = [
        observer.observe(state, view if isinstance(view, int) else _viewer(state, view))
        for state in states
    ]
    planes, numbers = zip(*views, strict=True)
    return np.stack(planes), np.stack(numbers)


def _viewer(state: State, view: View) -> int | None:
    return state.side if view == "mover" else None
