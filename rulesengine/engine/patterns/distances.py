"""Distances of pieces to the end of a track, such as the pip count in games with dice.

See decision 129.
"""

from collections.abc import Iterator, Sequence

from rulesengine.board.automorphisms import Automorphism
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.patterns.alphabets import Seen, pieces_of
from rulesengine.language.ir.program import Program, Route
from rulesengine.state import CellNumbers
from rulesengine.support.frozen import record

_STEPS = 48  # values of a sum in the table of pairs
_MOST = 1 << 12  # the greatest sum that is a feature
_PAIR = 2
ENTRIES = 2  # entries of a distance


@record
class Distance:
    """The sums of the steps from all pieces of both sides to the ends of their tracks.

    - `plane` has the pieces of each side.
    - `weights` has for each side a set for each bit: the cells with this bit in their steps.
    - `bits` are the slots of the heights of stacks, the lowest bit first.
    - `most` is the greatest sum; greater ones count as equal to it.
    - `table` is the start of two tables: one for both sums, in units of `unit`, and one for their
      difference.
    """

    plane: Seen
    weights: tuple[tuple[int, ...], tuple[int, ...]]
    bits: tuple[int, ...]
    most: int
    table: int

    @property
    def unit(self) -> int:
        return self.most // _STEPS + 1

    @property
    def side(self) -> int:
        """Return the number of units, the length of a row of the table of pairs."""
        return self.most // self.unit + 1

    @property
    def size(self) -> int:
        """Return the number of entries of both tables."""
        return self.side**2 + 2 * self.most + 1

    def sums(self, sets: Sequence[int], side: int) -> tuple[int, int]:
        """Return the sums of both players of a state, that of the side to move first."""
        own, other = self._sum(sets, side), self._sum(sets, 1 - side)
        return own, other

    def pair(self, own: int, other: int) -> int:
        """Return the index of two sums in the table of pairs."""
        return own // self.unit * self.side + other // self.unit

    def lead(self, own: int, other: int) -> int:
        """Return the index of the difference of two sums."""
        return self.table + self.side**2 + self.most + own - other

    def _sum(self, sets: Sequence[int], side: int) -> int:
        total = 0
        for bit, slot in enumerate(self.bits):
            pieces = sets[self.plane[side]] & sets[slot]
            for power, cells in enumerate(self.weights[side]):
                total += (pieces & cells).bit_count() << bit + power
        return min(total, self.most)


def stacks_of(program: Program) -> CellNumbers | None:
    """Return the numbers at cells that are heights of stacks; None if there are none.

    In the initial position such numbers are at cells with pieces only.
    """
    form = program.form
    if len(form.numbers) != 1 or not pieces_of(program):
        return None
    (numbers,) = form.numbers
    state = Interpreter(program).initial_state()
    occupied = 0
    for plane in state.planes:
        occupied |= plane
    used = 0
    for slot in state.registers[numbers.first : numbers.first + numbers.bits]:
        used |= slot
    return numbers if numbers.low == 0 and not used & ~occupied else None


def distances_of(
    program: Program, stacks: CellNumbers | None, turned: Automorphism | None, table: int
) -> Iterator[Distance]:
    """Yield the distances along the open tracks of a game of two players, from a table on.

    If the sides are alike by `turned`, the second side goes along the image of the track.
    """
    if len(program.rules.players) != _PAIR or not stacks:
        return
    first = len(program.form.symbols)
    bits = tuple(first + stacks.first + bit for bit in range(stacks.bits))
    for route in program.routes:
        for plane in pieces_of(program):
            if route.closed or plane[0] >= plane[1]:
                continue
            cells = tuple(turned.cells[cell] for cell in route.cells) if turned else route.cells
            most = (len(cells) - 1) * max(stacks.high, _heights(program, plane))
            if most <= _MOST:
                weights = _weights(route), _weights(Route(cells, closed=False))
                yield (distance := Distance(plane, weights, bits, most, table))
                table += distance.size


def _heights(program: Program, plane: Seen) -> int:
    """Return the sum of the heights of stacks of one side in the initial position."""
    state, (numbers,) = Interpreter(program).initial_state(), program.form.numbers
    return sum(
        numbers.at(cell, state.registers)
        for cell in range(program.topology.cells)
        if state.planes[plane[0]] >> cell & 1
    )


def _weights(route: Route) -> tuple[int, ...]:
    """Return the cells of a track by the binary digits of their numbers of steps to its end."""
    last = len(route.cells) - 1
    return tuple(
        sum(1 << cell for place, cell in enumerate(route.cells) if last - place >> bit & 1)
        for bit in range(last.bit_length())
    )
