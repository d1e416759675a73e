"""The board as kernels need it: steps as pieces that move alike, rays, lines, tables."""

from collections.abc import Iterable
from functools import cached_property

from rulesengine.board.topology import Topology
from rulesengine.engine.kernel.code.form import InRow, Rays, Relation, Table


class Shape:
    """Tables of one topology, each made once."""

    def __init__(self, topology: Topology) -> None:
        self.topology = topology
        self.cells = topology.cells
        self.full = topology.mask
        self.targets = tuple(d.targets for d in topology.directions)
        self.every = (1 << len(self.targets)) - 1
        self._moves: dict[tuple[str, int], Relation] = {}
        self._rays: dict[int, Rays] = {}
        self._rows: dict[tuple[int, tuple[int, ...]], InRow] = {}

    def step(self, directions: int) -> Relation:
        """One step in any of a set of directions."""
        return self._relation("step", directions, self._pairs(directions))

    def back(self, directions: int) -> Relation:
        """The cells from which a step in any of the directions leads to a set."""
        pairs = ((t, c) for c, t in self._pairs(directions))
        return self._relation("back", directions, pairs)

    def leap(self, direction: int, steps: int, ahead: bool) -> Relation:
        """So many steps in a direction at once, or back."""
        ends = list(range(self.cells))
        for _ in range(steps):
            ends = [self.targets[direction][c] if c >= 0 else -1 for c in ends]
        pairs = [(c, t) if ahead else (t, c) for c, t in enumerate(ends) if t >= 0]
        return self._relation(f"{'leap' if ahead else 'back'} {steps}", direction, pairs)

    def path(self, directions: tuple[int, ...]) -> Relation:
        """Steps in one direction after the other, as one."""
        ends = list(range(self.cells))
        for direction in directions:
            ends = [self.targets[direction][c] if c >= 0 else -1 for c in ends]
        name = " ".join(map(str, directions))
        return self._relation(f"path {name}", 0, [(c, t) for c, t in enumerate(ends) if t >= 0])

    @cached_property
    def beside(self) -> Relation:
        """The steps between neighbours."""
        masks = self.topology.adjacency
        return moves_of((c, t) for c in range(self.cells) for t in cells_of(masks[c]))

    def chain(self, start: int, goal: int) -> int:
        """How many cells the shortest chain of neighbours from a set to another has; 0 if none."""
        reached, new, length = 0, start, 1
        while new and not new & goal:
            reached |= new
            beside = 0
            for cell in cells_of(new):
                beside |= self.topology.adjacency[cell]
            new, length = beside & ~reached, length + 1
        return length if new else 0

    @cached_property
    def around(self) -> Table:
        """The neighbours of a cell."""
        return Table("m", self.topology.adjacency)

    @cached_property
    def pieces(self) -> tuple[Relation, ...]:
        """The steps between neighbours, each distance by itself."""
        pairs = zip(self.beside.deltas, self.beside.masks, strict=True)
        return tuple(Relation((delta,), (mask,)) for delta, mask in pairs)

    def rays(self, directions: int) -> Rays:
        """The rays in a set of directions."""
        if directions not in self._rays:
            chosen = cells_of(directions)
            cells = tuple(
                tuple(self.topology.ray(cell, d) for cell in range(self.cells)) for d in chosen
            )
            steps = tuple(self.step(1 << d) for d in chosen)
            back = tuple(self.back(1 << d) for d in chosen)
            cyclic = any(self._comes_round(d) for d in chosen)
            self._rays[directions] = Rays(cells, steps, back, cyclic)
        return self._rays[directions]

    @cached_property
    def next_cells(self) -> Table:
        """The next cell for direction * cells + cell, or -1."""
        return Table("i", tuple(t for targets in self.targets for t in targets) or (-1,))

    @cached_property
    def onward(self) -> Table:
        """What follows direction * cells + cell over joins too, in this form, or -1.

        It is doubled, and one more where a join is crossed.
        """
        found = []
        for direction in range(len(self.targets)):
            for cell in range(self.cells):
                target, way, joined = self.topology.onward(cell, direction)
                found.append(2 * (way * self.cells + target) + joined if target >= 0 else -1)
        return Table("i", tuple(found) or (-1,))

    @cached_property
    def cell_there(self) -> Table:
        """The cell of direction * cells + cell."""
        return Table("i", tuple(range(self.cells)) * max(1, len(self.targets)))

    def coordinate(self, axis: int, screen: bool) -> Table:
        """Per cell its row (axis 0) or column (axis 1), on the board or, from 1, on the screen."""
        if screen:
            return Table("i", tuple(place[axis] + 1 for place in self.topology.screen))
        return Table("i", tuple(place[axis] for place in self.topology.coordinates))

    def opposite(self, directions: int) -> int:
        found = (self.topology.directions[d].opposite for d in cells_of(directions))
        return sum(1 << o for o in found if o >= 0)

    @cached_property
    def axes(self) -> tuple[tuple[int, tuple[tuple[tuple[int, ...], bool], ...]], ...]:
        """Lines by axis: the mask of its two directions, then each line and whether it closes.

        Listed lines are one axis without directions.
        """
        topology = self.topology
        if not topology.directions:
            return ((0, tuple(zip(topology.lines, topology.cyclic, strict=True))),)
        found = []
        for d, direction in enumerate(topology.directions):
            if not 0 <= direction.opposite < d:
                pair = 1 << d | (1 << direction.opposite if direction.opposite >= 0 else 0)
                found.append((pair, tuple(self._lines(d))))
        return tuple(found)

    def straight(self, directions: int) -> tuple[int, ...]:
        """The axes of open lines whose neighbours are one difference of cells apart."""
        return tuple(
            pair
            for pair, lines in self.axes
            if pair & directions
            and len(self._along(pair).deltas) == 1
            and not any(closed for _, closed in lines)
        )

    def in_row(self, length: int, axes: tuple[int, ...]) -> InRow:
        """So many cells in a row along some straight axes."""
        if (length, axes) not in self._rows:
            found: dict[int, int] = {}
            for pair, lines in self.axes:
                if pair in axes:
                    delta = self._along(pair).deltas[0]
                    # The lowest cell of a row begins it.
                    ways = [line[::-1] if delta < 0 else line for line, _ in lines]
                    starts = sum(1 << cell for line in ways for cell in line[: 1 - length])
                    if starts:
                        found[abs(delta)] = found.get(abs(delta), 0) | starts
            self._rows[length, axes] = InRow(length, tuple(found), tuple(found.values()))
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

    def _comes_round(self, d: int) -> bool:
        return any(closed for line, closed in self._lines(d))

    def comes_round_alike(self, directions: int) -> bool:
        """Whether in each direction the lines that come round are as long as any."""
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
            self._moves[name, key] = moves_of(pairs)
        return self._moves[name, key]


def moves_of(pairs: Iterable[tuple[int, int]]) -> Relation:
    """A relation by the distance that its cells move."""
    masks: dict[int, int] = {}
    for cell, target in pairs:
        masks[target - cell] = masks.get(target - cell, 0) | 1 << cell
    deltas = sorted(masks)
    return Relation(tuple(deltas), tuple(masks[delta] for delta in deltas))


def cells_of(mask: int) -> list[int]:
    """The numbers of the bits of a mask."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
