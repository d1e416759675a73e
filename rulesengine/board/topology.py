"""A board as tables over cell numbers, built by `shapes` and read by all later stages."""

from collections.abc import Iterable

from rulesengine.support.frozen import field, record, replace
from rulesengine.support.limits import MAX_CELLS


class BoardError(ValueError):
    """An invalid board: an impossible size, a duplicate name, a hole off the board.

    - `key`: the key of the spec with the error.
    - `word`: the word in its value, if known.
    - `nearest`: a suggested replacement.
    - `row`, `sign`: the position in a drawing, counted from 1; 0 for none.
    - `expected`: the expected number of rows, or of signs in this row.
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
        expected: int = 0,
    ) -> None:
        super().__init__(message)
        self.key = key
        self.word = word
        self.nearest = nearest
        self.row = row
        self.sign = sign
        self.expected = expected


@record
class Direction:
    """A partial map from cells to cells.

    `targets[cell]` is the next cell or -1; `opposite` is the index of the inverse or -1.
    """

    name: str
    targets: tuple[int, ...]
    opposite: int


# A cell and a direction off the board from it, the cell behind the join and the direction there.
Join = tuple[int, int, int, int]


@record
class Topology:
    """The cells of a board, numbered from 0 in reading order of the screen (a graph: as listed).

    Masks are integers with bit i for cell i.

    - `screen`: (line, column) of each cell on the printed board, from 0.
    - `coordinates`: (row, column) of each cell, from 1, counted from the spec's origin.
    - `row_labels`, `column_labels`: a label for each line and column of the screen; empty if a line
      of the screen is no row of the board, or a column no column.
    - `indents`: the shift of each line of the screen to the right, in half cells.
    - `direction_sets`: named groups of indices into `directions`.
    - `adjacency`: the mask of the neighbours of each cell; symmetric, without the cell itself.
    - `lines`: maximal rays without regard to direction, once per axis, single cells included, or as
      listed; `cyclic` marks the closed ones.
    - `regions`: named masks.
    - `joins`: connections from a cell in a direction off the board to a cell in a direction, listed
      in both directions. Only `slide` and `run` follow them, by `path`.

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
        exits = {(cell, direction): (to, there) for cell, direction, to, there in self.joins}
        object.__setattr__(self, "_by_exit", exits)

    @property
    def cells(self) -> int:
        """Return the number of cells."""
        return len(self.names)

    @property
    def mask(self) -> int:
        """Return the mask of all cells."""
        return (1 << self.cells) - 1

    def cell(self, name: str) -> int | None:
        """Return the cell with exactly this name."""
        return self._by_name.get(name)

    def cell_at(self, row: int, column: int) -> int | None:
        """Return the cell at a row and a column, counted from 1 from the origin."""
        return self._by_place.get((row, column))

    def direction(self, name: str) -> int | None:
        """Return the index of a direction."""
        return next((i for i, d in enumerate(self.directions) if d.name == name), None)

    def direction_set(self, name: str) -> tuple[int, ...] | None:
        """Return the indices of a named group of directions."""
        return next((indices for n, indices in self.direction_sets if n == name), None)

    def ray(self, cell: int, direction: int) -> tuple[int, ...]:
        """Return the cells after a cell in a direction, up to the edge or one full cycle."""
        targets = self.directions[direction].targets
        visited = {cell: None, -1: None}
        while (cell := targets[cell]) not in visited:
            visited[cell] = None
        return tuple(visited)[2:]

    def onward(self, cell: int, direction: int) -> tuple[int, int, bool]:
        """Return the next cell or -1, the direction there, and True if a join leads to it.

        No two steps lead to the same cell in the same direction, so a cyclic path returns to its
        start.
        """
        target = self.directions[direction].targets[cell]
        if target < 0 and (end := self._by_exit.get((cell, direction))):
            return *end, True
        return target, direction, False

    def path(self, cell: int, direction: int) -> tuple[tuple[int, int], ...]:
        """Return the cells straight on and over joins, each with the number of joins so far.

        The path ends before it would repeat its first step; a cell may occur twice, in two
        directions.
        """
        steps: list[tuple[int, int]] = []
        crossed, at = 0, (cell, direction)
        while True:
            target, way, joined = self.onward(*at)
            crossed += joined
            at = target, way
            if target < 0 or at == (cell, direction):
                return tuple(steps)
            steps.append((target, crossed))

    def connected_by(self, directions: Iterable[int]) -> "Topology":
        """Return the board with adjacency along these directions only, either way."""
        chosen = [self.directions[i] for i in directions]
        return replace(self, adjacency=union_of(chosen, self.cells))


def union_of(directions: Iterable[Direction], cells: int) -> tuple[int, ...]:
    """Return the mask of the neighbours of each cell by these directions, either way."""
    return masks_of(
        ((c, t) for d in directions for c, t in enumerate(d.targets) if t not in (-1, c)), cells
    )


def masks_of(edges: Iterable[tuple[int, int]], cells: int) -> tuple[int, ...]:
    """Return the mask of the neighbours of each cell by edges."""
    masks = [0] * cells
    for a, b in edges:
        masks[a] |= 1 << b
        masks[b] |= 1 << a
    return tuple(masks)


def require_cells(count: int) -> None:
    """Raise BoardError unless a board may have this many cells."""
    if count < 1:
        raise BoardError("the board has no cells, expected at least one")
    if count > MAX_CELLS:
        raise BoardError(f"a board has at most {MAX_CELLS} cells, found {count}")
