"""Pieces that go round arcs at the corners, on coordinates, written from the rules."""

import random
from collections.abc import Iterator
from itertools import product

from tests.oracles.openspiel import Ply, Result
from tests.oracles.plain_games import Place
from tests.oracles.plain_placing import name_of, place_of

LAST = 5
AROUND = [step for step in product((-1, 0, 1), repeat=2) if any(step)]
STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))


class Arcs:
    """Twelve pieces a side on six by six cells; columns and rows count from the bottom left."""

    def __init__(self) -> None:
        self.plies, self.quiet = 0, 0
        self.men = {
            "black": {(c, r) for c in range(6) for r in (0, 1)},
            "white": {(c, r) for c in range(6) for r in (4, 5)},
        }

    @property
    def mover(self) -> str:
        return ("black", "white")[self.plies % 2]

    @property
    def other(self) -> str:
        return ("white", "black")[self.plies % 2]

    @property
    def over(self) -> bool:
        return self.quiet >= 100 or not all(self.men.values()) or not self.legal()

    @property
    def winner(self) -> str | None:
        black, white = len(self.men["black"]), len(self.men["white"])
        return None if black == white else "black" if black > white else "white"

    def legal(self) -> list[str]:
        own, others = self.men[self.mover], self.men[self.other]
        found = []
        for c, r in own:
            beside = {(c + i, r + j) for i, j in AROUND} - own - others
            steps = {to for to in beside if min(to) >= 0 and max(to) <= LAST}
            found += [f"{name_of(c, r)}-{name_of(*to)}" for to in steps]
            taken = {to for step in STRAIGHT for to in self._met((c, r), step)}
            found += [f"{name_of(c, r)}x{name_of(*to)}" for to in taken]
        return found

    def _met(self, start: Place, step: Place) -> set[Place]:
        """Return the opposing piece that a piece reaches through an arc, if any."""
        own, others = self.men[self.mover] - {start}, self.men[self.other]
        at, way, arcs = start, step, 0
        while True:
            following = (at[0] + way[0], at[1] + way[1])
            if not (min(following) >= 0 and max(following) <= LAST):
                turned = round_arc(at, way)
                if turned is None:
                    return set()
                following, way = turned
                arcs += 1
            if following in own or (following, way) == (start, step):
                return set()
            if following in others:
                return {following} if arcs else set()
            at = following

    def play(self, text: str) -> None:
        start, to = place_of(text[:2]), place_of(text[3:])
        self.men[self.mover].remove(start)
        self.men[self.mover].add(to)
        self.men[self.other].discard(to)
        self.quiet = 0 if "x" in text else self.quiet + 1
        self.plies += 1

    def rows(self) -> list[str]:
        signs = dict.fromkeys(self.men["black"], "x") | dict.fromkeys(self.men["white"], "o")
        return ["".join(signs.get((c, r), ".") for c in range(6)) for r in reversed(range(6))]


def round_arc(at: Place, way: Place) -> tuple[Place, Place] | None:
    """Return the end of an arc, as far from the corner as its start, and the direction there."""
    upright = way[0] == 0
    # on the side that the piece leaves by, and behind it
    across, along = at if upright else at[::-1]
    distance = min(across, LAST - across)
    if distance == 0:
        return None
    side = 0 if across < LAST - across else LAST
    to = (side, distance if along == 0 else LAST - distance)
    turned = (1 if side == 0 else -1, 0)
    return (to, turned) if upright else (to[::-1], turned[::-1])


def random_game(name: str, seed: int) -> Iterator[Ply | Result]:
    """Play a game by random moves, `name` tenths of them captures if there are any."""
    game, chance = Arcs(), random.Random(f"arcs {name} {seed}")
    while not game.over:
        legal = sorted(game.legal())
        taking = [text for text in legal if "x" in text]
        others = [text for text in legal if "x" not in text]
        first, second = (taking, others) if chance.random() < int(name) / 10 else (others, taking)
        played = chance.choice(first or second)
        yield Ply(game.mover, frozenset(legal), played, tuple(game.rows()))
        game.play(played)
    yield Result(game.winner, tuple(game.rows()))


def count(game: Arcs, depth: int) -> int:
    """Count the sequences of so many moves."""
    if depth == 0 or game.over:
        return int(depth == 0)
    if depth == 1:
        return len(game.legal())
    total = 0
    for text in game.legal():
        after = Arcs()
        after.plies, after.quiet = game.plies, game.quiet
        after.men = {side: set(men) for side, men in game.men.items()}
        after.play(text)
        total += count(after, depth - 1)
    return total
