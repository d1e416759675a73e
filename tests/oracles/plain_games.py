"""Six games on plain lists and dictionaries: slow, and written from the rules."""

import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from copy import deepcopy
from functools import partial
from itertools import pairwise
from typing import Any, Protocol

from tests.oracles.openspiel import Ply, Result

LETTERS = "abcdefghijklmnopqrs"
Place = tuple[int, int]


class Plain(Protocol):
    """A game in progress. `winner` is None for a draw; it is valid once `over` is true."""

    @property
    def winner(self) -> str | None: ...

    @property
    def over(self) -> bool: ...

    @property
    def mover(self) -> str: ...

    def legal(self) -> list[str]: ...

    def play(self, text: str) -> None: ...

    def rows(self) -> list[str]: ...


def random_game(name: str, seed: int, plies: int = 500) -> Iterator[Ply | Result]:
    """Play a game by random moves: yield a Ply for each position, then a Result.

    In Yavalath most immediately losing moves are avoided, since nearly all games would end by them.
    After so many plies a game breaks off without a Result.
    """
    game = GAMES[name]()
    chance = random.Random(f"{name} {seed}")
    for _ in range(plies):
        if game.over:
            yield Result(game.winner, tuple(game.rows()))
            return
        legal = game.legal()
        played = chance.choice(legal)
        if name == "yavalath" and chance.random() < 0.9:
            shuffled = chance.sample(legal, len(legal))
            played = next(filter(partial(_is_sound, game), shuffled), played)
        yield Ply(game.mover, frozenset(legal), played, tuple(game.rows()))
        game.play(played)


def _is_sound(game: Plain, text: str) -> bool:
    after = deepcopy(game)
    after.play(text)
    return not after.over or after.winner in (game.mover, None)


def _place(text: str) -> Place:
    """Return column and row from 0."""
    return LETTERS.index(text[0]), int(text[1:]) - 1


def _name(column: int, row: int) -> str:
    return f"{LETTERS[column]}{row + 1}"


class Domineering:
    """Vertical dominoes against horizontal ones; rows are counted from the top."""

    def __init__(self, n: int = 8) -> None:
        self.mover, self.over = "vertical", False
        self.winner: str | None = None
        self.grid = [["."] * n for _ in range(n)]

    def legal(self) -> list[str]:
        n = len(self.grid)
        return [_name(c, r) for r in range(n) for c in range(n) if self._fits(c, r)]

    def _fits(self, column: int, row: int) -> bool:
        return all(
            r < len(self.grid) and c < len(self.grid) and self.grid[r][c] == "."
            for c, r in self._halves(column, row)
        )

    def _halves(self, column: int, row: int) -> list[Place]:
        if self.mover == "vertical":
            return [(column, row), (column, row + 1)]
        return [(column, row), (column + 1, row)]

    def play(self, text: str) -> None:
        for c, r in self._halves(*_place(text)):
            self.grid[r][c] = self.mover[0]
        last = self.mover
        self.mover = "horizontal" if last == "vertical" else "vertical"
        if not self.legal():
            self.winner, self.over = last, True

    def rows(self) -> list[str]:
        return ["".join(row) for row in self.grid]


class Konane:
    """Stones jump in straight lines over enemy stones; rows are counted from the bottom."""

    def __init__(self) -> None:
        self.mover, self.over = "black", False
        self.winner: str | None = None
        self.stones: dict[Place, str] = {}
        for place in [(c, r) for c in range(8) for r in range(8)]:
            self.stones[place] = "black" if sum(place) % 2 == 0 else "white"

    def legal(self) -> list[str]:
        if len(self.stones) == 64:
            return ["a1", "d4", "e5", "h8"]
        if len(self.stones) == 63:
            (hole,) = {(c, r) for c in range(8) for r in range(8)} - self.stones.keys()
            c, r = hole
            around = [(c + 1, r), (c - 1, r), (c, r + 1), (c, r - 1)]
            return [_name(*place) for place in around if place in self.stones]
        return [text for place in self.stones for text in self._jumps(place)]

    def _jumps(self, start: Place) -> Iterator[str]:
        if self.stones[start] != self.mover:
            return
        for dc, dr in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            (c, r), text = start, _name(*start)
            while self.stones.get((c + dc, r + dr), self.mover) != self.mover:
                c, r = c + 2 * dc, r + 2 * dr
                if (c, r) in self.stones or not (0 <= c < 8 and 0 <= r < 8):
                    break
                text += "x" + _name(c, r)
                yield text

    def play(self, text: str) -> None:
        places = [_place(part) for part in text.split("x")]
        stone = self.stones.pop(places[0])
        for (c, r), (to_c, to_r) in pairwise(places):
            del self.stones[(c + to_c) // 2, (r + to_r) // 2]
        if len(places) > 1:
            self.stones[places[-1]] = stone
        self.mover = "white" if self.mover == "black" else "black"
        if not self.legal():
            self.winner, self.over = stone, True

    def rows(self) -> list[str]:
        symbols = {"black": "x", "white": "o", "": "."}
        return [
            "".join(symbols[self.stones.get((c, r), "")] for c in range(8))
            for r in range(7, -1, -1)
        ]


class MuTorere:
    """Eight places in a ring, and the middle as the ninth of a list."""

    def __init__(self) -> None:
        self.mover, self.over = "white", False
        self.winner: str | None = None
        self.places = list("ooooxxxx.")

    def legal(self) -> list[str]:
        free = self.places.index(".")
        return [f"{self._name(i)}-{self._name(free)}" for i in range(9) if self._may(i, free)]

    def _may(self, i: int, free: int) -> bool:
        own = self.mover == "white"
        if self.places[i] != ("o" if own else "x"):
            return False
        if free == 8:  # into the middle: only from a point adjacent to an enemy
            return ("x" if own else "o") in (self.places[(i + 1) % 8], self.places[(i - 1) % 8])
        return i == 8 or (i - free) % 8 in (1, 7)

    def _name(self, i: int) -> str:
        return "centre" if i == 8 else f"p{i + 1}"

    def play(self, text: str) -> None:
        i, j = (8 if name == "centre" else int(name[1]) - 1 for name in text.split("-"))
        self.places[i], self.places[j] = ".", self.places[i]
        last, self.mover = self.mover, "black" if self.mover == "white" else "white"
        if not self.legal():
            self.winner, self.over = last, True

    def rows(self) -> list[str]:
        return ["".join(self.places)]


class Yavalath:
    """Slanting columns: from a cell, (1, 0), (0, 1) and (1, 1) lead along the three axes."""

    def __init__(self) -> None:
        self.mover, self.over = "white", False
        self.winner: str | None = None
        self.grid = {(q, r): "." for r in range(9) for q in range(9) if abs(q - r) <= 4}

    def legal(self) -> list[str]:
        return [_name(*place) for place, symbol in self.grid.items() if symbol == "."]

    def play(self, text: str) -> None:
        symbol = "o" if self.mover == "white" else "x"
        self.grid[_place(text)] = symbol
        last, self.mover = self.mover, "black" if self.mover == "white" else "white"
        lengths = [_length(self.grid, _place(text), axis) for axis in ((1, 0), (0, 1), (1, 1))]
        if max(lengths) >= 4:
            self.winner, self.over = last, True
        elif 3 in lengths:
            self.winner, self.over = self.mover, True
        elif "." not in self.grid.values():
            self.over = True

    def rows(self) -> list[str]:
        return ["".join(self.grid.get((q, r), "") for q in range(9)) for r in range(9)]


class Pente:
    """Stones on a grid of nineteen lines; rows are counted from the bottom."""

    def __init__(self) -> None:
        self.mover, self.over = "white", False
        self.winner: str | None = None
        self.grid = {(c, r): "." for c in range(19) for r in range(19)}
        self.pairs = {"o": 0, "x": 0}

    def legal(self) -> list[str]:
        return [_name(*place) for place, symbol in self.grid.items() if symbol == "."]

    def play(self, text: str) -> None:
        own, enemy = "ox" if self.mover == "white" else "xo"
        c, r = _place(text)
        self.grid[c, r] = own
        for dc, dr in [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]:
            cells = [(c + i * dc, r + i * dr) for i in (1, 2, 3)]
            if [self.grid.get(cell) for cell in cells] == [enemy, enemy, own]:
                self.grid[cells[0]] = self.grid[cells[1]] = "."
                self.pairs[own] += 1
        last, self.mover = self.mover, "black" if self.mover == "white" else "white"
        axes = ((1, 0), (0, 1), (1, 1), (1, -1))
        five = any(_length(self.grid, (c, r), axis) >= 5 for axis in axes)
        if five or self.pairs[own] >= 5:
            self.winner, self.over = last, True
        elif "." not in self.grid.values():
            self.over = True

    def rows(self) -> list[str]:
        return ["".join(self.grid[c, r] for c in range(19)) for r in range(18, -1, -1)]


class Connect6:
    """One stone, then two a turn, here on nine lines; rows are counted from the bottom."""

    def __init__(self) -> None:
        self.mover, self.over = "black", False
        self.winner: str | None = None
        self.grid = {(c, r): "." for c in range(9) for r in range(9)}
        self.left = 1

    def legal(self) -> list[str]:
        return [_name(*place) for place, symbol in self.grid.items() if symbol == "."]

    def play(self, text: str) -> None:
        self.grid[_place(text)] = "x" if self.mover == "black" else "o"
        axes = ((1, 0), (0, 1), (1, 1), (1, -1))
        if any(_length(self.grid, _place(text), axis) >= 6 for axis in axes):
            self.winner, self.over = self.mover, True
        elif "." not in self.grid.values():
            self.over = True
        self.left -= 1
        if self.left == 0:
            self.mover, self.left = "white" if self.mover == "black" else "black", 2

    def rows(self) -> list[str]:
        return ["".join(self.grid[c, r] for c in range(9)) for r in range(8, -1, -1)]


def _length(grid: dict[Place, str], place: Place, axis: Place) -> int:
    """Return the length of the row of equal symbols through a place along an axis."""
    total = 1
    for sign in (1, -1):
        c, r = place[0] + sign * axis[0], place[1] + sign * axis[1]
        while grid.get((c, r)) == grid[place]:
            total, c, r = total + 1, c + sign * axis[0], r + sign * axis[1]
    return total


class Repeating:
    """A plain game in which the third time of a position is a draw.

    `phase` is the part of a position that its rows do not show.
    """

    def __init__(self, game: Plain, phase: Callable[[Any], Hashable] = lambda game: None) -> None:
        self.game, self.phase = game, phase
        self.seen = Counter[Hashable]()
        self._count()

    def _count(self) -> None:
        position = (self.game.mover, *self.game.rows(), self.phase(self.game))
        self.seen[position] += 1
        self.repeated = self.seen[position] >= 3

    @property
    def mover(self) -> str:
        return self.game.mover

    @property
    def over(self) -> bool:
        return self.game.over or self.repeated

    @property
    def winner(self) -> str | None:
        return self.game.winner if self.game.over else None

    def legal(self) -> list[str]:
        return self.game.legal()

    def play(self, text: str) -> None:
        self.game.play(text)
        self._count()

    def rows(self) -> list[str]:
        return self.game.rows()


GAMES: dict[str, Callable[[], Plain]] = {
    "domineering": Domineering,
    "konane": Konane,
    "mu-torere": lambda: Repeating(MuTorere()),
    "yavalath": Yavalath,
    "pente": Pente,
    "connect6": Connect6,
}
