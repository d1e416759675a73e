"""An independent program of Dvonn, written from the rules and without the package.

A position maps cells, (column, row), to stacks. A stack is a text from the bottom to the top: `w`
and `b` are pieces of white and black, `r` is a red one. Moves have the notation of the bundled
game.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

Cell = tuple[int, int]
# The row of five cells at the end of each column: the first row and the last.
ROWS = {1: (1, 3), 2: (1, 4), 10: (2, 5), 11: (3, 5)}
CELLS = [(x, y) for x in range(1, 12) for y in range(1, 6)]
BOARD = [(x, y) for x, y in CELLS if ROWS.get(x, (1, 5))[0] <= y <= ROWS.get(x, (1, 5))[1]]
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1))
REDS = 3


@dataclass
class Dvonn:
    """A position; `placed` counts the pieces that the players have placed."""

    stacks: dict[Cell, str] = field(default_factory=dict)
    side: int = 0
    placed: int = 0

    def moves(self) -> dict[str, "Dvonn"]:
        """Return the positions after all legal moves, by the texts of the moves."""
        if self.placed < len(BOARD):
            return dict(self._placements())
        passed = {"pass": Dvonn(dict(self.stacks), 1 - self.side, self.placed)}
        return dict(self._movements(self.side)) or passed

    def winner(self) -> int | None:
        """Return the side that has won, 2 for a draw, None if the game goes on."""
        if self.placed < len(BOARD) or any(dict(self._movements(side)) for side in (0, 1)):
            return None
        white, black = self.scores()
        return 2 if white == black else int(black > white)

    def scores(self) -> list[int]:
        """Return the number of pieces in the stacks of each player."""
        return [sum(len(s) for s in self.stacks.values() if s[-1] == piece) for piece in "wb"]

    def rows(self) -> list[list[str]]:
        """Return the rows of the board, the last one first."""
        return [[self.stacks.get(c, ".") for c in BOARD if c[1] == y] for y in range(5, 0, -1)]

    def _placements(self) -> Iterator[tuple[str, "Dvonn"]]:
        piece = "r" if self.placed < REDS else "wb"[self.side]
        # The player who places the last piece moves first.
        following = self.side if self.placed == len(BOARD) - 1 else 1 - self.side
        for cell in BOARD:
            if cell not in self.stacks:
                yield _name(cell), Dvonn(self.stacks | {cell: piece}, following, self.placed + 1)

    def _movements(self, side: int) -> Iterator[tuple[str, "Dvonn"]]:
        for (x, y), stack in self.stacks.items():
            near = [(x + dx, y + dy) in self.stacks for dx, dy in STEPS]
            if stack[-1] != "wb"[side] or all(near):
                continue
            for dx, dy in STEPS:
                target = x + dx * len(stack), y + dy * len(stack)
                if target in self.stacks:
                    left = {c: s for c, s in self.stacks.items() if c != (x, y)}
                    left[target] += stack
                    text = f"{_name((x, y))}-{_name(target)}"
                    yield text, Dvonn(_connected(left), 1 - side, self.placed)


def _connected(stacks: dict[Cell, str]) -> dict[Cell, str]:
    """Return the stacks that are connected to a red piece."""
    reached = {cell for cell, stack in stacks.items() if "r" in stack}
    front = list(reached)
    while front:
        x, y = front.pop()
        near = {(x + dx, y + dy) for dx, dy in STEPS}
        new = near & stacks.keys() - reached
        reached |= new
        front += new
    return {cell: stack for cell, stack in stacks.items() if cell in reached}


def _name(cell: Cell) -> str:
    return f"{'abcdefghijk'[cell[0] - 1]}{cell[1]}"
