"""Games of moving on dictionaries: slow, and written from the rules."""

from tests.oracles.plain_placing import SIDES, Place, name_of, place_of


class Hasami:
    """Rooks with custodial capture, five to win; rows are counted from the bottom.

    A game is a draw at the fourth occurrence of a position.
    """

    def __init__(self) -> None:
        self.mover, self.over = "black", False
        self.winner: str | None = None
        self.grid = {(c, r): "." for c in range(9) for r in range(9)}
        for column in range(9):
            self.grid[column, 0], self.grid[column, 8] = "x", "o"
        self.seen = [self._position()]

    def _position(self) -> tuple[str, ...]:
        return self.mover, *self.rows()

    def legal(self) -> list[str]:
        own = "x" if self.mover == "black" else "o"
        found = []
        for (c, r), symbol in list(self.grid.items()):
            for i, j in SIDES if symbol == own else ():
                distance = 1
                while self.grid.get(to := (c + distance * i, r + distance * j)) == ".":
                    sign = "x" if self._taken((c, r), to) else "-"
                    found.append(f"{name_of(c, r)}{sign}{name_of(*to)}")
                    distance += 1
        return found

    def _taken(self, start: Place, to: Place) -> set[Place]:
        own, enemy = "xo" if self.mover == "black" else "ox"
        before = self.grid
        self.grid = {**before, start: ".", to: own}
        found = self._between(to, own, enemy) | self._in_corners(to, own, enemy)
        self.grid = before
        return found

    def play(self, text: str) -> None:
        own, enemy = "xo" if self.mover == "black" else "ox"
        start, to = map(place_of, text.replace("x", "-").split("-"))
        taken = self._taken(start, to)
        self.grid |= {start: ".", to: own} | dict.fromkeys(taken, ".")
        last, self.mover = self.mover, "white" if self.mover == "black" else "black"
        self.seen.append(self._position())
        if list(self.grid.values()).count(enemy) <= 4 or not self.legal():
            self.winner, self.over = last, True
        elif self.seen.count(self.seen[-1]) == 4:
            self.over = True

    def _between(self, to: Place, own: str, enemy: str) -> set[Place]:
        """Return the enemies in a row from `to` to another own man, in four directions."""
        found: set[Place] = set()
        for i, j in SIDES:
            row = [(to[0] + i * n, to[1] + j * n) for n in range(1, 9)]
            symbols = "".join(self.grid.get(place, "|") for place in row)
            length = len(symbols) - len(symbols.lstrip(enemy))
            if symbols[length : length + 1] == own:
                found |= set(row[:length])
        return found

    def _in_corners(self, to: Place, own: str, enemy: str) -> set[Place]:
        """Return the enemies in a corner whose two neighbours are own men, one of them on `to`."""
        found: set[Place] = set()
        for corner, pair in CORNERS.items():
            if self.grid[corner] == enemy and to in pair:
                found |= {corner} if all(self.grid[place] == own for place in pair) else set()
        return found

    def rows(self) -> list[str]:
        return ["".join(self.grid[c, r] for c in range(9)) for r in reversed(range(9))]


CORNERS = {
    (0, 0): [(1, 0), (0, 1)],
    (8, 0): [(7, 0), (8, 1)],
    (0, 8): [(1, 8), (0, 7)],
    (8, 8): [(7, 8), (8, 7)],
}


class SmallMerels:
    """Three men each on nine points: placed first, then moved along the sides of the squares.

    A game is a draw at the third occurrence of a position.
    """

    LINES = ("a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b1 c1", "a2 b2 c2", "a3 b3 c3")
    SLANTS = ("a1 b2 c3", "a3 b2 c1")

    def __init__(self) -> None:
        self.mover, self.over = "white", False
        self.winner: str | None = None
        self.points = {f"{column}{row}": "." for row in "321" for column in "abc"}
        self.seen = [(self.mover, *self.rows())]

    def legal(self) -> list[str]:
        own = [p for p, s in self.points.items() if s == self.symbol]
        free = [p for p, s in self.points.items() if s == "."]
        if len(own) < 3:
            return free
        return [f"{p}-{q}" for p in own for q in free if self._are_linked(p, q)]

    @property
    def symbol(self) -> str:
        return "o" if self.mover == "white" else "x"

    def _are_linked(self, p: str, q: str) -> bool:
        lines = [line.split() for line in self.LINES if p in line and q in line]
        return any(abs(line.index(p) - line.index(q)) == 1 for line in lines)

    def play(self, text: str) -> None:
        start, _, end = text.rpartition("-")
        if start:
            self.points[start] = "."
        self.points[end] = self.symbol
        own = {p for p, s in self.points.items() if s == self.symbol}
        won = any(set(line.split()) <= own for line in self.LINES + self.SLANTS)
        last, self.mover = self.mover, "black" if self.mover == "white" else "white"
        self.seen.append((self.mover, *self.rows()))
        if won:
            self.winner, self.over = last, True
        elif self.seen.count(self.seen[-1]) == 3:
            self.over = True

    def rows(self) -> list[str]:
        points = "".join(self.points.values())
        return [points[i : i + 3] for i in (0, 3, 6)]


class Knights:
    """Knights that only go forwards and win on the last row; rows are counted from the bottom."""

    def __init__(self, columns: int = 8, rows: int = 8) -> None:
        self.mover, self.over = "white", False
        self.winner: str | None = None
        self.columns, self.height = columns, rows
        self.knights = {(c, r): "W" for c in range(columns) for r in (0, 1)}
        self.knights |= {(c, r): "B" for c in range(columns) for r in (rows - 1, rows - 2)}

    def legal(self) -> list[str]:
        own, ahead = ("W", 1) if self.mover == "white" else ("B", -1)
        found = []
        for (c, r), symbol in self.knights.items():
            for i, j in ((-2, 1), (-1, 2), (1, 2), (2, 1)) if symbol == own else ():
                to = c + i, r + j * ahead
                if self._is_on(to) and self.knights.get(to) != own:
                    sign = "x" if to in self.knights else "-"
                    found.append(f"{name_of(c, r)}{sign}{name_of(*to)}")
        return found

    def _is_on(self, place: Place) -> bool:
        return 0 <= place[0] < self.columns and 0 <= place[1] < self.height

    def play(self, text: str) -> None:
        start, to = map(place_of, text.replace("x", "-").split("-"))
        self.knights[to] = self.knights.pop(start)
        goal = self.height - 1 if self.mover == "white" else 0
        last, self.mover = self.mover, "black" if self.mover == "white" else "white"
        if to[1] == goal or self.mover[0].upper() not in self.knights.values():
            self.winner, self.over = last, True

    def rows(self) -> list[str]:
        return [
            "".join(self.knights.get((c, r), ".") for c in range(self.columns))
            for r in reversed(range(self.height))
        ]
