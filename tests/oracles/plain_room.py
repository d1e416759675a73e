"""Games of space on the board, on dictionaries: slow, and written from the rules."""

from tests.oracles.plain_few import Board, written
from tests.oracles.plain_placing import COMPASS, SIDES, Place, name_of, place_of


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


class Tablut(Board):
    """Rooks around a king; custodial capture, the king by four; rows from the bottom."""

    sides, width, height = ("muscovites", "swedes"), 9, 9
    START = (
        *("...xxx...", "....x....", "....o....", "x...o...x", "xxooKooxx"),
        *("x...o...x", "....o....", "....x....", "...xxx..."),
    )

    def __init__(self) -> None:
        super().__init__()
        self.grid = {(c, r): self.START[8 - r][c] for c in range(9) for r in range(9)}

    def legal(self) -> list[str]:
        starts = [place for place, s in self.grid.items() if s in self._own()]
        moves = [(start, to) for start in starts for way in SIDES for to in self._way(start, way)]
        return [written(*move, "x" if self._taken(*move) else "-") for move in moves]

    def _own(self) -> str:
        return "x" if self.mover == "muscovites" else "oK"

    def _way(self, start: Place, way: Place) -> list[Place]:
        """Return the cells where a piece may stop: before the first other one, and no man in the
        middle.
        """
        found, at = [], start
        while self.grid.get(at := (at[0] + way[0], at[1] + way[1])) == ".":
            if at != (4, 4) or self.grid[start] == "K":
                found.append(at)
        return found

    def _taken(self, start: Place, to: Place) -> list[Place]:
        """Return the men between the cell of arrival and another own piece."""
        enemy, found = "o" if self.mover == "muscovites" else "x", []
        for i, j in SIDES:
            between, beyond = (to[0] + i, to[1] + j), (to[0] + 2 * i, to[1] + 2 * j)
            flanked = beyond != start and self.grid.get(beyond, "|") in self._own()
            if flanked and self.grid[between] == enemy:
                found.append(between)
        return found

    def play(self, text: str) -> None:
        start, to = map(place_of, text.replace("x", "-").split("-"))
        taken = self._taken(start, to)
        self.carry(text)
        self.grid |= dict.fromkeys(taken, ".")
        self.mover = self.other
        ((c, r),) = self.of("K")
        around = [(c + i, r + j) for i, j in SIDES]
        if c in (0, 8) or r in (0, 8):
            self.win("swedes")
        elif all(self.grid[cell] == "x" or cell == (4, 4) for cell in around):
            self.win("muscovites")
        elif not self.legal():
            self.win(self.other)


class Rolit(Board):
    """Balls of four colours, not all with a player; rows are counted from the top."""

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
        """Return the balls between a place and the nearest of the mover's in each direction."""
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
