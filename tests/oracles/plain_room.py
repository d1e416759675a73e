"""Games of who runs out of room, by hand on dictionaries: slow, from the rules alone."""

from tests.oracles.plain_few import Board, written
from tests.oracles.plain_placing import COMPASS, name_of, place_of


class Cram(Board):
    """Dominoes that lie as they like; rows are counted from the top."""

    sides = "first", "second"

    def __init__(self, columns: int = 6, rows: int = 6) -> None:
        self.width, self.height = columns, rows
        super().__init__()

    def legal(self) -> list[str]:
        lower = [(place, to) for place in self.of(".") for to in self.steps(place, ONWARD, ".")]
        return [f"{name_of(*place)}/{name_of(*to)}" for place, to in lower]

    def play(self, text: str) -> None:
        self.grid |= {place_of(half): "#" for half in text.split("/")}
        last, self.mover = self.mover, self.other
        if not self.legal():
            self.win(last)

    def rows(self) -> list[str]:
        return super().rows()[::-1]


ONWARD = [(1, 0), (0, 1)]


class Snails(Board):
    """Each turn is one step longer than the other side's before it; rows from the bottom."""

    sides = "white", "black"

    def __init__(self, n: int = 8) -> None:
        self.width = self.height = n
        super().__init__()
        self.grid |= {(0, 0): "o", (n - 1, n - 1): "x"}
        self.made, self.due = 0, 1

    def legal(self) -> list[str]:
        (snail,) = self.of("o" if self.mover == "white" else "x")
        return [written(snail, to) for to in self.steps(snail, COMPASS, ".")]

    def play(self, text: str) -> None:
        self.carry(text)
        self.grid[place_of(text.split("-")[0])] = "*"
        self.made += 1
        if self.made == self.due:
            self.made, self.due, self.mover = 0, self.due + 1, self.other
        if not self.legal():
            self.win(self.other)
