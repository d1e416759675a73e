"""Gonnect on a dictionary: slow, and written from the rules."""

from tests.oracles.plain_placing import SIDES, Place, name_of, place_of

Grid = dict[Place, str]


class Joining:
    """Stones with liberties that join two sides; rows are counted from the bottom.

    `seats` names the owners of the black and the white stones.
    """

    def __init__(self, n: int = 13) -> None:
        self.n, self.over, self.stones = n, False, 0
        self.winner: str | None = None
        self.symbol, self.may_swap = "x", False
        self.seats = {"x": "black", "o": "white"}
        self.grid: Grid = {(c, r): "." for c in range(n) for r in range(n)}
        self.seen = [self.grid]

    @property
    def mover(self) -> str:
        return self.seats[self.symbol]

    def legal(self) -> list[str]:
        swaps = ["swap"] if self.may_swap else []
        return [name_of(*place) for place in self.grid if self._after(place)] + swaps

    def _after(self, place: Place) -> Grid | None:
        """Return the board after a stone is put on a cell, or None if that is illegal."""
        if self.grid[place] != ".":
            return None
        after = self.grid | {place: self.symbol}
        for beside in around(place):
            if after.get(beside) not in (None, ".", self.symbol):
                group = group_of(after, beside)
                if not _is_free(after, group):
                    after |= dict.fromkeys(group, ".")
        if not _is_free(after, group_of(after, place)) or after in self.seen:
            return None
        return after

    def play(self, text: str) -> None:
        if text == "swap":
            self.seats, self.may_swap = {"x": "white", "o": "black"}, False
            return
        after = self._after(place_of(text))
        assert after is not None
        self.grid, self.stones = after, self.stones + 1
        self.seen.append(after)
        self.may_swap = self.stones == 1
        last, group = self.mover, group_of(after, place_of(text))
        self.symbol = "o" if self.symbol == "x" else "x"
        lines = [{place[axis] for place in group} for axis in (0, 1)]
        if any({0, self.n - 1} <= line for line in lines) or not self.legal():
            self.winner, self.over = last, True

    def rows(self) -> list[str]:
        return ["".join(self.grid[c, r] for c in range(self.n)) for r in reversed(range(self.n))]


def around(place: Place) -> list[Place]:
    return [(place[0] + i, place[1] + j) for i, j in SIDES]


def group_of(grid: Grid, start: Place) -> set[Place]:
    """Return the connected stones that contain this one."""
    group, waiting = {start}, [start]
    while waiting:
        for place in around(waiting.pop()):
            if grid.get(place) == grid[start] and place not in group:
                group.add(place)
                waiting.append(place)
    return group


def _is_free(grid: Grid, group: set[Place]) -> bool:
    return any(grid.get(beside) == "." for place in group for beside in around(place))
