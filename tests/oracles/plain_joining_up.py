"""Bridges between dots, and a board repeated over the plane: written from the rules."""

from itertools import product

from tests.oracles.plain_placing import COMPASS, Place, name_of, place_of


class Bridges:
    """Red dots at even columns and rows, blue ones at odd; rows are counted from the top.

    Blue also has a row of dots above the board and one below it.
    """

    def __init__(self, n: int = 4) -> None:
        self.mover, self.over, self.n = "red", False, n
        self.winner: str | None = None
        self.free = [
            (c, r)
            for r, c in product(range(2 * n - 1), range(2 * n + 1))
            if (c + r) % 2 and not (r % 2 and c in (0, 2 * n))
        ]
        self.bridges: dict[str, list[Place]] = {"red": [], "blue": []}

    def legal(self) -> list[str]:
        return [name_of(*place) for place in self.free]

    def play(self, text: str) -> None:
        place, last = place_of(text), self.mover
        self.free.remove(place)
        self.bridges[last].append(place)
        self.mover = "blue" if last == "red" else "red"
        if self._is_joined(last):
            self.winner, self.over = last, True

    def _is_joined(self, side: str) -> bool:
        reached = {(0, 2 * i) for i in range(self.n)}
        if side == "blue":
            reached = {(2 * i + 1, -1) for i in range(self.n)}
        while True:
            more = set(reached)
            for c, r in self.bridges[side]:
                flat = (r % 2 == 0) == (side == "red")
                ends = {(c - 1, r), (c + 1, r)} if flat else {(c, r - 1), (c, r + 1)}
                more |= ends if ends & reached else set()
            if more == reached:
                break
            reached = more
        return any(c == 2 * self.n if side == "red" else r == 2 * self.n - 1 for c, r in reached)

    def rows(self) -> list[str]:
        found = []
        for r in range(2 * self.n - 1):
            line = [self._sign((c, r)) for c in range(2 * self.n + 1)]
            found.append("".join(line[1:-1] if r % 2 else line))
        return found

    def _sign(self, place: Place) -> str:
        if sum(place) % 2 == 0:
            return "b" if place[0] % 2 else "r"
        return (
            "+" if place in self.bridges["red"] else "#" if place in self.bridges["blue"] else "."
        )


class KleinBottle:
    """Nine cells from the bottom left, copied over the plane, every second copy upside down."""

    def __init__(self) -> None:
        self.mover, self.over = "cross", False
        self.winner: str | None = None
        self.grid = dict.fromkeys(product(range(3), range(3)), ".")

    def _cell(self, x: int, y: int) -> Place:
        return x % 3, 2 - y % 3 if x // 3 % 2 else y % 3

    def lines(self) -> set[frozenset[Place]]:
        """Return the cells of three consecutive places, from anywhere, in any direction."""
        return {
            frozenset(self._cell(x + i * step, y + j * step) for step in range(3))
            for x, y in product(range(6), range(3))
            for i, j in COMPASS
        }

    def legal(self) -> list[str]:
        return [name_of(*place) for place, symbol in self.grid.items() if symbol == "."]

    def play(self, text: str) -> None:
        last, self.mover = self.mover, "nought" if self.mover == "cross" else "cross"
        sign = {"cross": "x", "nought": "o"}[last]
        self.grid[place_of(text)] = sign
        own = {place for place, found in self.grid.items() if found == sign}
        if any(line <= own for line in self.lines()):
            self.winner, self.over = last, True
        self.over = self.over or not self.legal()

    def rows(self) -> list[str]:
        return ["".join(self.grid[c, r] for c in range(3)) for r in (2, 1, 0)]
