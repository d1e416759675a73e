"""Games on hexagons, on dictionaries: slow, and written from the rules.

Places are (x, y): half a cell to the right is 1, a row down is 1.
"""

from collections.abc import Iterator

from tests.oracles.plain_placing import LETTERS, Place

WAYS = [(2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1)]
Names = dict[Place, str]


def slanting(rows: list[range]) -> Names:
    """Return rows by their column numbers; columns slant half a cell to the left per row."""
    return {(2 * c - r, r): f"{LETTERS[c]}{r + 1}" for r, cs in enumerate(rows) for c in cs}


def shifted(n: int, odd: bool, holes: bool = False) -> Names:
    """Return rows with every second one half a cell to the right, and with holes a cell shorter."""
    found = {}
    for r in range(n):
        aside = (r + odd) % 2
        for c in range(n - 1 if holes and aside else n):
            found[2 * c + aside, r] = f"{LETTERS[c]}{r + 1}"
    return found


class Hexagons:
    """Sides that alternate; `winner` is None for a draw, and is valid once `over` is true."""

    def __init__(self, sides: str, names: Names) -> None:
        self.sides = sides.split()
        self.mover, self.over = self.sides[0], False
        self.winner: str | None = None
        self.names, self.places = names, {name: place for place, name in names.items()}
        self.grid = dict.fromkeys(names, ".")

    @property
    def other(self) -> str:
        return self.sides[self.sides.index(self.mover) - 1]

    def of(self, symbols: str) -> list[Place]:
        return [place for place, found in self.grid.items() if found in symbols]

    def ray(self, start: Place, way: Place) -> Iterator[Place]:
        """Yield the places after a place, up to the edge of the board."""
        at = start[0] + way[0], start[1] + way[1]
        while at in self.grid:
            yield at
            at = at[0] + way[0], at[1] + way[1]

    def beside(self, place: Place) -> list[Place]:
        return [next(self.ray(place, way)) for way in WAYS if any(self.ray(place, way))]

    def rows(self) -> list[str]:
        lines = sorted({y for _, y in self.grid})
        return ["".join(self.grid[p] for p in sorted(self.grid) if p[1] == y) for y in lines]


class Trike(Hexagons):
    """A pawn on the checker that was placed last; capitals are checkers under it."""

    def __init__(self, n: int = 7) -> None:
        super().__init__("white black", slanting([range(r + 1) for r in range(n)]))
        self.symbol, self.seats = "o", {"o": "white", "x": "black"}
        self.pawn: Place | None = None
        self.swapped = False

    def _targets(self) -> list[str]:
        if self.pawn is None:
            return list(self.places)
        found = []
        for way in WAYS:
            for place in self.ray(self.pawn, way):
                if self.grid[place] != ".":
                    break
                found.append(self.names[place])
        return found

    def legal(self) -> list[str]:
        once = not self.swapped and len(self.of("oxOX")) == 1
        return [*self._targets(), *(["swap"] if once else [])]

    def play(self, text: str) -> None:
        if text == "swap":
            self.swapped, self.seats = True, {"o": "black", "x": "white"}
        else:
            if self.pawn is not None:
                self.grid[self.pawn] = self.grid[self.pawn].lower()
            self.pawn = self.places[text]
            self.grid[self.pawn] = self.symbol.upper()
            self.symbol = "x" if self.symbol == "o" else "o"
            self.over = not self._targets()
        self.mover = self.seats[self.symbol]
        if self.over and self.pawn is not None:
            around = "".join(self.grid[p] for p in [self.pawn, *self.beside(self.pawn)]).lower()
            self.winner = self.seats["o" if around.count("o") > around.count("x") else "x"]


class Yavalath(Hexagons):
    """Three players; a player who makes a row of three, but none of four, is out."""

    def __init__(self) -> None:
        widths = [range(5), range(6), range(7), range(8), range(9)]
        widths += [range(i, 9) for i in range(1, 5)]
        super().__init__("white black red", slanting(widths))
        self.inside = list(self.sides)

    def _lengths(self, place: Place) -> list[int]:
        """Return the lengths of the rows of equal symbols through a place."""
        found = []
        for way in WAYS[:3]:
            length = 1
            for ahead in (way, (-way[0], -way[1])):
                for at in self.ray(place, ahead):
                    if self.grid[at] != self.grid[place]:
                        break
                    length += 1
            found.append(length)
        return found

    def _makes_four(self, player: str, place: Place) -> bool:
        self.grid[place] = symbol(player)
        found = max(self._lengths(place)) >= 4
        self.grid[place] = "."
        return found

    def _follower(self) -> str:
        at = self.sides.index(self.mover)
        return next(p for p in (*self.sides[at + 1 :], *self.sides[:at]) if p in self.inside)

    def legal(self) -> list[str]:
        free = self.of(".")
        threats = {p for p in free if self._makes_four(self._follower(), p)}
        good = [p for p in free if self._makes_four(self.mover, p) or threats <= {p}]
        return [self.names[place] for place in good or free]

    def play(self, text: str) -> None:
        place, last = self.places[text], self.mover
        self.grid[place] = symbol(last)
        lengths = self._lengths(place)
        self.mover = self._follower()
        if max(lengths) >= 4:
            self.winner, self.over = last, True
        elif 3 in lengths:
            self.inside.remove(last)
        if len(self.inside) == 1:
            self.winner, self.over = self.inside[0], True
        self.over = self.over or not self.of(".")


def symbol(player: str) -> str:
    return {"white": "o", "black": "x", "red": "r"}[player]


class Fishing(Hexagons):
    """Floes with fish; `bags` are the fish and the floes that each side has taken."""

    def __init__(self, n: int = 8) -> None:
        super().__init__("red blue", shifted(n, odd=True, holes=True))
        cells = len(self.names)
        self.supply = {k: -(-cells * (4 - k) // 6) for k in (1, 2, 3)}
        self.fish: dict[Place, int] = dict.fromkeys(self.names, 0)
        self.bags = {side: [0, 0] for side in self.sides}
        self.dealt = 0

    def _moves(self, side: str) -> list[str]:
        own = self.of(side[0])
        free = [place for place in self.of(".") if self.fish[place]]
        ones = [place for place in free if self.fish[place] == 1]
        if len(own) < 4 and ones:
            return [self.names[place] for place in ones]
        found = []
        for start in own:
            for way in WAYS:
                for to in self.ray(start, way):
                    if to not in free:
                        break
                    found.append(f"{self.names[start]}-{self.names[to]}")
        return found

    def legal(self) -> list[str]:
        if self.dealt < len(self.names):
            name = list(self.names.values())[self.dealt]
            return [f"{name}={k}" for k, left in self.supply.items() if left]
        return self._moves(self.mover)

    def play(self, text: str) -> None:
        if "=" in text:
            name, _, k = text.partition("=")
            self.fish[self.places[name]] = int(k)
            self.supply[int(k)] -= 1
            self.dealt += 1
        else:
            self._go(text)
        self._judge()

    def _go(self, text: str) -> None:
        start, _, to = text.rpartition("-")
        if start:
            place = self.places[start]
            self.bags[self.mover][0] += self.fish[place]
            self.bags[self.mover][1] += 1
            self.fish[place], self.grid[place] = 0, "."
        self.grid[self.places[to]] = self.mover[0]
        self.mover = self.other if self._moves(self.other) else self.mover

    def _judge(self) -> None:
        self.over = self.dealt == len(self.names) and not any(map(self._moves, self.sides))
        if self.over:
            for side in self.sides:
                for place in self.of(side[0]):
                    self.bags[side][0] += self.fish[place]
                    self.bags[side][1] += 1
            first, second = sorted(self.sides, key=self.bags.__getitem__)
            self.winner = second if self.bags[first] != self.bags[second] else None

    def payoffs(self) -> dict[str, int]:
        return {side: 100 * fish + floes for side, (fish, floes) in self.bags.items()}


class CatHunt(Hexagons):
    """A cat among dots, some of which are placed by chance."""

    def __init__(self, n: int = 11, dots: int = 8) -> None:
        super().__init__("hunter quarry", shifted(n, odd=False))
        self.n, self.dots = n, dots
        self.cat = self.places[f"{LETTERS[n // 2]}{n // 2 + 1}"]
        self.grid[self.cat] = "C"

    def _steps(self) -> list[Place]:
        return [place for place in self.beside(self.cat) if self.grid[place] == "."]

    def legal(self) -> list[str]:
        if self.mover == "hunter":
            return [self.names[place] for place in self.of(".")]
        return [f"{self.names[self.cat]}-{self.names[to]}" for to in self._steps()]

    def play(self, text: str) -> None:
        if self.mover == "hunter":
            self.grid[self.places[text]] = "#"
            self.mover = "hunter" if self.dots else "quarry"
            self.dots = max(self.dots - 1, 0)
        else:
            to = self.places[text.partition("-")[2]]
            self.grid |= {self.cat: ".", to: "C"}
            self.cat, self.mover = to, "hunter"
        x, y = self.cat
        if y in (0, self.n - 1) or x // 2 in (0, self.n - 1):
            self.winner, self.over = "quarry", True
        elif not self._steps():
            self.winner, self.over = "hunter", True
