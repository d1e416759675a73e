"""Games of room on the board, by hand on dictionaries: slow, and written from the rules alone."""

from tests.oracles.plain_few import Board, written
from tests.oracles.plain_placing import COMPASS, Place, name_of, place_of


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


class Rolit(Board):
    """Balls of four colours, not all of which need a player; rows are counted from the top."""

    sides, width, height = ("red", "yellow"), 8, 8

    def __init__(self, *colours: str) -> None:
        super().__init__()
        self.colours, self.mover = colours, colours[0]
        centre = [(3, 3), (4, 3), (4, 4), (3, 4)]
        symbols = [colour[0] for colour in colours] + 2 * ["*"]
        self.grid |= dict(zip(centre, symbols, strict=False))

    def legal(self) -> list[str]:
        free = self.of(".")
        enclosing = [place for place in free if self._enclosed(place)]
        beside = [place for place in free if self._around(place)]
        return [name_of(*place) for place in enclosing or beside]

    def _around(self, place: Place) -> list[Place]:
        around = [(place[0] + i, place[1] + j) for i, j in COMPASS]
        return [cell for cell in around if self.grid.get(cell, ".") != "."]

    def _enclosed(self, place: Place) -> list[Place]:
        """The balls between a place and the nearest of the mover's in each direction."""
        found = []
        for i, j in COMPASS:
            way = [(place[0] + n * i, place[1] + n * j) for n in range(1, 8)]
            symbols = [self.grid.get(cell, ".") for cell in way]
            if self.mover[0] in symbols:
                last = symbols.index(self.mover[0])
                found += way[:last] if "." not in symbols[:last] else []
        return found

    def play(self, text: str) -> None:
        place = place_of(text)
        self.grid |= dict.fromkeys([place, *self._enclosed(place)], self.mover[0])
        self.mover = self.colours[(self.colours.index(self.mover) + 1) % len(self.colours)]
        if not self.of("."):
            most, second = sorted((len(self.of(c[0])), c) for c in self.colours)[:-3:-1]
            self.win(most[1] if most[0] > second[0] else None)

    def rows(self) -> list[str]:
        return super().rows()[::-1]
