"""Draughts with flying kings on a dictionary: slow, and written from the rules."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from tests.oracles.openspiel import Ply, Result
from tests.oracles.plain_games import Place
from tests.oracles.plain_placing import name_of

# Clockwise from the upper right: the order of moves with the same result.
WAYS = ((1, 1), (1, -1), (-1, -1), (-1, 1))
Piece = str
Board = dict[Place, Piece]


@dataclass(frozen=True, slots=True)
class Variant:
    """The differences between the games; king-only plies, and few-piece endings, lead to a draw.

    `most`: a capture must take as many as possible. Captures with the same result are one move.
    `crowns`: a man that reaches the last row continues as a king; a piece lands where it can
    capture again, if possible.
    """

    n: int
    rows: int
    calm: int
    most: bool = True
    crowns: bool = False


VARIANTS = {
    "international": Variant(10, 4, 50),
    "brazilian": Variant(8, 3, 40),
    "russian": Variant(8, 3, 30, most=False, crowns=True),
}


@dataclass(frozen=True, slots=True)
class DraughtsMove:
    """A move: its text, its cells, its captures and the board after it."""

    text: str
    cells: tuple[Place, ...]
    taken: frozenset[Place]
    board: tuple[tuple[Place, Piece], ...]


class Draughts:
    """Rows and columns are counted from the bottom left, from 0; a king is a capital letter."""

    def __init__(self, name: str) -> None:
        self.name, self.variant = name, VARIANTS[name]
        n, rows = self.variant.n, self.variant.rows
        dark = [(c, r) for r in range(n) for c in range(n) if (c + r) % 2 == 0]
        self.board: Board = {p: "w" for p in dark if p[1] < rows}
        self.board |= {p: "b" for p in dark if p[1] >= n - rows}
        self.mover, self.calm, self.few, self.fewer = "white", 0, 0, 0
        self.seen: Counter[tuple[str, frozenset[tuple[Place, Piece]]]] = Counter()
        self.see()

    def see(self) -> None:
        """Record a position in the history."""
        self.seen[self.mover, frozenset(self.board.items())] += 1

    def _is_own(self, place: Place) -> bool:
        return self.board[place].lower() == self.mover[0]

    def _is_on(self, place: Place) -> bool:
        return min(place) >= 0 and max(place) < self.variant.n

    def _is_last(self, place: Place) -> bool:
        return place[1] == (self.variant.n - 1 if self.mover == "white" else 0)

    def moves(self) -> list[DraughtsMove]:
        """Return the legal moves; the first of those with the same result."""
        own = sorted(filter(self._is_own, self.board))
        taking = [made for start in own for made in self._taking(start)]
        if not taking:
            return [made for start in own for made in self._going(start)]
        if self.variant.most:
            most = max(len(made.taken) for made in taking)
            taking = [made for made in taking if len(made.taken) == most]
        found = dict[frozenset[tuple[Place, Piece]], DraughtsMove]()
        for made in sorted(taking, key=self._rank):
            found.setdefault(frozenset(made.board), made)
        return list(found.values())

    def _rank(self, made: DraughtsMove) -> list[int]:
        """Return the sort key of a move: each step's direction and its cells.

        Men precede kings where they have rules of their own.
        """
        rank = [int(self.variant.most and self.board[made.cells[0]].isupper())]
        for (c, r), (d, s) in zip(made.cells, made.cells[1:], strict=False):
            way = ((d > c) - (d < c), (s > r) - (s < r))
            rank += [WAYS.index(way), self._place(c, r), self._place(d, s)]
        return rank

    def _place(self, column: int, row: int) -> int:
        """Return the index in reading order."""
        return (self.variant.n - 1 - row) * self.variant.n + column

    def _going(self, start: Place) -> Iterator[DraughtsMove]:
        piece, ahead = self.board[start], 1 if self.mover == "white" else -1
        for i, j in WAYS:
            to = (start[0] + i, start[1] + j)
            while self._is_on(to) and to not in self.board and (piece.isupper() or j == ahead):
                yield self._made(piece, (start, to), frozenset())
                to = (to[0] + i, to[1] + j) if piece.isupper() else (-1, -1)

    def _taking(self, start: Place) -> Iterator[DraughtsMove]:
        """Yield all complete captures; captured pieces remain as obstacles, the moving piece does
        not.
        """
        piece = self.board.pop(start)
        found = list(self._on(piece, (start,), frozenset()))
        self.board[start] = piece
        return iter(found)

    def _on(
        self, piece: Piece, cells: tuple[Place, ...], taken: frozenset[Place]
    ) -> Iterator[DraughtsMove]:
        jumps = list(self._jumps(piece, cells[-1], taken))
        if not jumps and len(cells) > 1:
            yield self._made(piece, cells, taken)
        for over, places in jumps:
            now = taken | {over}
            ways = [(self._crowned(piece, to), to) for to in places]
            if self.variant.crowns:
                further = [way for way in ways if any(self._jumps(*way, now))]
                ways = further or ways
            for kind, to in ways:
                yield from self._on(kind, (*cells, to), now)

    def _jumps(
        self, piece: Piece, start: Place, taken: frozenset[Place]
    ) -> Iterator[tuple[Place, list[Place]]]:
        """Yield pieces that can be jumped from a place, with the possible landing places."""
        for i, j in WAYS:
            over = (start[0] + i, start[1] + j)
            while piece.isupper() and self._is_on(over) and over not in self.board:
                over = (over[0] + i, over[1] + j)
            if over not in self.board or self._is_own(over) or over in taken:
                continue
            places, to = list[Place](), (over[0] + i, over[1] + j)
            while self._is_on(to) and to not in self.board and (piece.isupper() or not places):
                places.append(to)
                to = (to[0] + i, to[1] + j)
            if places:
                yield over, places

    def _crowned(self, piece: Piece, place: Place) -> Piece:
        return piece.upper() if self.variant.crowns and self._is_last(place) else piece

    def _made(
        self, piece: Piece, cells: tuple[Place, ...], taken: frozenset[Place]
    ) -> DraughtsMove:
        after = {p: kind for p, kind in self.board.items() if p not in taken and p != cells[0]}
        after[cells[-1]] = piece.upper() if self._is_last(cells[-1]) else piece
        text = ("x" if taken else "-").join(name_of(*cell) for cell in cells)
        return DraughtsMove(text, cells, taken, tuple(after.items()))

    def play(self, made: DraughtsMove) -> None:
        calm = not made.taken and self.board[made.cells[0]].isupper()
        self.calm = self.calm + 1 if calm else 0
        # The limit is on further moves: neither a capture nor a promotion that leads to an ending
        # is one of them. A capture in an ending leaves the limit as it is (FMJD, Annex 1, 6.3).
        was_ending, pieces = self._is_ending(), len(self.board)
        self.board = dict(made.board)
        self.few = self.few + 1 if was_ending else 0
        self.fewer = self.fewer + 1 if was_ending and pieces <= 3 else 0
        self.mover = "black" if self.mover == "white" else "white"
        self.see()

    def _is_ending(self) -> bool:
        white = sorted(kind for kind in self.board.values() if kind.lower() == "w")
        black = sorted(kind for kind in self.board.values() if kind.lower() == "b")
        if "W" not in white or "B" not in black:
            return False
        if self.name == "brazilian":
            men = white.count("w") + black.count("b")
            return max(len(white), len(black)) <= 2 and men <= 1
        one, more = sorted((white, black), key=len)
        return self.name == "international" and len(one) == 1 and len(more) <= 3

    def reason(self) -> str | None:
        """Return the reason for the end of the game, or None if it goes on."""
        if not self.moves():
            return "no move left"
        if max(self.seen.values()) >= 3:
            return "the position has come three times"
        if self.calm >= self.variant.calm:
            return "kings alone have moved too long"
        long = 32 if self.name == "international" else 10
        over = self.few >= long or self.fewer >= 10
        return "an ending of few pieces has gone on" if over else None

    def rows(self) -> list[str]:
        across = range(self.variant.n)
        return ["".join(self.board.get((c, r), ".") for c in across) for r in reversed(across)]


def random_game(name: str, seed: int) -> Iterator[Ply | Result]:
    """Play a game by random moves to its end."""
    game, chance = Draughts(name), random.Random(f"draughts {name} {seed}")
    while (reason := game.reason()) is None:
        moves = sorted(game.moves(), key=lambda made: made.text)
        played = chance.choice(moves)
        legal = frozenset(made.text for made in moves)
        yield Ply(game.mover, legal, played.text, tuple(game.rows()))
        game.play(played)
    lost = reason == "no move left"
    other = "black" if game.mover == "white" else "white"
    yield Result(other if lost else None, tuple(game.rows()))
