"""Tiles, blocks and orbs on dictionaries and lists: slow, and written from the rules."""

from itertools import product

from tests.oracles.plain_placing import SIDES, Place, name_of, place_of

Four = frozenset[Place]
SQUARE = list(product(range(4), range(4)))
FOURS: list[Four] = [
    *(frozenset((c, r) for c in range(4)) for r in range(4)),
    *(frozenset((c, r) for r in range(4)) for c in range(4)),
    *(frozenset((i, j) for i, j in SQUARE if i + way * j == 3 * (way > 0)) for way in (1, -1)),
    *(frozenset(product((c, c + 1), (r, r + 1))) for c in range(3) for r in range(3)),
]


class Tiles:
    """A tile is a plant and a sign, each from 0 to 3; rows are counted from the bottom."""

    def __init__(self) -> None:
        self.mover, self.over = "first", False
        self.winner: str | None = None
        self.tiles: dict[Place, tuple[int, int]] = {}
        self.tokens: dict[Place, str] = {}
        self.last: tuple[int, int] | None = None

    def legal(self) -> list[str]:
        dealt = len(self.tiles) + len(self.tokens)
        if dealt < 16:
            at = name_of(dealt % 4, 3 - dealt // 4)
            return [f"{at}=t{4 * p + s:x}" for p, s in SQUARE if (p, s) not in self.tiles.values()]
        return [name_of(*place) for place, tile in self.tiles.items() if self._may_go(place, tile)]

    def _may_go(self, place: Place, tile: tuple[int, int]) -> bool:
        if self.last is None:
            return 0 in place or 3 in place
        return tile[0] == self.last[0] or tile[1] == self.last[1]

    def play(self, text: str) -> None:
        name, _, tile = text.partition("=")
        place = place_of(name)
        if tile:
            self.tiles[place] = divmod(int(tile[1], 16), 4)
            return
        last, self.mover = self.mover, "second" if self.mover == "first" else "first"
        self.last = self.tiles.pop(place)
        self.tokens[place] = last
        own = {at for at, side in self.tokens.items() if side == last}
        if any(four <= own for four in FOURS) or not self.legal():
            self.winner, self.over = last, True

    def rows(self) -> list[str]:
        signs = {place: f"{4 * p + s:x}" for place, (p, s) in self.tiles.items()}
        signs |= {place: "x" if side == "first" else "o" for place, side in self.tokens.items()}
        return ["".join(signs.get((c, r), ".") for c in range(4)) for r in (3, 2, 1, 0)]


COLOURS = ("red", "green", "blue", "yellow", "violet")


class Blocks:
    """Columns as lists of colours from the bottom; empty ones are left out."""

    def __init__(self, height: int = 6, width: int = 6) -> None:
        self.mover, self.over = "solver", False
        self.winner: str | None = "solver"
        self.height, self.width = height, width
        self.dealt: list[str] = []
        self.columns: list[list[str]] = []
        self.points = 0

    def _group(self, start: Place) -> set[Place]:
        """Return the connected blocks of one colour that contain this one."""
        found, more = {start}, [start]
        while more:
            c, r = more.pop()
            for at in ((c + i, r + j) for i, j in SIDES):
                if at not in found and self._at(at) == self._at(start):
                    found.add(at)
                    more.append(at)
        return found

    def _at(self, place: Place) -> str:
        c, r = place
        inside = 0 <= c < len(self.columns) and 0 <= r < len(self.columns[c])
        return self.columns[c][r] if inside else ""

    def legal(self) -> list[str]:
        dealt = len(self.dealt)
        if dealt < self.height * self.width:
            at = name_of(dealt % self.width, self.height - 1 - dealt // self.width)
            return [f"{at}={colour}" for colour in COLOURS]
        places = [(c, r) for c, column in enumerate(self.columns) for r in range(len(column))]
        groups = {frozenset(self._group(place)) for place in places}
        # a group is named by its topmost block, and by the leftmost of several
        firsts = [min(group, key=lambda p: (-p[1], p[0])) for group in groups if len(group) > 1]
        return [name_of(*place) for place in firsts]

    def play(self, text: str) -> None:
        name, _, colour = text.partition("=")
        if colour:
            self.dealt.append(colour)
            if len(self.dealt) == self.height * self.width:
                lines = [self.dealt[i :: self.width] for i in range(self.width)]
                self.columns = [line[::-1] for line in lines]
            self.over = not self.legal()
            return
        group = self._group(place_of(name))
        self.points += (len(group) - 2) ** 2
        left = [
            [colour for r, colour in enumerate(column) if (c, r) not in group]
            for c, column in enumerate(self.columns)
        ]
        self.columns = [column for column in left if column]
        self.over = not self.legal()

    def payoffs(self) -> dict[str, int]:
        left = [sum(column.count(colour) for column in self.columns) for colour in COLOURS]
        lost = sum((n - 2) ** 2 for n in left if n)
        return {"solver": self.points - lost if self.columns else self.points + 1000}

    def rows(self) -> list[str]:
        signs = [colour[0] for colour in self.dealt] + ["."] * (self.height * self.width)
        if len(self.dealt) < self.height * self.width:
            return ["".join(signs[i * self.width :][: self.width]) for i in range(self.height)]
        return [
            "".join((self._at((c, r)) or ".")[0] for c in range(self.width))
            for r in reversed(range(self.height))
        ]


class Orbs:
    """The number and owner of the orbs at each place; critical ones explode simultaneously."""

    def __init__(self, height: int = 6, width: int = 5) -> None:
        self.mover, self.over = "red", False
        self.winner: str | None = None
        self.height, self.width = height, width
        self.orbs = dict.fromkeys(product(range(width), range(height)), 0)
        self.owner: dict[Place, str] = {}

    @property
    def other(self) -> str:
        return "green" if self.mover == "red" else "red"

    def legal(self) -> list[str]:
        return [name_of(*p) for p in self.orbs if self.owner.get(p) != self.other]

    def _around(self, place: Place) -> list[Place]:
        beside = [(place[0] + i, place[1] + j) for i, j in SIDES]
        return [at for at in beside if at in self.orbs]

    def play(self, text: str) -> None:
        place, had = place_of(text), self.other in self.owner.values()
        self.orbs[place] += 1
        self.owner[place] = self.mover
        while self.other in self.owner.values():
            full = [at for at, n in self.orbs.items() if n >= len(self._around(at))]
            if not full:
                break
            for at in full:
                self.orbs[at] -= len(self._around(at))
                for near in self._around(at):
                    self.orbs[near] += 1
                    self.owner[near] = self.mover
            self.owner = {at: side for at, side in self.owner.items() if self.orbs[at]}
        if had and self.other not in self.owner.values():
            self.winner, self.over = self.mover, True
        self.mover = self.other

    def rows(self) -> list[str]:
        lines = [[(c, r) for c in range(self.width)] for r in reversed(range(self.height))]
        drawn = ["".join(self.owner.get(p, ".")[0] for p in line) for line in lines]
        numbers = " / ".join(" ".join(str(self.orbs[p]) for p in line) for line in lines)
        return [*drawn, f"mover: {self.mover}", *([f"orbs: {numbers}"] if self.owner else [])]
