"""Games of few pieces on dictionaries: slow, and written from the rules."""

from itertools import product

from tests.oracles.plain_placing import COMPASS, SIDES, Place, name_of, place_of

AXES = [(1, 0), (0, 1), (1, 1), (1, -1)]
SLANTS = [(1, 1), (1, -1), (-1, -1), (-1, 1)]


class Board:
    """Two sides that alternate; rows are counted from the bottom.

    `winner` is None for a draw, and is valid once `over` is true.
    """

    sides: tuple[str, str]
    width = height = 5

    def __init__(self) -> None:
        self.mover, self.over = self.sides[0], False
        self.winner: str | None = None
        places = product(range(self.width), range(self.height))
        self.grid: dict[Place, str] = dict.fromkeys(places, ".")

    @property
    def other(self) -> str:
        return self.sides[1 - self.sides.index(self.mover)]

    def of(self, symbol: str) -> list[Place]:
        return [place for place, found in self.grid.items() if found == symbol]

    def steps(self, place: Place, ways: list[Place], onto: str) -> list[Place]:
        """Return the places one step away that hold a symbol."""
        around = [(place[0] + i, place[1] + j) for i, j in ways]
        return [to for to in around if self.grid.get(to) == onto]

    def carry(self, text: str) -> Place:
        """Move the piece on the first cell of a move to the second, and return that cell."""
        start, to = map(place_of, text.replace("x", "-").split("-"))
        self.grid |= {start: ".", to: self.grid[start]}
        return to

    def win(self, side: str | None) -> None:
        self.winner, self.over = side, True

    def rows(self) -> list[str]:
        lines = reversed(range(self.height))
        return ["".join(self.grid[c, r] for c in range(self.width)) for r in lines]


def written(start: Place, to: Place, sign: str = "-") -> str:
    return f"{name_of(*start)}{sign}{name_of(*to)}"


def lengths(grid: dict[Place, str], place: Place) -> list[int]:
    """Return the lengths of the rows of equal symbols through a place, for the four axes."""
    return [
        1 + sum(_beyond(grid, place, (sign * i, sign * j)) for sign in (1, -1)) for i, j in AXES
    ]


def _beyond(grid: dict[Place, str], place: Place, way: Place) -> int:
    after = place[0] + way[0], place[1] + way[1]
    return 1 + _beyond(grid, after, way) if grid.get(after) == grid[place] else 0


class Teeko(Board):
    """Four men each; a row or a square wins; the third occurrence of a position is a draw."""

    sides = "black", "red"

    def __init__(self) -> None:
        super().__init__()
        self.seen = [(self.mover, *self.rows())]

    @property
    def symbol(self) -> str:
        return "x" if self.mover == "black" else "o"

    def legal(self) -> list[str]:
        own = self.of(self.symbol)
        if len(own) < 4:
            return [name_of(*place) for place in self.of(".")]
        return [written(man, to) for man in own for to in self.steps(man, COMPASS, ".")]

    def play(self, text: str) -> None:
        if "-" in text:
            self.carry(text)
        else:
            self.grid[place_of(text)] = self.symbol
        won, last = _is_whole(self.of(self.symbol)), self.mover
        self.mover = self.other
        self.seen.append((self.mover, *self.rows()))
        if won:
            self.win(last)
        elif self.seen.count(self.seen[-1]) == 3:
            self.win(None)


def _is_whole(men: list[Place]) -> bool:
    """True if four men are a row or a square: by their differences from the first of them."""
    (c, r), *_ = men = sorted(men)
    shape = [(i - c, j - r) for i, j in men]
    rows = [[(n * i, n * j) for n in range(4)] for i, j in AXES]
    return shape in [*rows, [(0, 0), (0, 1), (1, 0), (1, 1)]]


class Musketeers(Board):
    sides = "musketeers", "cardinal"

    def __init__(self) -> None:
        super().__init__()
        self.grid = dict.fromkeys(self.grid, "o") | {(i, i): "x" for i in (0, 2, 4)}

    def legal(self) -> list[str]:
        piece, onto, sign = ("x", "o", "x") if self.mover == "musketeers" else ("o", ".", "-")
        moves = [(start, to) for start in self.of(piece) for to in self.steps(start, SIDES, onto)]
        return [written(*move, sign) for move in moves]

    def play(self, text: str) -> None:
        self.carry(text)
        self.mover = self.other
        columns, rows = zip(*self.of("x"), strict=True)
        if len(set(columns)) == 1 or len(set(rows)) == 1:
            self.win("cardinal")
        elif not self.legal():
            self.win("musketeers")


class Hunt(Board):
    """One fox against four hounds, on the dark cells of eight rows."""

    sides, width, height = ("fox", "hounds"), 8, 8

    def __init__(self) -> None:
        super().__init__()
        self.grid |= {(4, 0): "x"} | {(column, 7): "o" for column in (1, 3, 5, 7)}

    def legal(self) -> list[str]:
        piece, ways = ("x", SLANTS) if self.mover == "fox" else ("o", [(1, -1), (-1, -1)])
        return [written(at, to) for at in self.of(piece) for to in self.steps(at, ways, ".")]

    def play(self, text: str) -> None:
        to = self.carry(text)
        self.mover = self.other
        if self.grid[to] == "x" and to[1] == 7:
            self.win("fox")
        elif not self.legal():
            self.win(self.other)


class Neutron(Board):
    """Each turn but the first moves the neutron as far as it goes, then a man as far as it goes."""

    sides = "white", "black"

    def __init__(self) -> None:
        super().__init__()
        for column in range(5):
            self.grid[column, 0], self.grid[column, 4] = "o", "x"
        self.grid[2, 2], self.with_man = "*", True

    def legal(self) -> list[str]:
        man = "o" if self.mover == "white" else "x"
        starts = self.of(man if self.with_man else "*")
        ends = [(start, self._end(start, way)) for start in starts for way in COMPASS]
        return [written(start, to) for start, to in ends if to != start]

    def _end(self, place: Place, way: Place) -> Place:
        for after in self.steps(place, [way], "."):
            return self._end(after, way)
        return place

    def play(self, text: str) -> None:
        self.carry(text)
        if self.with_man:
            self.mover = self.other
        self.with_man = not self.with_man
        ((_, row),) = self.of("*")
        if row in (0, 4):
            self.win("white" if row == 0 else "black")
        elif not self.legal():
            self.win(self.other)


class OrderAndChaos(Board):
    sides, width, height = ("order", "chaos"), 6, 6

    def __init__(self, longest: int = 6) -> None:
        super().__init__()
        self.longest = longest

    def legal(self) -> list[str]:
        kinds = product(self.of("."), ("cross", "nought"))
        return [f"{name_of(*place)}={kind}" for place, kind in kinds]

    def play(self, text: str) -> None:
        cell, _, kind = text.partition("=")
        place = place_of(cell)
        self.grid[place] = "x" if kind == "cross" else "o"
        self.mover = self.other
        if any(5 <= length <= self.longest for length in lengths(self.grid, place)):
            self.win("order")
        elif not self.of("."):
            self.win("chaos")


class Squava(Board):
    sides = "white", "black"

    def legal(self) -> list[str]:
        return [name_of(*place) for place in self.of(".")]

    def play(self, text: str) -> None:
        place = place_of(text)
        self.grid[place] = "o" if self.mover == "white" else "x"
        last, self.mover = self.mover, self.other
        longest = max(lengths(self.grid, place))
        if longest >= 3:
            self.win(last if longest > 3 else self.mover)
        elif not self.of("."):
            self.win(None)


class Tomek(Board):
    """Four in a row, with a T in the lower right corner for both; rows are counted from the top."""

    sides, width, height = ("cross", "nought"), 4, 4

    def __init__(self) -> None:
        super().__init__()
        self.grid[3, 3] = "T"

    def legal(self) -> list[str]:
        return [name_of(*place) for place in self.of(".")]

    def play(self, text: str) -> None:
        self.grid[place_of(text)] = "X" if self.mover == "cross" else "O"
        last, self.mover = self.mover, self.other
        status = judged(self.rows())
        if status.endswith("won"):
            self.win(last)
        elif status == "Draw":
            self.win(None)

    def rows(self) -> list[str]:
        return super().rows()[::-1]


def judged(rows: list[str]) -> str:
    """Return the status of a board of the problem, in its words."""
    slants = ["".join(rows[i][i] for i in range(4)), "".join(rows[i][3 - i] for i in range(4))]
    lines = [*rows, *map("".join, zip(*rows, strict=True)), *slants]
    for symbol in "XO":
        if any(line.replace("T", symbol) == 4 * symbol for line in lines):
            return f"{symbol} won"
    return "Game has not completed" if "." in "".join(rows) else "Draw"
