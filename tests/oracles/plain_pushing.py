"""Games of popping, pushing and covering: slow, and written from the rules."""

from itertools import product

LETTERS = "abcdefghijklmnop"
LINES = [(0, 1), (1, 0), (1, 1), (1, -1)]
WAYS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}


def has_line(grid: dict[tuple[int, int], str], symbol: str, k: int) -> bool:
    """True if k equal symbols are in a row; places are column and row."""
    for (c, r), (i, j) in product(grid, LINES):
        if all(grid.get((c + n * i, r + n * j)) == symbol for n in range(k)):
            return True
    return False


class _TwoSides:
    """Two players in turn; the third occurrence of a position with the same mover is a draw."""

    names = ("first", "second")

    def __init__(self) -> None:
        self.side, self.over = 0, False
        self.winner: str | None = None
        self.seen: list[object] = []

    @property
    def mover(self) -> str:
        return self.names[self.side]

    def _end(self, winner: int | None) -> None:
        self.over = True
        self.winner = None if winner is None else self.names[winner]

    def _comes_again(self, position: object) -> bool:
        self.seen.append(position)
        return self.seen.count(position) > 2


class PopOut(_TwoSides):
    """Columns are lists of symbols from the bottom up."""

    def __init__(self, rows: int = 6, columns: int = 7, k: int = 4) -> None:
        super().__init__()
        self.height, self.k = rows, k
        self.columns: list[list[str]] = [[] for _ in range(columns)]
        self._comes_again(self._position())

    def legal(self) -> list[str]:
        own = "xo"[self.side]
        found = [LETTERS[i] for i, discs in enumerate(self.columns) if len(discs) < self.height]
        return found + [
            f"pop-{LETTERS[i]}" for i, discs in enumerate(self.columns) if discs[:1] == [own]
        ]

    def play(self, text: str) -> None:
        discs = self.columns[LETTERS.index(text[-1])]
        if text.startswith("pop"):
            discs.pop(0)
        else:
            discs.append("xo"[self.side])
        last, self.side = self.side, 1 - self.side
        grid = {(c, r): s for c, column in enumerate(self.columns) for r, s in enumerate(column)}
        for side in (last, self.side):
            if not self.over and has_line(grid, "xo"[side], self.k):
                self._end(side)
        if not self.over and self._comes_again(self._position()):
            self._end(None)
        if not self.over and not self.legal():
            self._end(last)

    def _position(self) -> object:
        return self.side, tuple(map(tuple, self.columns))

    def rows(self) -> list[str]:
        lines = range(self.height - 1, -1, -1)
        return ["".join(d[r] if r < len(d) else "." for d in self.columns) for r in lines]


class Quixo(_TwoSides):
    """A row or column is taken out as a list, pushed, and put back."""

    names = ("cross", "circle")

    def __init__(self, n: int = 5) -> None:
        super().__init__()
        self.n = n
        self.grid = {(c, r): "-" for c in range(n) for r in range(n)}
        self._comes_again((self.side, tuple(self.grid.values())))

    def legal(self) -> list[str]:
        last, enemy = self.n - 1, "ox"[self.side]
        edge = [p for p in self.grid if {0, last} & set(p) and self.grid[p] != enemy]
        return [
            f"{LETTERS[c]}{r + 1}-{way}"
            for c, r in edge
            for way, (i, j) in WAYS.items()
            if (c - i, r - j) in self.grid
        ]

    def play(self, text: str) -> None:
        place, way = text.split("-")
        (i, j), own = WAYS[way], "xo"[self.side]
        c, r = LETTERS.index(place[0]), int(place[1:]) - 1
        behind = []
        while (c, r) in self.grid:
            behind.append((c, r))
            c, r = c - i, r - j
        symbols = [*(self.grid[p] for p in behind[1:]), own]
        self.grid |= dict(zip(behind, symbols, strict=True))
        last, self.side = self.side, 1 - self.side
        for side in (self.side, last):
            if not self.over and has_line(self.grid, "xo"[side], self.n):
                self._end(side)
        if not self.over and self._comes_again((self.side, tuple(self.grid.values()))):
            self._end(None)

    def rows(self) -> list[str]:
        lines = range(self.n - 1, -1, -1)
        return ["".join(self.grid[c, r] for c in range(self.n)) for r in lines]


class Cram(_TwoSides):
    """Pairs of free neighbours; a player without one loses."""

    def __init__(self, rows: int = 6, columns: int = 6) -> None:
        super().__init__()
        self.size = rows, columns
        self.free = set(product(range(columns), range(rows)))

    def legal(self) -> list[str]:
        pairs = ((p, (p[0] + i, p[1] + j)) for p in self.free for i, j in ((1, 0), (0, 1)))
        return [f"{_name(*a)}-{_name(*b)}" for a, b in pairs if b in self.free]

    def play(self, text: str) -> None:
        names = text.split("-")
        self.free -= {place for place in self.free if _name(*place) in names}
        last, self.side = self.side, 1 - self.side
        if not self.legal():
            self._end(last)

    def rows(self) -> list[str]:
        rows, columns = self.size
        lines = range(rows - 1, -1, -1)
        return ["".join(".#"[(c, r) not in self.free] for c in range(columns)) for r in lines]


def _name(column: int, row: int) -> str:
    return f"{LETTERS[column]}{row + 1}"
