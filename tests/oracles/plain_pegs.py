"""Peg solitaire as the set of places with a peg: slow, and written from the rules."""

from tests.oracles.plain_placing import SIDES, Place, name_of, place_of

BOARD = {(c, r) for c in range(7) for r in range(7) if 2 <= c <= 4 or 2 <= r <= 4}


class Pegs:
    """A move is the origin and the target of a peg; columns and rows from 0."""

    def __init__(self) -> None:
        self.mover, self.over = "solver", False
        self.winner: str | None = "solver"
        self.pegs = BOARD - {(3, 3)}

    def _jumps(self) -> dict[tuple[Place, Place], Place]:
        """Return each jump with the place that it passes over."""
        return {
            ((c, r), (c + 2 * i, r + 2 * j)): (c + i, r + j)
            for c, r in self.pegs
            for i, j in SIDES
            if (c + i, r + j) in self.pegs and (c + 2 * i, r + 2 * j) in BOARD - self.pegs
        }

    def legal(self) -> list[str]:
        return [f"{name_of(*start)}-{name_of(*end)}" for start, end in self._jumps()]

    def play(self, text: str) -> None:
        start, end = map(place_of, text.split("-"))
        self.pegs = self.pegs - {start, self._jumps()[start, end]} | {end}
        self.over = not self._jumps()

    def payoffs(self) -> dict[str, int]:
        return {"solver": 32 - len(self.pegs)}

    def rows(self) -> list[str]:
        lines = [[(c, r) for c in range(7) if (c, r) in BOARD] for r in range(6, -1, -1)]
        return ["".join("o" if place in self.pegs else "." for place in line) for line in lines]
