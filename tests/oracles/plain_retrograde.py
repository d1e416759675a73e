"""Exact values by plain enumeration: two small games from their rules, solved by sweeps.

The module uses no code of the package. A position is a tuple that begins with the side to move, 0
or 1. A game is a function from it to its successors, and another to the winner, if any.
"""

from collections.abc import Callable

Position = tuple[int, ...]
Follow = Callable[[Position], list[Position]]
Won = Callable[[Position], int | None]


def values(start: Position, follow: Follow, won: Won) -> dict[Position, tuple[int | None, int]]:
    """Return the winner and the number of plies for each reachable position; None is a draw.

    Sweep n decides the positions won or lost in n plies, from the results of earlier sweeps.
    """
    after = {start: follow(start)}
    due = list(after[start])
    while due:
        position = due.pop()
        if position not in after:
            after[position] = follow(position)
            due += after[position]
    known: dict[Position, tuple[int | None, int]] = {}
    for position in after:
        winner = won(position)
        if winner is not None:
            known[position] = winner, 0
    sweep = 0
    while True:
        sweep += 1
        new: dict[Position, tuple[int | None, int]] = {}
        for position, following in after.items():
            if position in known or not following:
                continue
            mover = position[0]
            if any(known.get(p, (None, 0))[0] == mover for p in following):
                new[position] = mover, sweep
            elif all(known.get(p, (None, 0))[0] == 1 - mover for p in following):
                new[position] = 1 - mover, sweep
        if not new:
            return {position: known.get(position, (None, 0)) for position in after}
        known |= new


# Three men's morris: after the side to move nine cells, 0 empty, 1 and 2 men of the sides.

_BESIDE = {0: (1, 3), 1: (0, 2, 4), 2: (1, 5), 3: (0, 4, 6), 4: (1, 3, 5, 7), 5: (2, 4, 8),
           6: (3, 7), 7: (6, 4, 8), 8: (7, 5)}  # fmt: skip
_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
MORRIS = (0,) * 10


def morris_won(position: Position) -> int | None:
    cells = position[1:]
    for side in (0, 1):
        if any(all(cells[c] == side + 1 for c in line) for line in _LINES):
            return side
    return None


def morris(position: Position) -> list[Position]:
    side, cells = position[0], position[1:]
    if morris_won(position) is not None:
        return []
    own = [c for c in range(9) if cells[c] == side + 1]
    free = [c for c in range(9) if not cells[c]]
    if len(own) < 3:
        return [_put(1 - side, cells, {c: side + 1}) for c in free]
    return [
        _put(1 - side, cells, {a: 0, b: side + 1}) for a in own for b in free if b in _BESIDE[a]
    ]


def _put(side: int, cells: tuple[int, ...], change: dict[int, int]) -> Position:
    return (side, *(change.get(c, piece) for c, piece in enumerate(cells)))


# English draughts on a small board: 1 and 2 men of the sides, 3 and 4 their kings. Side 0 starts
# at the top and goes down.


class Draughts:
    """Draughts on so many rows and columns, with a row of men each on squares of one colour."""

    def __init__(self, rows: int, columns: int) -> None:
        self.rows, self.columns = rows, columns

    def start(self) -> Position:
        cells = [0] * (self.rows * self.columns)
        for column in range(self.columns):
            if self._is_dark(0, column):
                cells[column] = 1
            if self._is_dark(self.rows - 1, column):
                cells[(self.rows - 1) * self.columns + column] = 2
        return (0, *cells)

    def _is_dark(self, row: int, column: int) -> bool:
        return (self.rows - row + column + 1) % 2 == 0

    def won(self, position: Position) -> int | None:
        return None if self.follow(position) else 1 - position[0]

    def follow(self, position: Position) -> list[Position]:
        side, cells = position[0], position[1:]
        own = [i for i, piece in enumerate(cells) if piece and (piece - 1) % 2 == side]
        jumps = [(1 - side, *after) for i in own for after in self._jumps(side, cells, i)]
        if jumps:
            return jumps
        return [
            (1 - side, *self._moved(side, cells, i, to, ()))
            for i in own
            for down, right in self._ways(cells[i])
            if (to := self._at(i, down, right)) >= 0 and not cells[to]
        ]

    def _ways(self, piece: int) -> list[tuple[int, int]]:
        downs = {1: (1,), 2: (-1,)}.get(piece, (1, -1))
        return [(down, right) for down in downs for right in (1, -1)]

    def _at(self, cell: int, down: int, right: int) -> int:
        row, column = divmod(cell, self.columns)
        row, column = row + down, column + right
        inside = 0 <= row < self.rows and 0 <= column < self.columns
        return row * self.columns + column if inside else -1

    def _moved(
        self, side: int, cells: tuple[int, ...], a: int, b: int, taken: tuple[int, ...]
    ) -> tuple[int, ...]:
        found = list(cells)
        for cell in (a, *taken):
            found[cell] = 0
        last = (self.rows - 1, 0)[side]
        crowned = b // self.columns == last and cells[a] <= 2
        found[b] = cells[a] + 2 if crowned else cells[a]
        return tuple(found)

    def _jumps(self, side: int, cells: tuple[int, ...], a: int) -> list[tuple[int, ...]]:
        found = []
        for down, right in self._ways(cells[a]):
            over = self._at(a, down, right)
            to = self._at(a, 2 * down, 2 * right)
            if to < 0 or cells[to] or not cells[over] or (cells[over] - 1) % 2 == side:
                continue
            after = self._moved(side, cells, a, to, (over,))
            crowned = after[to] != cells[a]
            further = [] if crowned else self._jumps(side, after, to)
            found += further or [after]
        return found
