"""An independent program of Hive, written from the rules and without the package.

A position maps the cells of an endless plane, (column, row), to stacks. A stack is a text from the
bottom to the top: `Q S B G A` are the queen, a spider, a beetle, a grasshopper and an ant of white,
those of black are small. Moves have the notation of the bundled game, on a board of 24 rows and
columns.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

SIZE = 24
FIRST = (13, 12)
Cell = tuple[int, int]
KINDS = {"Q": "queen", "S": "spider", "B": "beetle", "G": "grasshopper", "A": "ant"}
PIECES = {"Q": 1, "S": 2, "B": 2, "G": 3, "A": 3}
# In the order of the circle, so that the neighbours of a step are the steps before and after it.
WAYS = ((1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0), (0, 1))
LETTERS = "abcdefghijklmnopqrstuvwx"


@dataclass
class Hive:
    """A position; `plies` counts all moves, `earlier` the positions of the game with this one."""

    stacks: dict[Cell, str] = field(default_factory=dict)
    side: int = 0
    plies: int = 0
    tournament: bool = False
    earlier: Counter[object] = field(default_factory=Counter)

    def moves(self) -> dict[str, "Hive"]:
        """Return the positions after all legal moves, by the texts of the moves."""
        found = dict(self._placements())
        if self._hand["Q"] == 0:
            found |= dict(self._movements())
        return found or {"pass": self._after(dict(self.stacks))}

    def winner(self) -> int | None:
        """Return the side that has won, 2 for a draw, None if the game goes on."""
        lost = [self._is_surrounded(side) for side in (0, 1)]
        if any(lost):
            return 2 if all(lost) else lost.index(False)
        return 2 if self.earlier[self._key()] >= 2 else None

    def board(self) -> dict[str, str]:
        """Return the stacks by the names of cells of the bundled game."""
        return {name_of(cell): stack for cell, stack in self.stacks.items()}

    @cached_property
    def _hand(self) -> Counter[str]:
        on_table = "".join(self.stacks.values())
        own = [p.upper() for p in on_table if p.isupper() == (self.side == 0)]
        return Counter(PIECES) - Counter(own) + Counter()

    def _key(self) -> object:
        return self.side, frozenset(self.stacks.items())

    def _after(self, stacks: dict[Cell, str]) -> "Hive":
        earlier = self.earlier + Counter([self._key()])
        return Hive(stacks, 1 - self.side, self.plies + 1, self.tournament, earlier)

    def _owner(self, cell: Cell) -> int | None:
        stack = self.stacks.get(cell)
        return None if stack is None else int(stack[-1].islower())

    def _sites(self) -> set[Cell]:
        if self.plies == 0:
            return {FIRST}
        near = {b for a in self.stacks for b in neighbours(a)} - self.stacks.keys()
        if self.plies == 1:
            return near
        return {c for c in near if {self._owner(b) for b in neighbours(c)} <= {None, self.side}}

    def _placements(self) -> Iterator[tuple[str, "Hive"]]:
        pieces = set(self._hand)
        if self.plies >= 6 and "Q" in pieces:
            pieces = {"Q"}
        if self.plies < 2 and self.tournament:
            pieces -= {"Q"}
        for piece in pieces:
            for cell in self._sites():
                symbol = piece if self.side == 0 else piece.lower()
                text = f"{name_of(cell)}={KINDS[piece]}"
                yield text, self._after(self.stacks | {cell: symbol})

    def _movements(self) -> Iterator[tuple[str, "Hive"]]:
        for cell, stack in self.stacks.items():
            rest = {c: s for c, s in self.stacks.items() if c != cell}
            if stack[:-1]:
                rest[cell] = stack[:-1]
            if self._owner(cell) != self.side or not is_connected(set(rest)):
                continue
            for target in self._targets(stack[-1].upper(), cell, rest) - {cell}:
                text = f"{name_of(cell)}-{name_of(target)}"
                yield text, self._after(rest | {target: rest.get(target, "") + stack[-1]})

    def _targets(self, piece: str, cell: Cell, rest: dict[Cell, str]) -> set[Cell]:
        match piece:
            case "Q":
                return crawls(cell, rest)
            case "A":
                return ant_targets(cell, rest)
            case "S":
                paths = [[cell]]
                for _ in range(3):
                    paths = [[*p, c] for p in paths for c in crawls(p[-1], rest) if c not in p]
                return {path[-1] for path in paths}
            case "G":
                return set(grasshopper_targets(cell, rest))
        return beetle_targets(cell, rest)

    def _is_surrounded(self, side: int) -> bool:
        queen = "Qq"[side]
        cells = [cell for cell, stack in self.stacks.items() if queen in stack]
        return any(all(b in self.stacks for b in neighbours(cell)) for cell in cells)


def neighbours(cell: Cell) -> list[Cell]:
    """Return the six cells around a cell, in the order of the circle."""
    return [(cell[0] + dx, cell[1] + dy) for dx, dy in WAYS]


def is_connected(cells: set[Cell]) -> bool:
    """True if cells are one hive."""
    front = list(cells)[:1]
    reached = set(front)
    while front:
        new = set(neighbours(front.pop())) & cells - reached
        reached |= new
        front += new
    return reached == cells


def steps(cell: Cell, rest: dict[Cell, str]) -> Iterator[tuple[Cell, list[int]]]:
    """Yield each neighbour with the heights of the two cells next to both it and the cell."""
    circle = neighbours(cell)
    for i, target in enumerate(circle):
        yield target, [len(rest.get(circle[j], "")) for j in (i - 1, (i + 1) % 6)]


def crawls(cell: Cell, rest: dict[Cell, str]) -> set[Cell]:
    """Return the targets of a step on the table that keeps contact and fits between the pieces."""
    found = steps(cell, rest)
    return {c for c, heights in found if c not in rest and sorted(map(bool, heights)) == [0, 1]}


def ant_targets(cell: Cell, rest: dict[Cell, str]) -> set[Cell]:
    """Return the cells that any number of steps on the table reach."""
    reached, front = {cell}, [cell]
    while front:
        new = crawls(front.pop(), rest) - reached
        reached |= new
        front += new
    return reached


def grasshopper_targets(cell: Cell, rest: dict[Cell, str]) -> Iterator[Cell]:
    """Yield the first empty cell behind each straight row of pieces next to a cell."""
    for dx, dy in WAYS:
        x, y = cell[0] + dx, cell[1] + dy
        if (x, y) in rest:
            while (x, y) in rest:
                x, y = x + dx, y + dy
            yield x, y


def beetle_targets(cell: Cell, rest: dict[Cell, str]) -> set[Cell]:
    """Return the targets of a step that may lead up, down, or over other pieces."""
    found = set()
    for target, heights in steps(cell, rest):
        level = max(len(rest.get(cell, "")), len(rest.get(target, "")))
        is_free = min(heights) <= level
        if is_free and (level > 0 or max(heights) > 0):
            found.add(target)
    return found


def name_of(cell: Cell) -> str:
    """Return the name of a cell of the bundled game; columns and rows count from 1."""
    return f"{LETTERS[(cell[0] - 1) % SIZE]}{(cell[1] - 1) % SIZE + 1}"


def perft(game: Hive, depth: int) -> int:
    """Return the number of sequences of moves; a finished game has no more."""
    if depth == 0:
        return 1
    if game.winner() is not None:
        return 0
    return sum(perft(after, depth - 1) for after in game.moves().values())
