"""Go on a dictionary, with the ko rule, suicide and komi as parameters: slow, from the rules."""

import random
from collections.abc import Iterator

from tests.oracles.openspiel import Ply, Result
from tests.oracles.plain_placing import Place, name_of

Board = dict[Place, str]
OTHER = {"x": "o", "o": "x"}
SIDES = {"x": "black", "o": "white"}


class PlainGo:
    """A game on `n` by `n` points; `half_points` is White's komi in half points."""

    def __init__(
        self, n: int, half_points: int, *, situational: bool = False, suicide: bool = False
    ) -> None:
        self.n, self.half_points = n, half_points
        self.situational, self.suicide = situational, suicide
        self.board: Board = {(c, r): "." for r in range(n) for c in range(n)}
        self.turn, self.passes = "x", 0
        self.seen = {self._key(self.board, "x")}

    def _key(self, board: Board, turn: str) -> tuple[str, ...]:
        """Return the part of a position that may not come again."""
        return (*(board[place] for place in sorted(board)), turn if self.situational else "")

    def _near(self, place: Place) -> list[Place]:
        (c, r) = place
        return [p for p in ((c + 1, r), (c - 1, r), (c, r + 1), (c, r - 1)) if p in self.board]

    def _connected(self, board: Board, place: Place) -> tuple[set[Place], set[str]]:
        """Return the connected points of one content, and the contents next to them."""
        group, border, todo = {place}, set[str](), [place]
        while todo:
            for near in self._near(todo.pop()):
                if board[near] != board[place]:
                    border.add(board[near])
                elif near not in group:
                    group.add(near)
                    todo.append(near)
        return group, border

    def _cleared(self, board: Board, colour: str) -> Board:
        """Return the board without the stones of a colour that have no liberty."""
        dead = set[Place]()
        for place, content in board.items():
            if content == colour and place not in dead:
                group, border = self._connected(board, place)
                dead |= set() if "." in border else group
        return {place: "." if place in dead else content for place, content in board.items()}

    def after(self, place: Place) -> Board | None:
        """Return the board after a stone, or None if it may not be placed there."""
        if self.board[place] != ".":
            return None
        board = self._cleared({**self.board, place: self.turn}, OTHER[self.turn])
        cleared = self._cleared(board, self.turn)
        if cleared != board and not self.suicide:
            return None
        return None if self._key(cleared, OTHER[self.turn]) in self.seen else cleared

    def moves(self) -> dict[str, Board]:
        """Return the boards after all legal moves by their text."""
        found = {name_of(*place): self.after(place) for place in self.board}
        placed = {text: board for text, board in found.items() if board is not None}
        return {**placed, "pass": self.board}

    def play(self, text: str) -> None:
        self.board = self.moves()[text]
        self.passes = self.passes + 1 if text == "pass" else 0
        self.turn = OTHER[self.turn]
        self.seen.add(self._key(self.board, self.turn))

    def area(self) -> dict[str, int]:
        """Return the points of each colour: stones, and empty points that reach it alone."""
        found = {"x": 0, "o": 0}
        for place, content in self.board.items():
            border = {content} if content != "." else self._connected(self.board, place)[1]
            for colour in border if len(border) == 1 else ():
                found[colour] += 1
        return found

    def winner(self) -> str | None:
        area = self.area()
        lead = 2 * (area["x"] - area["o"]) - self.half_points
        return "black" if lead > 0 else "white" if lead < 0 else None

    def rows(self) -> tuple[str, ...]:
        return tuple(
            "".join(self.board[c, r] for c in range(self.n)) for r in reversed(range(self.n))
        )


def random_game(game: PlainGo, seed: int, plies: int = 300) -> Iterator[Ply | Result]:
    """Play a game by random moves with few passes: yield a Ply for each position, then a Result."""
    chance = random.Random(seed)
    for _ in range(plies):
        if game.passes == 2:
            yield Result(game.winner(), game.rows())
            return
        legal = sorted(game.moves())
        placed = [text for text in legal if text != "pass"]
        played = chance.choice(placed) if placed and chance.random() > 0.05 else "pass"
        yield Ply(SIDES[game.turn], frozenset(legal), played, game.rows())
        game.play(played)
