"""A board as tables over cell numbers: what `shapes` makes and every later stage reads."""

from collections.abc import Iterable

from rulesengine.support.frozen import field, record, replace
from rulesengine.support.limits import MAX_CELLS


class BoardError(ValueError):
    """A board that cannot be: an impossible size, a name given twice, a hole off the board.

    `key` is the key of the spec that is to blame, `word` the word in its value, if known, and
    `nearest` one that may have been meant. In a
    drawing `row` and `sign` are to blame, counted from 1, 0 for none; `wanted` is how many rows,
    or signs of this row, there should be.
    """

    def __init__(
        self,
        message: str,
        key: str = "",
        word: str = "",
        *,
        nearest: str = "",
        row: int = 0,
        sign: int = 0,
        wanted: int = 0,
    ) -> None:
        super().__init__(message)
        self.key = key
        self.word = word
        self.nearest = nearest
        self.row = row
        self.sign = sign
        self.wanted = wanted


@record
class Direction:
    """A partial map from cells to cells.

    `targets[cell]` is the next cell or -1; `opposite` is the index of the inverse or -1.
    """

    name: str
    targets: tuple[int, ...]
    opposite: int


# A cell and a direction that leads off the board from it, a cell and the direction there.
Join = tuple[int, int, int, int]


@record
class Topology:
    """The cells of a board, numbered from 0 in reading order of the screen (a graph: as listed).

    Masks are integers with bit i for cell i.

    - `screen`: per cell (line, column) on the printed board, from 0.
    - `coordinates`: per cell (row, column), from 1, counted from the spec's origin.
    - `row_labels`, `column_labels`: per line and per column of the screen; empty texts where
      a line of the screen is no row of the board, or a column no column.
    - `indents`: per line of the screen, by how many half cells it is shifted to the right.
    - `direction_sets`: named groups of indices into `directions`.
    - `adjacency`: per cell the mask of its neighbours; symmetric, never the cell itself.
    - `lines`: maximal rays without regard to direction, once per axis, a lone cell included,
      or as listed; `cyclic` says which of them go on from their last cell to the first.
    - `regions`: named masks.
    - `joins`: who leaves the board from a cell in a direction goes on at a cell in a direction;
      both ways are listed. `slide` and `run` alone follow them, by `path`.

    Raises BoardError for no cells, too many, or two of one name.
    """

    shape: str
    screen: tuple[tuple[int, int], ...]
    coordinates: tuple[tuple[int, int], ...]
    names: tuple[str, ...]
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    indents: tuple[int, ...]
    directions: tuple[Direction, ...]
    direction_sets: tuple[tuple[str, tuple[int, ...]], ...]
    adjacency: tuple[int, ...]
    lines: tuple[tuple[int, ...], ...]
    cyclic: tuple[bool, ...]
    regions: tuple[tuple[str, int], ...]
    joins: tuple[Join, ...] = ()
    _by_name: dict[str, int] = field(init=False, repr=False, compare=False)
    _by_place: dict[tuple[int, int], int] = field(init=False, repr=False, compare=False)
    _by_exit: dict[tuple[int, int], tuple[int, int]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        require_cells(len(self.names))
        by_name: dict[str, int] = {}
        for cell, name in enumerate(self.names):
            if by_name.setdefault(name, cell) != cell:
                raise BoardError(f"two cells are named `{name}`", "cells", name)
        object.__setattr__(self, "_by_name", by_name)
        by_place = {place: cell for cell, place in enumerate(self.coordinates)}
        object.__setattr__(self, "_by_place", by_place)
        exits = {(cell, way): (to, there) for cell, way, to, there in self.joins}
        object.__setattr__(self, "_by_exit", exits)

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return len(self.names)

    @property
    def mask(self) -> int:
        """The mask of all cells."""
        return (1 << self.cells) - 1

    def cell(self, name: str) -> int | None:
        """The cell of a name, letter for letter."""
        return self._by_name.get(name)

    def cell_at(self, row: int, column: int) -> int | None:
        """The cell at a row and a column, counted from 1 from the origin."""
        return self._by_place.get((row, column))

    def direction(self, name: str) -> int | None:
        """The index of a direction."""
        return next((i for i, d in enumerate(self.directions) if d.name == name), None)

    def direction_set(self, name: str) -> tuple[int, ...] | None:
        """The indices of a named group of directions."""
        return next((indices for n, indices in self.direction_sets if n == name), None)

    def ray(self, cell: int, direction: int) -> tuple[int, ...]:
        """The cells from a cell on: without it, none twice, ending before it comes round."""
        targets = self.directions[direction].targets
        met = {cell: None, -1: None}
        while (cell := targets[cell]) not in met:
            met[cell] = None
        return tuple(met)[2:]

    def onward(self, cell: int, direction: int) -> tuple[int, int, bool]:
        """Straight on from a cell: the next one or -1, the direction there, and whether by a join.

        No two ways lead to one cell in one direction, so that whoever comes round comes back to
        where he began.
        """
        target = self.directions[direction].targets[cell]
        if target < 0 and (end := self._by_exit.get((cell, direction))):
            return *end, True
        return target, direction, False

    def path(self, cell: int, direction: int) -> tuple[tuple[int, int], ...]:
        """The cells straight on and over joins, with how many of these lie behind.

        It ends before it would go on as it began; a cell may come twice, in two directions.
        """
        found: list[tuple[int, int]] = []
        crossed, at = 0, (cell, direction)
        while True:
            target, way, joined = self.onward(*at)
            crossed += joined
            at = target, way
            if target < 0 or at == (cell, direction):
                return tuple(found)
            found.append((target, crossed))

    def connected_by(self, directions: Iterable[int]) -> "Topology":
        """The same board where cells are adjacent along these directions only, either way."""
        chosen = [self.directions[i] for i in directions]
        return replace(self, adjacency=union_of(chosen, self.cells))


def union_of(directions: Iterable[Direction], cells: int) -> tuple[int, ...]:
    """Per cell the mask of the cells that a direction joins it to, either way, but for itself."""
    return masks_of(
        ((c, t) for d in directions for c, t in enumerate(d.targets) if t not in (-1, c)), cells
    )


def masks_of(edges: Iterable[tuple[int, int]], cells: int) -> tuple[int, ...]:
    """Per cell the mask of the cells that share an edge with it."""
    masks = [0] * cells
    for a, b in edges:
        masks[a] |= 1 << b
        masks[b] |= 1 << a
    return tuple(masks)


def require_cells(count: int) -> None:
    """Raise BoardError unless a board may have that many cells."""
    if count < 1:
        raise BoardError("the board has no cells, expected at least one")
    if count > MAX_CELLS:
        raise BoardError(f"a board has at most {MAX_CELLS} cells, found {count}")
