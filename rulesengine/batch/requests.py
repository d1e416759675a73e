"""The requested actions of a step, which are validated and written into their memory."""

from typing import TYPE_CHECKING

from rulesengine.batch.validate import mark_unchanged, put_actions
from rulesengine.engine.drivers.batch import layout as at
from rulesengine.engine.drivers.memory import Memory

if TYPE_CHECKING:
    from rulesengine.batch.validate import Actions, Where


class Requests:
    """Writes the actions of a step into a memory; `count` is the number of actions of the game."""

    def __init__(self, memory: Memory, count: int) -> None:
        import numpy as np

        self.array, self._count = np.frombuffer(memory.bytes, np.int64), count
        self._shape, self._type, self._word = self.array.shape, np.ndarray, self.array.dtype
        # Cached: an import or a conversion of a constant takes as long as the comparison.
        self._less, self._nothing = np.less, np.array(at.NOTHING)
        self._flags = bytearray(len(self.array))
        self._is_below = np.frombuffer(self._flags, np.bool_)

    def put(self, actions: "Actions", where: "Where") -> None:
        """Write an action of each game; -2, which draws one, without actions. Raises UsageError."""
        indices = self.array
        if actions is None:
            indices.fill(at.DRAWN)
        elif (
            type(actions) is self._type
            and actions.dtype is self._word
            and actions.shape == self._shape
        ):
            indices[:] = actions
            self._less(indices, self._nothing, self._is_below)
            if 1 in self._flags:
                indices[self._is_below] = self._count
        else:
            put_actions(actions, self._count, indices)
        if where is not None:
            mark_unchanged(where, indices)
