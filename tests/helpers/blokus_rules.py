"""An independent program of Blokus, written from the rules and without the package.

A position is a mask of squares for each player. All places of all pieces are listed beforehand, as
masks of their squares, of the squares that touch them along an edge and of those at a corner.
"""

from dataclasses import dataclass
from functools import cache

# Squares of the pieces as (x, y), each with its usual letter.
PIECES = {
    "i1": "00",
    "i2": "00 10",
    "i3": "00 10 20",
    "v3": "00 10 01",
    "i4": "00 10 20 30",
    "o4": "00 10 01 11",
    "t4": "00 10 20 11",
    "l4": "00 10 20 01",
    "z4": "00 10 11 21",
    "f": "10 20 01 11 12",
    "i": "00 10 20 30 40",
    "l": "00 10 20 30 01",
    "n": "00 10 20 21 31",
    "p": "00 10 01 11 02",
    "t": "00 10 20 11 12",
    "u": "00 20 01 11 21",
    "v": "00 01 02 12 22",
    "w": "00 01 11 12 22",
    "x": "10 01 11 21 12",
    "y": "00 10 20 30 11",
    "z": "00 10 11 12 22",
}
EDGES = ((1, 0), (-1, 0), (0, 1), (0, -1))
CORNERS = ((1, 1), (1, -1), (-1, 1), (-1, -1))

Square = tuple[int, int]
Squares = frozenset[Square]


@dataclass(frozen=True)
class Place:
    """A piece on the board: masks of its squares, of those along its edges and at its corners."""

    piece: str
    squares: int
    edges: int
    corners: int


def forms(squares: Squares) -> set[Squares]:
    """Return the images of a piece, each with its least coordinates 0."""
    found = set()
    for image in (squares, frozenset((-x, y) for x, y in squares)):
        turned = image
        for _ in range(4):
            turned = frozenset((y, -x) for x, y in turned)
            left, low = min(x for x, _ in turned), min(y for _, y in turned)
            found.add(frozenset((x - left, y - low) for x, y in turned))
    return found


@cache
def places(size: int) -> tuple[Place, ...]:
    """Return all places of all pieces on a board of this size."""
    found = []
    for piece, text in PIECES.items():
        squares = frozenset((int(word[0]), int(word[1])) for word in text.split())
        for form in sorted(map(sorted, forms(squares))):
            for right in range(size):
                for up in range(size):
                    moved = {(x + right, y + up) for x, y in form}
                    if all(x < size and y < size for x, y in moved):
                        near = [around(moved, steps) - moved for steps in (EDGES, CORNERS)]
                        masks = (mask(some, size) for some in (moved, *near))
                        found.append(Place(piece, *masks))
    return tuple(found)


def around(squares: set[Square], steps: tuple[tuple[int, int], ...]) -> set[tuple[int, int]]:
    return {(x + right, y + up) for x, y in squares for right, up in steps}


def mask(squares: set[Square], size: int) -> int:
    """Return bits for the squares on the board; bit 0 is at the top left, in reading order."""
    on = ((x, y) for x, y in squares if 0 <= x < size and 0 <= y < size)
    return sum(1 << (size - 1 - y) * size + x for x, y in on)


class Blokus:
    """A position with as many players as there are start squares, given as bits."""

    def __init__(self, size: int, starts: tuple[int, ...]) -> None:
        self.size, self.starts = size, starts
        self.own = [0] * len(starts)
        self.left = [set(PIECES) for _ in starts]
        self.last = [""] * len(starts)
        self.side = 0

    def moves(self) -> dict[tuple[str, int], Place]:
        """Return the legal placements of the player to move, by piece and squares."""
        own, left, taken = self.own[self.side], self.left[self.side], 0
        for squares in self.own:
            taken |= squares
        return {
            (place.piece, place.squares): place
            for place in places(self.size)
            if place.piece in left
            and not place.squares & taken
            and not place.edges & own
            and (place.corners & own if own else place.squares & self.starts[self.side])
        }

    def play(self, place: Place | None) -> None:
        """Place a piece, or pass."""
        if place is not None:
            self.own[self.side] |= place.squares
            self.left[self.side].remove(place.piece)
            self.last[self.side] = place.piece
        self.side = (self.side + 1) % len(self.starts)

    def score(self, side: int) -> int:
        """Return the squares placed, 15 more if all pieces are, 5 more if i1 was the last."""
        bonus = 0 if self.left[side] else 20 if self.last[side] == "i1" else 15
        return self.own[side].bit_count() + bonus
