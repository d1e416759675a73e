"""The whole operations on sets of cells over one topology: shift, slide, run, line, fill, groups.

Written to be read: they go from cell to cell along rays. Kernels have faster forms.
"""

from collections.abc import Iterable
from functools import cached_property

from rulesengine.board.topology import Topology
from rulesengine.support.limits import INTEGER_MAX


class Geometry:
    def __init__(self, topology: Topology) -> None:
        self.mask = topology.mask
        self.adjacency = topology.adjacency
        self.every = (1 << len(topology.directions)) - 1
        self.targets = tuple(d.targets for d in topology.directions)
        self.opposites = tuple(d.opposite for d in topology.directions)
        self.coordinates = topology.coordinates
        self._topology = topology

    @cached_property
    def rays(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """The rays of all cells by direction: many numbers, which most games never ask for."""
        cells = range(self._topology.cells)
        return tuple(
            tuple(self._topology.ray(cell, d) for cell in cells) for d in range(len(self.targets))
        )

    @cached_property
    def axes(self) -> tuple[tuple[int, tuple[int, ...], bool], ...]:
        return _axes(self._topology)

    def shift(self, cells: int, directions: int) -> int:
        """The cells one step away in any of the directions."""
        mask = 0
        for direction in bits(directions):
            targets = self.targets[direction]
            for cell in bits(cells):
                if targets[cell] >= 0:
                    mask |= 1 << targets[cell]
        return mask

    def back(self, cells: int, directions: int) -> int:
        """The cells from which a step in any of the directions leads to one of a set."""
        mask = 0
        for direction in bits(directions & self.every):
            for cell, target in enumerate(self.targets[direction]):
                if target >= 0 and cells >> target & 1:
                    mask |= 1 << cell
        return mask

    def neighbours(self, cells: int) -> int:
        mask = 0
        for cell in bits(cells):
            mask |= self.adjacency[cell]
        return mask

    def slide(self, cells: int, directions: int, through: int) -> int:
        mask = 0
        for direction in bits(directions):
            for cell in bits(cells):
                for passed in self.rays[direction][cell]:
                    if not through >> passed & 1:
                        break
                    mask |= 1 << passed
        return mask

    def slide_on(self, cells: int, directions: int, through: int, low: int, high: int) -> int:
        """As `slide`, over joins too: the cells behind so many of them, from low to high."""
        mask = 0
        for direction in bits(directions & self.every):
            for cell in bits(cells):
                for passed, crossed in self._topology.path(cell, direction):
                    if not through >> passed & 1:
                        break
                    if low <= crossed <= high:
                        mask |= 1 << passed
        return mask

    def run(
        self,
        start: int,
        over: int,
        until: int,
        low: int = 1,
        high: int = INTEGER_MAX,
        directions: int = -1,
        *,
        joined: bool = False,
    ) -> int:
        """The cells of `over` between a start and an `until`, their number from low to high.

        Where lines are `joined` they go on over joins; a cell that is passed twice counts twice.
        """
        mask = 0
        for direction in bits(directions & self.every):
            for cell in bits(start):
                ray: Iterable[int] = self.rays[direction][cell]
                if joined:
                    ray = (passed for passed, _ in self._topology.path(cell, direction))
                mask |= _between(ray, over, until, low, high)
        return mask

    def toward(self, over: int, until: int, low: int, high: int, directions: int) -> int:
        """The cells from which cells of `over`, from low to high of them, lead to an `until`."""
        mask = 0
        for direction in bits(directions & self.every):
            for cell, ray in enumerate(self.rays[direction]):
                for length, at in enumerate(ray):
                    if until >> at & 1 and low <= length <= high:
                        mask |= 1 << cell
                    if not over >> at & 1:
                        break
        return mask

    def line(self, cells: int, low: int, high: int, directions: int = -1) -> int:
        """The cells of the set in its maximal straight rows of a length from low to high."""
        mask = 0
        for axis, line, cyclic in self.axes:
            if axis & directions or (not axis and directions == -1):
                for row in _rows(line, cyclic, cells):
                    if low <= len(row) <= high:
                        mask |= sum(1 << cell for cell in row)
        return mask

    def fill(self, cells: int, within: int, directions: int = -1) -> int:
        reached, new = 0, cells & within
        while new:
            reached |= new
            beside = self.neighbours(new) if directions == -1 else self.shift(new, directions)
            new = beside & within & ~reached
        return reached

    def groups(self, cells: int) -> list[int]:
        """The connected groups of a set, by their first cells."""
        found = []
        while cells:
            group = self.fill(cells & -cells, cells)
            found.append(group)
            cells &= ~group
        return found

    def components(self, cells: int, free: int, which: str) -> int:
        """The groups of a set beside several cells of another, or one; or these single cells."""
        mask = 0
        for group in self.groups(cells):
            met = self.neighbours(group) & free
            if met.bit_count() > 1 and which == "several":
                mask |= group
            if met.bit_count() == 1 and which != "several":
                mask |= group if which == "one" else met
        return mask

    def band(self, axis: int, low: int, high: int) -> int:
        """The cells whose row (axis 0) or column (axis 1) is from low to high."""
        places = enumerate(self.coordinates)
        return sum(1 << cell for cell, place in places if low <= place[axis] <= high)

    def opposite(self, directions: int) -> int:
        return sum(1 << o for d in bits(directions) if (o := self.opposites[d]) >= 0)


def _between(ray: Iterable[int], over: int, until: int, low: int, high: int) -> int:
    """The first cells of a ray that are in `over`, if so many are and one of `until` follows."""
    passed = 0
    for length, at in enumerate(ray):
        if not over >> at & 1:
            return passed if until >> at & 1 and low <= length <= high else 0
        passed |= 1 << at
    return 0


def _axes(topology: Topology) -> tuple[tuple[int, tuple[int, ...], bool], ...]:
    """Every line with the mask of its two directions; 0 where lines are listed."""
    if not topology.directions:
        pairs = zip(topology.lines, topology.cyclic, strict=True)
        return tuple((0, line, closed) for line, closed in pairs)
    found = []
    for d, direction in enumerate(topology.directions):
        if not 0 <= direction.opposite < d:
            for line, cyclic in _lines(topology, d):
                axis = 1 << d | (1 << direction.opposite if direction.opposite >= 0 else 0)
                found.append((axis, line, cyclic))
    return tuple(found)


def _lines(topology: Topology, d: int) -> list[tuple[tuple[int, ...], bool]]:
    """The maximal lines along a direction; a line that closes begins at its first cell."""
    targets = topology.directions[d].targets
    has_before = {t for t in targets if t >= 0}
    lines, seen = [], set[int]()
    for first in [c for c in range(topology.cells) if c not in has_before]:
        line = (first, *topology.ray(first, d))
        lines.append((line, False))
        seen |= set(line)
    for first in range(topology.cells):
        if first not in seen:
            line = (first, *topology.ray(first, d))
            lines.append((line, True))
            seen |= set(line)
    return lines


def _rows(line: tuple[int, ...], cyclic: bool, cells: int) -> list[list[int]]:
    """The unbroken rows of a set on a line; on a closed line a row may pass its start."""
    rows: list[list[int]] = []
    row: list[int] = []
    for cell in line:
        if cells >> cell & 1:
            row.append(cell)
        elif row:
            rows.append(row)
            row = []
    if row and cyclic and rows and rows[0][0] == line[0]:
        rows[0] = row + rows[0]
    elif row:
        rows.append(row)
    return rows


def bits(mask: int) -> list[int]:
    """The cells of a mask in reading order."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
