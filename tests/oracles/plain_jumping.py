"""Men that jump from corner to corner, on a dictionary: slow, and written from the rules."""

import random
from collections.abc import Iterator
from itertools import product

from tests.oracles.openspiel import Ply, Result
from tests.oracles.plain_games import Place
from tests.oracles.plain_placing import name_of, place_of

AROUND = [step for step in product((-1, 0, 1), repeat=2) if any(step)]
# The men of a camp, row by row from its corner.
CAMPS = {8: (4, 3, 2, 1), 10: (5, 4, 3, 2, 1), 16: (5, 5, 4, 3, 2)}


class Jumping:
    """Two camps of men; rows and columns are counted from the bottom left, from 0."""

    def __init__(self, n: int = 8, limit: int = 200) -> None:
        self.n, self.limit, self.plies = n, limit, 0
        self.winner: str | None = None
        lower = {(c, r) for r, men in enumerate(CAMPS[n]) for c in range(men)}
        upper = {(n - 1 - c, n - 1 - r) for c, r in lower}
        self.goals = {"white": upper, "black": lower}
        self.men = {"white": set(lower), "black": set(upper)}

    @property
    def mover(self) -> str:
        return ("white", "black")[self.plies % 2]

    @property
    def over(self) -> bool:
        return self.winner is not None or self.plies >= self.limit

    def legal(self) -> list[str]:
        goal = self.goals[self.mover]
        found = [
            f"{name_of(*man)}-{name_of(*to)}"
            for man in self.men[self.mover]
            for to in self._steps(man) | self._jumps(man)
            if to in goal or man not in goal
        ]
        return found or ["pass"]

    def _taken(self) -> set[Place]:
        return self.men["white"] | self.men["black"]

    def _is_free(self, place: Place) -> bool:
        return min(place) >= 0 and max(place) < self.n and place not in self._taken()

    def _steps(self, man: Place) -> set[Place]:
        beside = {(man[0] + i, man[1] + j) for i, j in AROUND}
        return set(filter(self._is_free, beside))

    def _jumps(self, man: Place) -> set[Place]:
        """Return the targets of jumps, depth first; the man itself has left its cell."""
        others, found = self._taken() - {man}, set[Place]()

        def go_on(at: Place) -> None:
            for i, j in AROUND:
                over, to = (at[0] + i, at[1] + j), (at[0] + 2 * i, at[1] + 2 * j)
                if over in others and self._is_free(to) and to not in found:
                    found.add(to)
                    go_on(to)

        go_on(man)
        return found

    def play(self, text: str) -> None:
        men = self.men[self.mover]
        if text != "pass":
            start, to = map(place_of, text.split("-"))
            men.remove(start)
            men.add(to)
        if men == self.goals[self.mover]:
            self.winner = self.mover
        self.plies += 1

    def gained(self, text: str) -> int:
        start, to = map(place_of, text.split("-"))
        sign = 1 if self.mover == "white" else -1
        return sign * (sum(to) - sum(start))

    def rows(self) -> list[str]:
        signs = dict.fromkeys(self.men["white"], "o") | dict.fromkeys(self.men["black"], "x")
        across = range(self.n)
        return ["".join(signs.get((c, r), ".") for c in across) for r in reversed(across)]


def random_game(name: str, seed: int, limit: int = 200) -> Iterator[Ply | Result]:
    """Play a game by random moves, most of them forwards, since hardly any game would end
    otherwise.

    `name` is the number of rows.
    """
    game, chance = Jumping(int(name), limit), random.Random(f"jumping {name} {seed}")
    while not game.over:
        legal = sorted(game.legal())
        played = chance.choice(legal)
        if chance.random() < 0.9 and legal != ["pass"]:
            played = max(legal, key=game.gained)
        yield Ply(game.mover, frozenset(legal), played, tuple(game.rows()))
        game.play(played)
    yield Result(game.winner, tuple(game.rows()))


def count(game: Jumping, depth: int) -> int:
    """Count the sequences of so many moves."""
    if game.over or depth == 0:
        return int(depth == 0)
    if depth == 1:
        return len(game.legal())
    total = 0
    for text in game.legal():
        after = Jumping(game.n, game.limit)
        after.plies, after.men = game.plies, {side: set(men) for side, men in game.men.items()}
        after.play(text)
        total += count(after, depth - 1)
    return total
