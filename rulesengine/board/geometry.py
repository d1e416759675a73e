"""Reference operations on sets of cells: shift, slide, run, line, fill, groups.

They walk from cell to cell along rays and are written for clarity; kernels have faster forms.
"""

from collections.abc import Iterable
from functools import cached_property

from rulesengine.board.topology import Topology
from rulesengine.board.turning import turns_of
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
        """Return the rays of all cells by direction, computed on first use as they are large."""
        cells = range(self._topology.cells)
        return tuple(
            tuple(self._topology.ray(cell, d) for cell in cells) for d in range(len(self.targets))
        )

    @cached_property
    def axes(self) -> tuple[tuple[int, tuple[int, ...], bool], ...]:
        return _axes(self._topology)

    def shift(self, cells: int, directions: int) -> int:
        """Return the cells one step away in any of the directions."""
        mask = 0
        for direction in bits(directions):
            targets = self.targets[direction]
            for cell in bits(cells):
                if targets[cell] >= 0:
                    mask |= 1 << targets[cell]
        return mask

    def back(self, cells: int, directions: int) -> int:
        """Return the cells with a step in any of the directions into a set."""
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
        """Slide over joins too; return the cells reached after `low` to `high` joins."""
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
        """Return the cells of `over` between `start` and `until`, `low` to `high` on each ray.

        With `joined`, lines continue over joins; a cell that is passed twice counts twice.
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
        """Return the cells from which `low` to `high` cells of `over` lead to a cell of `until`."""
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
        """Return the cells in maximal straight rows of the set, `low` to `high` cells long."""
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
            adjacent = self.neighbours(new) if directions == -1 else self.shift(new, directions)
            new = adjacent & within & ~reached
        return reached

    def groups(self, cells: int) -> list[int]:
        """Return the connected groups of a set, ordered by first cell."""
        groups = []
        while cells:
            group = self.fill(cells & -cells, cells)
            groups.append(group)
            cells &= ~group
        return groups

    def components(self, cells: int, free: int, selection: str) -> int:
        """Return the groups of a set by their number of neighbours in `free`.

        `selection` selects groups with "several" neighbours, groups with "one", or else the single
        neighbours of the latter.
        """
        mask = 0
        for group in self.groups(cells):
            adjacent = self.neighbours(group) & free
            if adjacent.bit_count() > 1 and selection == "several":
                mask |= group
            if adjacent.bit_count() == 1 and selection != "several":
                mask |= group if selection == "one" else adjacent
        return mask

    def large_groups(self, cells: int, least: int, selection: str) -> int:
        """Return the groups of a set with at least so many cells, two or more.

        If `selection` is "joined", return the other cells instead that would make such a group with
        the adjacent ones.
        """
        groups = self.groups(cells)
        if selection == "alone":
            return sum(group for group in groups if group.bit_count() >= least)
        large = 0
        for cell in bits(self.neighbours(cells) & ~cells):
            adjacent = self.neighbours(1 << cell)
            size = 1 + sum(group.bit_count() for group in groups if group & adjacent)
            large |= (size >= least) << cell
        return large

    def band(self, axis: int, low: int, high: int) -> int:
        """Return the cells in the rows (axis 0) or columns (axis 1) from `low` to `high`."""
        places = enumerate(self.coordinates)
        return sum(1 << cell for cell, place in places if low <= place[axis] <= high)

    def opposite(self, directions: int) -> int:
        return sum(1 << o for d in bits(directions) if (o := self.opposites[d]) >= 0)

    @cached_property
    def turns(self) -> tuple[tuple[int, ...], ...]:
        """Return the index of each direction after 0, 1, … steps clockwise."""
        return turns_of(self._topology)

    def turned(self, directions: int, steps: int) -> int:
        """Return directions turned by so many steps clockwise."""
        after = self.turns[steps % len(self.turns)]
        return sum(1 << after[d] for d in bits(directions & self.every))


def _between(ray: Iterable[int], over: int, until: int, low: int, high: int) -> int:
    """Return the leading cells of a ray in `over` if their number fits and `until` follows."""
    passed = 0
    for length, at in enumerate(ray):
        if not over >> at & 1:
            return passed if until >> at & 1 and low <= length <= high else 0
        passed |= 1 << at
    return 0


def _axes(topology: Topology) -> tuple[tuple[int, tuple[int, ...], bool], ...]:
    """Return every line with the mask of its two directions; 0 for listed lines."""
    if not topology.directions:
        pairs = zip(topology.lines, topology.cyclic, strict=True)
        return tuple((0, line, closed) for line, closed in pairs)
    axes = []
    for d, direction in enumerate(topology.directions):
        if not 0 <= direction.opposite < d:
            for line, cyclic in _lines(topology, d):
                axis = 1 << d | (1 << direction.opposite if direction.opposite >= 0 else 0)
                axes.append((axis, line, cyclic))
    return tuple(axes)


def _lines(topology: Topology, d: int) -> list[tuple[tuple[int, ...], bool]]:
    """Return the maximal lines along a direction; a closed line begins at its first cell."""
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
    """Return the unbroken rows of a set on a line; a row may wrap around a closed line."""
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
    """Return the cells of a mask in ascending order."""
    cells = []
    while mask:
        low = mask & -mask
        cells.append(low.bit_length() - 1)
        mask ^= low
    return cells
