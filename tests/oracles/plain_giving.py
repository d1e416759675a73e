"""Sixteen pieces of four attributes each, as four-bit numbers; written from the rules."""

import random
from collections.abc import Iterator

from tests.oracles.openspiel import Ply, Result
from tests.oracles.plain_games import Place
from tests.oracles.plain_placing import name_of

ROWS = [
    *([(c, r) for c in range(4)] for r in range(4)),
    *([(c, r) for r in range(4)] for c in range(4)),
    [(i, i) for i in range(4)],
    [(i, 3 - i) for i in range(4)],
]


class Giving:
    """The board and the places of the remaining pieces, by column and row from the bottom."""

    def __init__(self) -> None:
        self.board: dict[Place, int] = {}
        self.left = {(5 + piece % 4, 3 - piece // 4): piece for piece in range(16)}
        self.given: int | None = None
        self.plies = 0
        self.winner: str | None = None

    @property
    def mover(self) -> str:
        return ("first", "second")[self.plies % 2]

    @property
    def over(self) -> bool:
        return self.winner is not None or len(self.board) == 16

    def moves(self) -> dict[str, tuple[Place | None, Place | None]]:
        """Return the moves: a cell for the given piece, and the place of the piece given next."""
        if self.given is None:
            return {name_of(*place): (None, place) for place in self.left}
        found: dict[str, tuple[Place | None, Place | None]] = {}
        for place in ((c, r) for c in range(4) for r in range(4)):
            if place in self.board:
                continue
            if self._wins({**self.board, place: self.given}) or not self.left:
                found[name_of(*place)] = place, None
            else:
                for other in self.left:
                    found[f"{name_of(*place)}x{name_of(*other)}"] = place, other
        return found

    def play(self, text: str) -> None:
        place, other = self.moves()[text]
        if place is not None and self.given is not None:
            self.board[place] = self.given
            if self._wins(self.board):
                self.winner = self.mover
        self.given = self.left.pop(other) if other is not None else None
        self.plies += 1

    def _wins(self, board: dict[Place, int]) -> bool:
        """True if four pieces in a row have a bit in common, or lack one."""
        for row in ROWS:
            pieces = [board[place] for place in row if place in board]
            if len(pieces) == 4:
                a, b, c, d = pieces
                if a & b & c & d or ~(a | b | c | d) & 15:
                    return True
        return False

    def rows(self) -> list[str]:
        signs = {**self.board, **self.left}
        columns = [0, 1, 2, 3, 5, 6, 7, 8]
        return [
            "".join(f"{signs[c, r]:x}" if (c, r) in signs else "." for c in columns)
            for r in (3, 2, 1, 0)
        ]


def random_game(name: str, seed: int) -> Iterator[Ply | Result]:
    """Play a game by uniformly random moves: yield a Ply for each position, then a Result."""
    game, chance = Giving(), random.Random(f"giving {name} {seed}")
    while not game.over:
        legal = sorted(game.moves())
        played = chance.choice(legal)
        yield Ply(game.mover, frozenset(legal), played, tuple(game.rows()))
        game.play(played)
    yield Result(game.winner, tuple(game.rows()))
