"""Weights of moves by patterns, as the tables of a tree search. See decision 193."""

from collections.abc import Mapping, Sequence

from rulesengine.engine.drivers.memory import WORD, Memory
from rulesengine.engine.drivers.search import pattern_layout as at
from rulesengine.engine.drivers.search.tree_layout import OWN
from rulesengine.engine.patterns import MovePatterns
from rulesengine.state import State

_OFF_BOARD = 3
_PRIOR = 50  # the weight of priors, in playouts


class MoveWeights:
    """Weights of moves in units of `pattern_layout.UNIT`.

    `codes` has the weight of a side and a code of a neighbourhood, one for equivalent ones;
    `features` has the weights of features by index. `words` are the tables of a search as bytes.
    """

    name = "learned"
    part = "guided"  # of the kernels

    def __init__(
        self,
        patterns: MovePatterns,
        codes: Mapping[tuple[int, int], int],
        features: Sequence[int],
        prior: int = _PRIOR,
    ) -> None:
        self.patterns = patterns
        memory = Memory(at.PATTERNED)
        numbers, cells = memory.numbers, len(patterns.near)
        numbers[at.CELLS], numbers[at.WAYS] = cells, len(patterns.ways)
        numbers[at.ADJACENT_COUNT], numbers[at.LAST] = patterns.adjacent, cells
        numbers[at.COUNTS_LIBERTIES] = int(patterns.liberties)
        numbers[at.PRIOR] = prior
        for index, weight in enumerate(features):
            numbers[at.FEATURES + index] = weight
        for cell in range(cells + 1):
            for direction in range(at.MOST_WAYS):
                inside = cell < cells and direction < len(patterns.ways)
                near = patterns.near[cell][direction] if inside else -1
                numbers[at.NEAR + cell * at.MOST_WAYS + direction] = near if near >= 0 else cells
        numbers[at.CONTENT + cells] = _OFF_BOARD
        for code in range(2 * at.CODE_COUNT):
            numbers[at.GAMMA + code] = at.UNIT
        for (side, code), weight in codes.items():
            for other, image in patterns.classes(side, code):
                numbers[at.GAMMA + other * at.CODE_COUNT + image] = weight
        self.words = bytes(memory.bytes[WORD * OWN :])

    def write(self, own: Memory, last: int = -1) -> None:
        """Write the tables to a search's memory, with the cell of the last placement."""
        own.bytes[WORD * OWN :] = self.words
        if last >= 0:
            own.numbers[at.LAST] = last


def last_placement(state: State) -> int:
    """Return the cell of the last placement before a state, by its history; -1 if it is unknown."""
    if not state.history:
        return -1
    before, (planes, _) = 0, state.history[-1]
    for plane in planes[: len(state.planes)]:
        before |= plane
    now = 0
    for plane in state.planes:
        now |= plane
    placed = now & ~before
    return placed.bit_length() - 1 if placed.bit_count() == 1 else -1
