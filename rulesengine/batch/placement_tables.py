"""Tables of a batch of placements and passes: actions of cells, cells of actions."""

import sys
from array import array
from collections.abc import Sequence

from rulesengine.engine.drivers.batch import layout as at
from rulesengine.engine.drivers.memory import WORD, Memory
from rulesengine.support.words import step_parts

_BYTES = 1 << 8
_UNUSED = 0xFFFF  # the action of a cell on which no move places


class PlacementTables:
    """Tables for the actions of a board; `size` is the number of their words."""

    def __init__(self, cells: int, actions: int, entries: Sequence[tuple[int, int, int]]) -> None:
        self._actions, self._cells = [_UNUSED] * cells, [0] * actions
        self._pass = -1
        for step, _, action in entries:
            cell = step_parts(step)[3]
            if cell < 0:
                self._pass = action
            else:
                self._actions[cell], self._cells[action] = action, cell
        self._halves = _words(cells), _words(actions)
        self.size = _BYTES + sum(self._halves)

    def write(self, memory: Memory, place: int) -> None:
        """Write the tables at an address, and their numbers in the plan."""
        by_cell = self._actions == list(range(len(self._actions)))
        first, second = place + _BYTES, place + _BYTES + self._halves[0]
        parameters = {
            at.PASS_ACTION: self._pass,
            at.BY_CELL: -(-len(self._actions) // at.EIGHT) if by_cell else 0,
            at.SET_WORDS: -(-len(self._actions) // (at.EIGHT * WORD)),
            at.SPREADS: place,
            at.CELL_ACTIONS: first * WORD,
            at.ACTION_CELLS: second * WORD,
        }
        for number, value in parameters.items():
            memory.numbers[number] = value
        for bits in range(_BYTES):
            expanded = bytes(bits >> k & 1 for k in range(at.EIGHT))
            begin = (place + bits) * WORD
            memory.bytes[begin : begin + WORD] = expanded
        for begin, numbers in ((first, self._actions), (second, self._cells)):
            table = array("H", numbers)
            if sys.byteorder == "big":
                table.byteswap()
            data = table.tobytes()
            memory.bytes[begin * WORD : begin * WORD + len(data)] = data


def _words(halves: int) -> int:
    return -(-halves * at.HALF // WORD)
