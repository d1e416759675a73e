"""Weights of moves by patterns, as the tables of a tree search. See decision 193."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from rulesengine.engine.drivers.memory import WORD, Memory
from rulesengine.engine.drivers.random import high_word, mix, word
from rulesengine.engine.drivers.search import pattern_layout as at
from rulesengine.engine.drivers.search.tree_layout import OWN
from rulesengine.engine.patterns import MovePatterns
from rulesengine.state import State

_OFF_BOARD = 3
_PRIOR = 50  # the weight of priors, in playouts


class MoveWeights:
    """Weights of moves in units of `pattern_layout.UNIT`.

    `codes` has the weight of a side and a code of a neighbourhood, one for equivalent ones, and
    `larger` those of larger patterns. `features` has the weights of features by index. `words` are
    the tables of a search as bytes.
    """

    name = "learned"
    part = "guided"  # of the kernels

    def __init__(
        self,
        patterns: MovePatterns,
        codes: Mapping[tuple[int, int], int],
        features: Sequence[int],
        larger: Mapping[tuple[int, int], int] = MappingProxyType({}),
        prior: int = _PRIOR,
    ) -> None:
        self.patterns, self.larger = patterns, larger
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
        _write_larger(patterns, larger, numbers)
        self.words = bytes(memory.bytes[WORD * OWN :])

    @property
    def words_of_neighbourhoods(self) -> bytes:
        """Return the tables without larger patterns, which come last."""
        return self.words[: WORD * (at.LARGER - OWN)]

    def write(self, own: Memory, last: int = -1) -> None:
        """Write the tables to a search's memory, with the cell of the last placement."""
        own.bytes[WORD * OWN :] = self.words
        if last >= 0:
            own.numbers[at.LAST] = last


def _write_larger(
    patterns: MovePatterns, larger: Mapping[tuple[int, int], int], numbers: "memoryview[int]"
) -> None:
    """Write the cells around neighbourhoods, and the hash table of larger patterns."""
    count, cells = patterns.larger.count, len(patterns.near)
    numbers[at.OUTER_COUNT], numbers[at.LARGER_COUNT] = count, len(larger)
    for cell, outer in enumerate(patterns.larger.cells):
        for place, other in enumerate(outer):
            numbers[at.OUTER + cell * at.MOST_OUTER + place] = other if other >= 0 else cells
    for (side, code), weight in sorted(larger.items()):
        images = patterns.larger.classes(side, code)
        for other, image in sorted(images):
            key = (other << at.PATTERN_BITS) + image + 1
            slot = high_word(mix(word(key)), at.SLOTS)
            while numbers[at.LARGER + 2 * slot]:
                slot = (slot + 1) % at.SLOTS
            numbers[at.LARGER + 2 * slot] = key
            numbers[at.LARGER + 2 * slot + 1] = weight


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
