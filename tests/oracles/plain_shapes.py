"""The L game on sets of cells: slow, and written from the rules."""

from itertools import combinations, product

from tests.oracles.plain_placing import Place, name_of, place_of

Shape = frozenset[Place]
CELLS: Shape = frozenset((c, r) for c in range(4) for r in range(4))
WAYS = {(0, 1): "north", (1, 0): "east", (0, -1): "south", (-1, 0): "west"}


def _at_origin(cells: Shape) -> Shape:
    left, bottom = min(c for c, _ in cells), min(r for _, r in cells)
    return frozenset((c - left, r - bottom) for c, r in cells)


def _turned(cells: Shape) -> Shape:
    return _at_origin(frozenset((r, -c) for c, r in cells))


def _mirrored(cells: Shape) -> Shape:
    return _at_origin(frozenset((-c, r) for c, r in cells))


def _around(shape: Shape) -> set[Shape]:
    """Return all rotations and reflections of a shape."""
    found = {_at_origin(shape)}
    while True:
        more = found | {_turned(s) for s in found} | {_mirrored(s) for s in found}
        if more == found:
            return found
        found = more


_ORIENTED = _around(frozenset({(0, 0), (0, 1), (0, 2), (1, 0)}))
# Every set of four cells that has the shape of an L.
SHAPES = [s for s in map(frozenset, combinations(sorted(CELLS), 4)) if _at_origin(s) in _ORIENTED]


class Shapes:
    """Two Ls and two coins; rows are counted from the bottom."""

    def __init__(self) -> None:
        self.mover, self.over = "first", False
        self.winner: str | None = None
        self.shapes = {
            "first": frozenset({(1, 3), (2, 3), (2, 2), (2, 1)}),
            "second": frozenset({(1, 2), (1, 1), (1, 0), (2, 0)}),
        }
        self.coins = {(0, 3), (3, 0)}

    def room(self) -> list[Shape]:
        """Return the placements of the mover's L."""
        other = "second" if self.mover == "first" else "first"
        taken = self.shapes[other] | self.coins
        return [s for s in SHAPES if not s & taken and s != self.shapes[self.mover]]

    def legal(self) -> list[str]:
        found = []
        other = "second" if self.mover == "first" else "first"
        for shape in self.room():
            text, free = _written(shape), CELLS - shape - self.shapes[other] - self.coins
            found.append(text)
            for coin, to in product(self.coins, free):
                found.append(f"{text},{name_of(*coin)}-{name_of(*to)}")
        return found

    def play(self, text: str) -> None:
        where, _, coin = text.partition(",")
        (self.shapes[self.mover],) = [s for s in SHAPES if _written(s) == where]
        if coin:
            start, to = map(place_of, coin.split("-"))
            self.coins = self.coins - {start} | {to}
        last, self.mover = self.mover, "second" if self.mover == "first" else "first"
        if not self.room():
            self.winner, self.over = last, True

    def rows(self) -> list[str]:
        signs = dict.fromkeys(self.shapes["first"], "x") | dict.fromkeys(self.shapes["second"], "o")
        signs |= dict.fromkeys(self.coins, "#")
        return ["".join(signs.get((c, r), ".") for c in range(4)) for r in (3, 2, 1, 0)]


def _written(shape: Shape) -> str:
    """Write a shape: the corner cell, the direction of two cells, the direction of one."""
    for c, r in shape:
        ways = [way for way in WAYS if (c + way[0], r + way[1]) in shape]
        if len(ways) == 2 and ways[0][0] * ways[1][0] + ways[0][1] * ways[1][1] == 0:
            ways.sort(key=lambda way: (c + 2 * way[0], r + 2 * way[1]) not in shape)
            return "-".join([name_of(c, r), WAYS[ways[0]], WAYS[ways[1]]])
    raise ValueError(shape)
