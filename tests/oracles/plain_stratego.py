"""Stratego on six by six from its rules, on a dictionary of cells: slow and plain."""

from collections.abc import Iterator
from dataclasses import dataclass, field

COUNTS = {
    "flag": 1,
    "bomb": 1,
    "spy": 1,
    "scout": 2,
    "miner": 1,
    "general": 1,
    "marshal": 1,
}
RANKS = {"flag": 0, "spy": 1, "scout": 2, "miner": 3, "general": 9, "marshal": 10, "bomb": 11}
SIDES = ("red", "blue")
LAKES = {"b3", "b4", "e3", "e4"}
CELLS = [f"{c}{r}" for r in range(1, 7) for c in "abcdef" if f"{c}{r}" not in LAKES]

Piece = tuple[str, str]


@dataclass
class Stratego:
    """A position; `winner` is None for a draw, and valid once `over` is true."""

    board: dict[str, Piece] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)
    mover: str = "red"
    over: bool = False
    winner: str | None = None
    history: list[object] = field(default_factory=list)

    @property
    def other(self) -> str:
        return SIDES[1 - SIDES.index(self.mover)]

    def left(self, side: str) -> dict[str, int]:
        """Return the pieces that a side still has to set up."""
        owned = [kind for owner, kind in self.board.values() if owner == side]
        return {kind: count - owned.count(kind) for kind, count in COUNTS.items()}

    def legal(self) -> list[str]:
        if self.is_set_up:
            return list(self._moves())
        camp = [
            cell for cell in CELLS if int(cell[1]) in ((1, 2) if self.mover == "red" else (5, 6))
        ]
        kinds = [kind for kind, count in self.left(self.mover).items() if count]
        return [f"{k}-{cell}" for k in kinds for cell in camp if cell not in self.board]

    is_set_up: bool = False

    def _moves(self) -> Iterator[str]:
        for cell, (owner, kind) in self.board.items():
            if owner != self.mover or kind in ("flag", "bomb"):
                continue
            for way in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                yield from self._along(cell, way, 6 if kind == "scout" else 1)

    def _along(self, start: str, way: tuple[int, int], most: int) -> Iterator[str]:
        column, row = ord(start[0]), int(start[1])
        for step in range(1, most + 1):
            cell = f"{chr(column + step * way[0])}{row + step * way[1]}"
            if cell not in CELLS:
                return
            if cell in self.board:
                if self.board[cell][0] != self.mover:
                    yield f"{start}x{cell}"
                return
            yield f"{start}-{cell}"

    def play(self, text: str) -> None:
        if not self.is_set_up:
            kind, _, cell = text.partition("-")
            self.board[cell] = (self.mover, kind)
            if not any(self.left(self.mover).values()):
                self.is_set_up = self.mover == "blue"
                self.mover = self.other
            if self.is_set_up:
                self._finish(self.other)
            return
        start, to = text.replace("x", "-").split("-")
        self.history.append(self._key())
        self._carry(start, to)
        last, self.mover = self.mover, self.other
        self._finish(last)

    def _carry(self, start: str, to: str) -> None:
        piece = self.board.pop(start)
        was_known = start in self.known
        self.known.discard(start)
        if to not in self.board:
            self.board[to] = piece
            self.known |= {to} if was_known else set()
            return
        attacker, defender = piece[1], self.board[to][1]
        self.known.add(to)
        if RANKS[attacker] == RANKS[defender]:
            del self.board[to]
            self.known.discard(to)
        elif (
            RANKS[attacker] > RANKS[defender]
            or (attacker, defender) == ("miner", "bomb")
            or (attacker, defender) == ("spy", "marshal")
        ):
            self.board[to] = piece

    def _key(self) -> object:
        return self.mover, frozenset(self.board.items())

    def _finish(self, last: str) -> None:
        for side in (last, SIDES[1 - SIDES.index(last)]):
            if (side, "flag") not in self.board.values():
                self.over, self.winner = True, SIDES[1 - SIDES.index(side)]
                return
        if not self.legal():
            self.over, self.winner = True, self.other
        elif self.history.count(self._key()) >= 2:
            self.over = True
