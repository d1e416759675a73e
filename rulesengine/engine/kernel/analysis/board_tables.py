"""Lookup tables and relations of a board for the code generator: steps,
rays, lines, coordinates.
"""

from collections.abc import Iterable
from functools import cached_property

from rulesengine.board.topology import Topology
from rulesengine.board.turning import turns_of
from rulesengine.engine.kernel.code.form import Rays, Relation, RowPattern, Table


class BoardTables:
    """The tables of one topology, each computed on first use."""

    def __init__(self, topology: Topology) -> None:
        self.topology = topology
        self.cells = topology.cells
        self.full = topology.mask
        self.targets = tuple(d.targets for d in topology.directions)
        self.every = (1 << len(self.targets)) - 1
        self._moves: dict[tuple[str, int], Relation] = {}
        self._rays: dict[int, Rays] = {}
        self._rows: dict[tuple[int, tuple[int, ...]], RowPattern] = {}

    def step(self, directions: int) -> Relation:
        """Return the relation from each cell to those one step away in any of a
        set of directions.
        """
        return self._relation("step", directions, self._pairs(directions))

    def back(self, directions: int) -> Relation:
        """Return the inverse of `step`: it leads to the cells with a step into a given set."""
        pairs = ((t, c) for c, t in self._pairs(directions))
        return self._relation("back", directions, pairs)

    def leap(self, direction: int, steps: int, ahead: bool) -> Relation:
        """Return the relation of `steps` steps in a direction, or its inverse unless `ahead`."""
        ends = list(range(self.cells))
        for _ in range(steps):
            ends = [self.targets[direction][c] if c >= 0 else -1 for c in ends]
        pairs = [(c, t) if ahead else (t, c) for c, t in enumerate(ends) if t >= 0]
        return self._relation(f"{'leap' if ahead else 'back'} {steps}", direction, pairs)

    def path(self, directions: tuple[int, ...]) -> Relation:
        """Return the composition of one step in each of the directions, in this order."""
        ends = list(range(self.cells))
        for direction in directions:
            ends = [self.targets[direction][c] if c >= 0 else -1 for c in ends]
        name = " ".join(map(str, directions))
        return self._relation(f"path {name}", 0, [(c, t) for c, t in enumerate(ends) if t >= 0])

    def path_back(self, directions: tuple[int, ...]) -> Relation:
        """Return the inverse of `path`."""
        moves = self.path(directions)
        pairs = zip(moves.deltas, moves.masks, strict=True)
        back = ((cell + delta, cell) for delta, mask in pairs for cell in cells_of(mask))
        name = " ".join(map(str, directions))
        return self._relation(f"path back {name}", 0, back)

    @cached_property
    def adjacency(self) -> Relation:
        """Return the relation between adjacent cells."""
        masks = self.topology.adjacency
        return relation_of((c, t) for c in range(self.cells) for t in cells_of(masks[c]))

    def chain(self, start: int, goal: int) -> int:
        """Return the number of cells of the shortest path between two sets; 0 if there is none."""
        reached, new, length = 0, start, 1
        while new and not new & goal:
            reached |= new
            adjacent = 0
            for cell in cells_of(new):
                adjacent |= self.topology.adjacency[cell]
            new, length = adjacent & ~reached, length + 1
        return length if new else 0

    @cached_property
    def around(self) -> Table:
        """Return the table of the neighbours of each cell."""
        return Table("m", self.topology.adjacency)

    @cached_property
    def pieces(self) -> tuple[Relation, ...]:
        """Return the relation between adjacent cells, split by the difference of cell numbers."""
        pairs = zip(self.adjacency.deltas, self.adjacency.masks, strict=True)
        return tuple(Relation((delta,), (mask,)) for delta, mask in pairs)

    def rays(self, directions: int) -> Rays:
        """Return the rays in a set of directions."""
        if directions not in self._rays:
            chosen = cells_of(directions)
            cells = tuple(
                tuple(self.topology.ray(cell, d) for cell in range(self.cells)) for d in chosen
            )
            steps = tuple(self.step(1 << d) for d in chosen)
            back = tuple(self.back(1 << d) for d in chosen)
            cyclic = any(self._is_cyclic(d) for d in chosen)
            self._rays[directions] = Rays(cells, steps, back, cyclic)
        return self._rays[directions]

    @cached_property
    def next_cells(self) -> Table:
        """Return the table of the next cell by direction * cells + cell; -1 off the board."""
        return Table("i", tuple(t for targets in self.targets for t in targets) or (-1,))

    @cached_property
    def onward(self) -> Table:
        """Return the table of successors of direction * cells + cell that continues across joins.

        An entry is twice the successor in the same form, plus one if the step crosses a join. It is
        -1 off the board.
        """
        entries = []
        for direction in range(len(self.targets)):
            for cell in range(self.cells):
                target, way, joined = self.topology.onward(cell, direction)
                entries.append(2 * (way * self.cells + target) + joined if target >= 0 else -1)
        return Table("i", tuple(entries) or (-1,))

    @cached_property
    def step_table(self) -> Table:
        """Return the table that maps direction * cells + cell to the cell."""
        return Table("i", tuple(range(self.cells)) * max(1, len(self.targets)))

    def coordinate(self, axis: int, screen: bool) -> Table:
        """Return the row (axis 0) or column (axis 1) per cell, on the board or, from 1, on the
        screen.
        """
        if screen:
            return Table("i", tuple(place[axis] + 1 for place in self.topology.screen))
        return Table("i", tuple(place[axis] for place in self.topology.coordinates))

    @cached_property
    def turns(self) -> tuple[tuple[int, ...], ...]:
        """Return the index of each direction after 0, 1, … steps clockwise."""
        return turns_of(self.topology)

    def turned(self, directions: int, steps: int) -> int:
        after = self.turns[steps % len(self.turns)]
        return sum(1 << after[d] for d in cells_of(directions & self.every))

    def opposite(self, directions: int) -> int:
        numbers = (self.topology.directions[d].opposite for d in cells_of(directions))
        return sum(1 << o for o in numbers if o >= 0)

    @cached_property
    def axes(self) -> tuple[tuple[int, tuple[tuple[tuple[int, ...], bool], ...]], ...]:
        """Return the lines by axis: a mask of the two directions, then each line with a flag that
        it is cyclic.

        A topology with listed lines has one axis without directions.
        """
        topology = self.topology
        if not topology.directions:
            return ((0, tuple(zip(topology.lines, topology.cyclic, strict=True))),)
        lines = []
        for d, direction in enumerate(topology.directions):
            if not 0 <= direction.opposite < d:
                pair = 1 << d | (1 << direction.opposite if direction.opposite >= 0 else 0)
                lines.append((pair, tuple(self._lines(d))))
        return tuple(lines)

    def straight(self, directions: int) -> tuple[int, ...]:
        """Return the axes without cyclic lines in which a step always adds the same number to a
        cell.
        """
        return tuple(
            pair
            for pair, lines in self.axes
            if pair & directions
            and len(self._along(pair).deltas) == 1
            and not any(closed for _, closed in lines)
        )

    def in_row(self, length: int, axes: tuple[int, ...]) -> RowPattern:
        """Return the rows of `length` cells along some straight axes."""
        if (length, axes) not in self._rows:
            lengths: dict[int, int] = {}
            for pair, lines in self.axes:
                if pair in axes:
                    delta = self._along(pair).deltas[0]
                    # A row begins at its lowest cell.
                    directed_lines = [line[::-1] if delta < 0 else line for line, _ in lines]
                    starts = sum(
                        1 << cell for line in directed_lines for cell in line[: 1 - length]
                    )
                    if starts:
                        lengths[abs(delta)] = lengths.get(abs(delta), 0) | starts
            self._rows[length, axes] = RowPattern(length, tuple(lengths), tuple(lengths.values()))
        return self._rows[length, axes]

    def _along(self, pair: int) -> Relation:
        return self.step(1 << cells_of(pair)[0])

    def _lines(self, d: int) -> Iterable[tuple[tuple[int, ...], bool]]:
        entered = {t for t in self.targets[d] if t >= 0}
        seen: set[int] = set()
        for closed in (False, True):
            for first in range(self.cells):
                if first not in seen and (closed or first not in entered):
                    line = (first, *self.topology.ray(first, d))
                    seen.update(line)
                    yield line, closed

    def _is_cyclic(self, d: int) -> bool:
        return any(closed for line, closed in self._lines(d))

    def has_longest_cyclic_lines(self, directions: int) -> bool:
        """True if in each direction no cyclic line is shorter than the longest line."""
        for d in cells_of(directions):
            lines = list(self._lines(d))
            longest = max(len(line) for line, _ in lines)
            if any(closed and len(line) < longest for line, closed in lines):
                return False
        return True

    def _pairs(self, directions: int) -> Iterable[tuple[int, int]]:
        for d in cells_of(directions):
            yield from ((c, t) for c, t in enumerate(self.targets[d]) if t >= 0)

    def _relation(self, name: str, key: int, pairs: Iterable[tuple[int, int]]) -> Relation:
        if (name, key) not in self._moves:
            self._moves[name, key] = relation_of(pairs)
        return self._moves[name, key]


def relation_of(pairs: Iterable[tuple[int, int]]) -> Relation:
    """Group pairs of cells into a relation, by the difference of their numbers."""
    masks: dict[int, int] = {}
    for cell, target in pairs:
        masks[target - cell] = masks.get(target - cell, 0) | 1 << cell
    deltas = sorted(masks)
    return Relation(tuple(deltas), tuple(masks[delta] for delta in deltas))


def cells_of(mask: int) -> list[int]:
    """Return the indices of the set bits of a mask, ascending."""
    cells = []
    while mask:
        low = mask & -mask
        cells.append(low.bit_length() - 1)
        mask ^= low
    return cells
