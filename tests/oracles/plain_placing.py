"""Games of placing on dictionaries and lists: slow, and written from the rules."""

from collections.abc import Iterator
from itertools import product

LETTERS = "abcdefghijklmnopqrstuvwxyz"
GO_LETTERS = "abcdefghjklmnopqrst"  # of the columns of Go boards
Place = tuple[int, int]
COMPASS = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]
SIDES = [(1, 0), (-1, 0), (0, 1), (0, -1)]
HEXAGONAL = [*SIDES, (1, -1), (-1, 1)]  # of a rhombus whose rows shift to the right


def place_of(text: str) -> Place:
    """Return column and row from 0."""
    return LETTERS.index(text[0]), int(text[1:]) - 1


def name_of(column: int, row: int) -> str:
    return f"{LETTERS[column]}{row + 1}"


class Discs:
    """Games of flipping discs; rows are counted from the top. `@` is a hole.

    On an `empty` initial board the first four discs go to its centre.
    """

    def __init__(
        self,
        n: int = 8,
        holes: str = "",
        torus: bool = False,
        misere: bool = False,
        empty: bool = False,
        stock: int = 1000,
    ):
        self.mover, self.over, self.misere = "black", False, misere
        self.winner: str | None = None
        self.n, self.torus = n, torus
        self.stock = {"black": stock, "white": stock}
        self.grid = {(c, r): "." for c in range(n) for r in range(n)}
        low, high = n // 2 - 1, n // 2
        self.centre = {(low, low): "o", (high, high): "o", (low, high): "*", (high, low): "*"}
        if not empty:
            self.grid |= self.centre
        for text in holes.split():
            self.grid[place_of(text)] = "@"

    def legal(self) -> list[str]:
        return self._placings(self.mover) or ["pass"]

    def _placings(self, player: str) -> list[str]:
        free = [place for place, symbol in self.grid.items() if symbol == "."]
        if any(place in free for place in self.centre):
            return [name_of(*place) for place in free if place in self.centre]
        if self.stock[player] == 0:
            return []
        return [name_of(*place) for place in free if self._turned(place, player)]

    def _turned(self, place: Place, player: str) -> set[Place]:
        """Return the flipped discs: in each direction those up to the first own one."""
        own, enemy = "*o" if player == "black" else "o*"
        found: set[Place] = set()
        for direction in COMPASS:
            row = list(self._ray(place, direction))
            symbols = "".join(self.grid[cell] for cell in row)
            enemies = len(symbols) - len(symbols.lstrip(enemy))
            if symbols[enemies : enemies + 1] == own:
                found |= set(row[:enemies])
        return found

    def _ray(self, place: Place, direction: Place) -> Iterator[Place]:
        """Yield the cells from the next one on, to the edge or around to the start."""
        c, r = place[0] + direction[0], place[1] + direction[1]
        while (place_now := self._wrapped(c, r)) in self.grid and place_now != place:
            yield place_now
            c, r = c + direction[0], r + direction[1]

    def _wrapped(self, column: int, row: int) -> Place:
        return (column % self.n, row % self.n) if self.torus else (column, row)

    def play(self, text: str) -> None:
        if text != "pass":
            place = place_of(text)
            self.stock[self.mover] -= 1
            for cell in [*self._turned(place, self.mover), place]:
                self.grid[cell] = "*" if self.mover == "black" else "o"
        self.mover = "white" if self.mover == "black" else "black"
        if not self._placings("black") and not self._placings("white"):
            self._end()

    def _end(self) -> None:
        discs = list(self.grid.values())
        lead = discs.count("*") - discs.count("o")
        if self.misere:
            lead = -lead
        self.winner = "black" if lead > 0 else "white" if lead < 0 else None
        self.over = True

    def rows(self) -> list[str]:
        lines = ["".join(self.grid[c, r] for c in range(self.n)) for r in range(self.n)]
        return [line.replace("@", "") for line in lines]


class Lines:
    """Lines of marks on a grid of layers; rows are counted from the bottom of the last layer.

    `exact` lines are no longer than `k`. Marks `fall` to the bottom of a single layer.
    """

    def __init__(
        self,
        size: tuple[int, int, int],
        k: int,
        players: dict[str, str],
        exact: bool = False,
        fall: bool = False,
    ):
        self.columns, self.height, self.layers = size
        self.k, self.exact, self.fall = k, exact, fall
        self.symbols, self.names = players, list(players)
        self.over, self.turn = False, 0
        self.winner: str | None = None
        self.grid = dict.fromkeys(product(*map(range, size)), ".")

    @property
    def mover(self) -> str:
        return self.names[self.turn % len(self.names)]

    def legal(self) -> list[str]:
        free = [place for place, symbol in self.grid.items() if symbol == "."]
        if self.fall:
            free = [(c, r, y) for c, r, y in free if self.grid.get((c, r - 1, y)) != "."]
        return [self._name(place) for place in free]

    def _name(self, place: tuple[int, ...]) -> str:
        """Return the name of a place: row 0 of layer 0 is the bottom row of the lowest layer on the
        screen.
        """
        column, row, layer = place
        return name_of(column, layer * self.height + row)

    def play(self, text: str) -> None:
        column, number = place_of(text)
        layer, row = divmod(number, self.height)
        self.grid[column, row, layer] = self.symbols[self.mover]
        lengths = self._lengths((column, row, layer))
        if self.k in lengths or (not self.exact and max(lengths) >= self.k):
            self.over, self.winner = True, self.mover
        elif "." not in self.grid.values():
            self.over = True
        self.turn += 1

    def _lengths(self, place: tuple[int, int, int]) -> list[int]:
        """Return the lengths of the rows of equal marks through a place, for thirteen axes."""
        axes = [axis for axis in product((-1, 0, 1), repeat=3) if axis > (0, 0, 0)]
        return [1 + self._count(place, axis, 1) + self._count(place, axis, -1) for axis in axes]

    def _count(self, place: tuple[int, int, int], axis: tuple[int, ...], sign: int) -> int:
        for i in range(1, 32):
            c, r, y = (p + sign * i * d for p, d in zip(place, axis, strict=True))
            if self.grid.get((c, r, y)) != self.grid[place]:
                return i - 1
        raise AssertionError("no board is so large")

    def rows(self) -> list[str]:
        return [
            "".join(self.grid[c, r, y] for c in range(self.columns))
            for y in reversed(range(self.layers))
            for r in reversed(range(self.height))
        ]


class Notakto:
    """Crosses on boards of three by three, the first at the bottom of the screen."""

    LINES = ("012", "345", "678", "036", "147", "258", "048", "246")

    def __init__(self, boards: int = 1) -> None:
        self.mover, self.over = "first", False
        self.winner: str | None = None
        self.boards = [["."] * 9 for _ in range(boards)]

    def _is_dead(self, board: list[str]) -> bool:
        return any(all(board[int(i)] == "x" for i in line) for line in self.LINES)

    def legal(self) -> list[str]:
        return [
            name_of(cell % 3, 3 * i + cell // 3)
            for i, board in enumerate(self.boards)
            if not self._is_dead(board)
            for cell in range(9)
            if board[cell] == "."
        ]

    def play(self, text: str) -> None:
        column, row = place_of(text)
        self.boards[row // 3][row % 3 * 3 + column] = "x"
        self.mover = "second" if self.mover == "first" else "first"
        if all(map(self._is_dead, self.boards)):  # the player who made the last line has lost
            self.winner, self.over = self.mover, True

    def rows(self) -> list[str]:
        lines = ["".join(board[i : i + 3]) for board in self.boards for i in (0, 3, 6)]
        return lines[::-1]


class Neighbours:
    """Snort, where no stone is adjacent to an enemy, and Col, where none is adjacent to its own."""

    def __init__(self, shunned: str, n: int = 8) -> None:
        self.mover, self.over = "left", False
        self.winner: str | None = None
        self.n, self.shunned = n, shunned
        self.grid = {(c, r): "." for c in range(n) for r in range(n)}

    def legal(self) -> list[str]:
        own, enemy = "xo" if self.mover == "left" else "ox"
        bad = own if self.shunned == "own" else enemy
        return [
            name_of(c, r)
            for (c, r), symbol in self.grid.items()
            if symbol == "." and bad not in [self.grid.get((c + i, r + j)) for i, j in SIDES]
        ]

    def play(self, text: str) -> None:
        self.grid[place_of(text)] = "x" if self.mover == "left" else "o"
        last, self.mover = self.mover, "right" if self.mover == "left" else "left"
        if not self.legal():
            self.winner, self.over = last, True

    def rows(self) -> list[str]:
        return ["".join(self.grid[c, r] for c in range(self.n)) for r in reversed(range(self.n))]


class Stones:
    """Stones with liberties: either the first capture wins, or captures are illegal."""

    def __init__(self, capture: bool, n: int) -> None:
        self.mover, self.over = "black", False
        self.winner: str | None = None
        self.n, self.capture = n, capture
        self.grid = {(c, r): "." for c in range(n) for r in range(n)}

    def legal(self) -> list[str]:
        free = (p for p, s in self.grid.items() if s == "." and self._may(p))
        return [f"{GO_LETTERS[column]}{row + 1}" for column, row in free]

    def _may(self, place: Place) -> bool:
        own, enemy = "xo" if self.mover == "black" else "ox"
        after = {**self.grid, place: own}
        takes = any(_is_dead(after, cell) for cell in after if after[cell] == enemy)
        return (self.capture and takes) or not (takes or _is_dead(after, place))

    def play(self, text: str) -> None:
        own, enemy = "xo" if self.mover == "black" else "ox"
        self.grid[GO_LETTERS.index(text[0]), int(text[1:]) - 1] = own
        last, self.mover = self.mover, "white" if self.mover == "black" else "black"
        taken = [s for s in self.grid if self.grid[s] == enemy and _is_dead(self.grid, s)]
        if taken or not self.legal():
            self.winner, self.over = last, True

    def rows(self) -> list[str]:
        return ["".join(self.grid[c, r] for c in range(self.n)) for r in reversed(range(self.n))]


def _is_dead(grid: dict[Place, str], start: Place) -> bool:
    """True if the group of a stone has no free adjacent cell."""
    group, waiting = {start}, [start]
    while waiting:
        c, r = waiting.pop()
        for place in ((c + i, r + j) for i, j in SIDES):
            symbol = grid.get(place)
            if symbol == ".":
                return False
            if symbol == grid[start] and place not in group:
                group.add(place)
                waiting.append(place)
    return True


class HexWithPie:
    """Hex on a rhombus; after the first stone the second player may take it over.

    Red joins top and bottom; `seats` names the owners of the red and the blue stones.
    """

    def __init__(self, n: int) -> None:
        self.over, self.n = False, n
        self.winner: str | None = None
        self.seats = {"x": "red", "o": "blue"}
        self.symbol, self.stones, self.may_swap = "x", 0, False
        self.grid = {(c, r): "." for c in range(n) for r in range(n)}

    @property
    def mover(self) -> str:
        return self.seats[self.symbol]

    def legal(self) -> list[str]:
        free = [name_of(*place) for place, symbol in self.grid.items() if symbol == "."]
        return [*free, "swap"] if self.may_swap else free

    def play(self, text: str) -> None:
        if text == "swap":
            self.seats, self.may_swap = {"x": "blue", "o": "red"}, False
            return
        self.grid[place_of(text)] = self.symbol
        self.stones += 1
        self.may_swap = self.stones == 1
        if self._is_joined():
            self.winner, self.over = self.mover, True
        self.symbol = "o" if self.symbol == "x" else "x"

    def _is_joined(self) -> bool:
        axis = 1 if self.symbol == "x" else 0
        own = {place for place, found in self.grid.items() if found == self.symbol}
        reached: set[Place] = set()
        found = {place for place in own if place[axis] == 0}
        while found - reached:
            reached |= found
            found = {(c + i, r + j) for c, r in reached for i, j in HEXAGONAL} & own
        return any(place[axis] == self.n - 1 for place in reached)

    def rows(self) -> list[str]:
        return ["".join(self.grid[c, r] for c in range(self.n)) for r in range(self.n)]
