"""Observations of a single game in memory that drivers write, with arrays that view it."""

from typing import TYPE_CHECKING

from rulesengine.batch.memory_layout import Plan
from rulesengine.batch.observations import Planes
from rulesengine.engine.drivers.batch import layout as at
from rulesengine.engine.drivers.memory import WORD, Memory
from rulesengine.language.ir.program import Program

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from rulesengine.batch.observations import Ints


class Views:
    """For each player the planes of a game, one more for its turn, and the other registers."""

    def __init__(self, program: Program, plan: Plan) -> None:
        planes, form = Planes(program, plan), program.form
        sets, places = planes.places(), planes.register_offsets + plan.state
        self._players, self._cells = len(form.players), len(form.cells)
        self._rows, self._groups = len(sets[0]) + 1, -(-self._cells // at.EIGHT)
        self._numbers = len(places)
        begins = {at.SETS: self._players * len(sets[0]), at.PLACES: len(places), at.SPREAD: _BYTES}
        self._span = self._rows * self._groups + len(places)
        place, parameters = at.VIEWS_HEAD, dict[int, int]()
        for name, words in begins.items():
            parameters[name], place = place, place + words
        self.memory = Memory(place + self._players * self._span)
        swapped = plan.width - 1 if form.swaps else -1
        parameters |= {at.VIEWED: len(sets[0]), at.GROUPS: self._groups, at.NUMBERS: len(places)}
        parameters |= {at.SWAPPED: swapped, at.BLOCKS: place, at.SPAN_OF_BLOCK: self._span}
        for name, number in parameters.items():
            self.memory.numbers[name] = number
        for k, number in enumerate(number for side in sets for number in side):
            self.memory.numbers[parameters[at.SETS] + k] = number
        for k, number in enumerate(places.tolist()):
            self.memory.numbers[parameters[at.PLACES] + k] = number
        spread = bytes(byte >> k & 1 for byte in range(_BYTES) for k in range(at.EIGHT))
        self.memory.bytes[
            parameters[at.SPREAD] * WORD : (parameters[at.SPREAD] + _BYTES) * WORD
        ] = spread
        self._blocks = place

    def of(self, player: int) -> "tuple[npt.NDArray[np.int8], Ints]":
        """Return a player's observation as array views: planes x cells, and registers."""
        import numpy as np

        flags, words = self._rows * self._groups * at.EIGHT, np.dtype(np.int64)
        begin = (self._blocks + player * self._span) * WORD
        planes = np.frombuffer(self.memory.bytes, np.int8, flags, begin)
        numbers = np.frombuffer(self.memory.bytes, words, self._numbers, begin + flags)
        return planes.reshape(self._rows, -1)[:, : self._cells], numbers


_BYTES = 256
