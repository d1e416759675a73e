"""Patterns of the cells around a move: its neighbourhood and the cells around that.

On a board of squares these are the twenty cells next to a move, on one of hexagons eighteen. See
decision 206.
"""

from collections.abc import Iterator, Sequence
from itertools import product

from rulesengine.engine.drivers.search.pattern_layout import MOST_OUTER, PATTERN_BITS, SLOTS

EXCHANGED = (0, 2, 1, 3)  # contents of cells with the sides exchanged
_CODE_BYTES = PATTERN_BITS // 8
_IN_BYTE = 4  # contents of cells
_FULL = 0.75  # maximum load factor of the hash table

Cells = tuple[int, ...]
Pair = tuple[int, int]
Image = tuple[tuple[int, ...], bool]


class LargerPatterns:
    """The cells around neighbourhoods, and the symmetries of their contents.

    - `near` has for each cell the next cell of each direction, -1 off the board. Directions to
      adjacent cells come first; `adjacent` is their number.
    - `images` are symmetries of the rules: a place for each direction, and True if the sides are
      exchanged.
    - `cells` has for each cell the cells around its neighbourhood, -1 off the board. One step leads
      there to an adjacent cell, and another one in any direction.

    A code has the contents of these cells in its low bits, the first one highest. The code of the
    neighbourhood follows.
    """

    def __init__(self, near: tuple[Cells, ...], adjacent: int, images: tuple[Image, ...]) -> None:
        self._near = near
        self._points = self._distinct_points(adjacent)
        targets = [list(self._targets_of_all(point)) for point in self._points]
        self.cells = tuple(tuple(column[cell] for column in targets) for cell in range(len(near)))
        self._images = images
        self._tables: list[tuple[list[list[int]], bool]] = []

    @property
    def count(self) -> int:
        """Return the number of cells around a neighbourhood, 0 if they are too many."""
        return len(self._points)

    @property
    def most(self) -> int:
        """Return the maximum number of patterns with weights: a hash table has their images."""
        return int(_FULL * SLOTS) // len(self._images) if self.count else 0

    def classes(self, side: int, code: int) -> set[Pair]:
        """Return the sides and codes that are equivalent to one, this one included."""
        if not self._tables:
            self._tables = [(_byte_tables(*shifts), shifts[1]) for shifts in self.shifts()]
        parts = code.to_bytes(_CODE_BYTES, "little")
        return {
            (
                1 - side if exchanges else side,
                sum(table[part] for table, part in zip(tables, parts, strict=True)),
            )
            for tables, exchanges in self._tables
        }

    def _distinct_points(self, adjacent: int) -> list[list[Pair]]:
        """Return the pairs of steps that lead to each cell around a neighbourhood."""
        ways, points = range(len(self._near[0])), list[list[Pair]]()
        inside = [range(len(self._near)), *zip(*self._near, strict=True)]
        pairs = dict.fromkeys([*product(range(adjacent), ways), *product(ways, range(adjacent))])
        for pair in pairs:
            targets = self._targets(pair)
            if max(targets) >= 0 and not any(_agree(targets, other) for other in inside):
                same = (p for p in points if any(_agree(targets, self._targets(o)) for o in p))
                point = next(same, None)
                if point is None:
                    points.append([pair])
                else:
                    point.append(pair)
        return points if len(points) <= MOST_OUTER else []

    def _targets(self, pair: Pair) -> list[int]:
        """Return the target of two steps from each cell, -1 off the board."""
        first, second = pair
        steps = (row[first] for row in self._near)
        return [self._near[step][second] if step >= 0 else -1 for step in steps]

    def _targets_of_all(self, point: list[Pair]) -> Iterator[int]:
        """Yield the target from each cell by any of some pairs of steps, -1 off the board."""
        yield from map(max, zip(*map(self._targets, point), strict=True))

    def shifts(self) -> list[tuple[list[int], bool]]:
        """Return the bit position in each image of the contents of each cell of a code, lowest
        first, and True for an exchange of the sides.
        """
        numbers = {pair: number for number, point in enumerate(self._points) for pair in point}
        found = list[tuple[list[int], bool]]()
        for places, exchanges in self._images:
            outer = [numbers[places[a], places[b]] for (a, b), *_ in self._points]
            shifts = [2 * (self.count - 1 - place) for place in reversed(outer)]
            shifts += [2 * (place + self.count) for place in places]
            found.append((shifts, exchanges))
        return found


def _byte_tables(shifts: Sequence[int], exchanges: bool) -> list[list[int]]:
    """Return the image of each byte of a code, by place of the byte."""
    padded = [*shifts, *[0] * (_IN_BYTE * _CODE_BYTES - len(shifts))]
    contents = EXCHANGED if exchanges else range(len(EXCHANGED))
    return [
        [
            sum(contents[byte >> 2 * k & 3] << padded[first + k] for k in range(_IN_BYTE))
            for byte in range(1 << 8)
        ]
        for first in range(0, len(padded), _IN_BYTE)
    ]


def _agree(one: Sequence[int], other: Sequence[int]) -> bool:
    """Return True if two ways lead to the same cells, wherever both stay on the board."""
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a >= 0 and b >= 0]
    return bool(pairs) and all(a == b for a, b in pairs)
