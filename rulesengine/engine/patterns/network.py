"""The network of a learned evaluation: the table entry of each pattern in a state.

All tables are in one array, one after the other. There is a block of tables for each phase of the
game, and for each side to move if the rules distinguish the sides. See decision 049.
"""

from collections.abc import Iterator

from rulesengine.board.automorphisms import Automorphism, automorphisms
from rulesengine.engine.patterns.alphabets import Alphabet, Seen, Stack, alphabets_of
from rulesengine.engine.patterns.cell_windows import Cells, windows_of
from rulesengine.engine.patterns.distances import ENTRIES, Distance, distances_of, stacks_of
from rulesengine.engine.patterns.king_relative import KingRelative
from rulesengine.engine.patterns.side_exchange import exchange_of
from rulesengine.engine.symmetry import symmetries
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import Register
from rulesengine.state import State
from rulesengine.support.frozen import record

LARGEST = 1 << 21  # entries of all tables together
_SMALL = 3**9  # entries of one table
_LONGEST = 9  # cells of a pattern
_PHASES = 4
_MIN_PHASED_CELLS = 36  # minimum number of cells of a board for several phases
_VALUES = 256  # entries for a number; values beyond share the last one
_STAYS = frozenset(("place", "pass"))


@record
class Pattern:
    """The cells of a pattern for each side to move, their alphabet, and the start of the table.

    In games of one player the second entries of pairs are those of the first.
    """

    cells: tuple[Cells, Cells]
    alphabet: Alphabet
    table: int


@record
class Count:
    """The number of cells of a set, with a table of one entry for each possible number."""

    set: Seen | Stack
    table: int


@record
class Number:
    """The value of a register, with a table of `size` entries from the value `low` on."""

    slot: Seen
    low: int
    size: int
    table: int


@record
class Network:
    """Patterns, counts, numbers and distances; `block` is the number of entries of a phase.

    `apart` is true if each side to move has blocks of its own.
    """

    patterns: tuple[Pattern, ...]
    counts: tuple[Count, ...]
    numbers: tuple[Number, ...]
    distances: tuple[Distance, ...]
    block: int
    phases: int
    apart: bool

    @property
    def width(self) -> int:
        """Return the number of active entries of a state."""
        single = len(self.patterns) + len(self.counts) + len(self.numbers)
        return single + ENTRIES * len(self.distances)

    @property
    def size(self) -> int:
        """Return the number of entries of all tables."""
        return self.block * self.phases * (2 if self.apart else 1)


def network_of(program: Program) -> Network:
    """Return the network of a game of one or two players, with the largest patterns that fit the
    limit.
    """
    is_pair = len(program.rules.players) > 1
    turned = exchange_of(program, automorphisms(program.topology)) if is_pair else None
    group = symmetries(program)
    most = _LONGEST
    while most > 1:
        network = _network(program, group, turned, most)
        if network.size <= LARGEST:
            return network
        most -= 1
    return _network(program, group, turned, 1)


def active_entries(network: Network | KingRelative, state: State) -> Iterator[int]:
    """Yield the indices of the active entries of a state, for the side to move.

    This is the definition; kernels compute the same, table by table.
    """
    side = state.side
    sets = (*state.planes, *state.registers)
    if isinstance(network, KingRelative):
        yield from network.entries(sets, side)
        return
    cells = len(state.form.cells)

    def mask_of(piece: Seen | Stack) -> int:
        return piece.mask(sets, side) if isinstance(piece, Stack) else sets[piece[side]]

    taken = sum(plane.bit_count() for plane in state.planes)
    base = network.block * (taken * network.phases // (cells + 1))
    base += network.block * network.phases * side * network.apart
    for pattern in network.patterns:
        weighed = [(weight, mask_of(piece)) for weight, piece in pattern.alphabet.sets]
        entry = 0
        for cell in reversed(pattern.cells[side]):
            digit = sum(weight for weight, mask in weighed if mask >> cell & 1)
            entry = entry * pattern.alphabet.base + digit
        yield base + pattern.table + entry
    for count in network.counts:
        yield base + count.table + mask_of(count.set).bit_count()
    for number in network.numbers:
        high = number.low + number.size - 1
        value = min(max(sets[number.slot[side]], number.low), high)
        yield base + number.table + value - number.low
    for distance in network.distances:
        own, other = distance.sums(sets, side)
        yield base + distance.table + distance.pair(own, other)
        yield base + distance.lead(own, other)


def _network(
    program: Program, group: tuple[Automorphism, ...], turned: Automorphism | None, most: int
) -> Network:
    patterns: list[Pattern] = []
    end = 0
    stacks = stacks_of(program)
    alphabets = list(alphabets_of(program, stacks))
    for alphabet in alphabets:
        forms: dict[int, int] = {}
        for window in windows_of(program, _fitting(alphabet.base, most), group):
            if window.form not in forms:
                forms[window.form] = end
                end += alphabet.base ** len(window.cells)
            other = tuple(turned.cells[c] for c in window.cells) if turned else window.cells
            patterns.append(Pattern((window.cells, other), alphabet, forms[window.form]))
    counts = []
    for _, piece in alphabets[0].sets if alphabets else ():
        counts.append(Count(piece, end))
        end += program.topology.cells + 1
    numbers = []
    for slot, low, size in _numbers(program):
        numbers.append(Number(slot, low, size, end))
        end += size
    distances = []
    for distance in distances_of(program, stacks, turned, end):
        distances.append(distance)
        end += distance.size
    phases = _PHASES if _has_phases(program) else 1
    apart = turned is None and len(program.rules.players) > 1
    return Network(
        tuple(patterns), tuple(counts), tuple(numbers), tuple(distances), end, phases, apart
    )


def _fitting(base: int, most: int) -> int:
    """Return the maximum number of cells of a pattern with an alphabet of this base."""
    return max(n for n in range(1, most + 1) if n == 1 or base**n <= _SMALL)


def _has_phases(program: Program) -> bool:
    """True if a game goes from an empty board to a full one."""
    kinds = {group.kind for tier in program.rules.tiers for group in tier}
    return program.topology.cells >= _MIN_PHASED_CELLS and kinds <= _STAYS


def _numbers(program: Program) -> Iterator[tuple[Seen, int, int]]:
    """Yield (slot, lowest value, number of values) of the registers that live for a game."""
    first, starts = len(program.form.symbols), dict(program.slots)
    for register in program.rules.registers:
        if register.type == "cells" or register.each == "cell" or register.lives == "move":
            continue
        low, size = _range(program, register)
        slot = first + starts[register.name]
        if register.each == "player" and len(program.rules.players) > 1:
            yield (slot, slot + 1), low, size
            yield (slot + 1, slot), low, size
        else:
            yield (slot, slot), low, size


def _range(program: Program, register: Register) -> tuple[int, int]:
    """Return the lowest value and the number of distinct values of a register; -1 is none."""
    named = program.form.names_of(register.type)
    if named:
        return -1, len(named) + 1
    if register.type == "flag":
        return 0, 2
    low = max(register.low, -_VALUES // 2)
    return low, min(register.high - low + 1, _VALUES)
