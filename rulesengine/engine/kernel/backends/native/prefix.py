"""Floods along lines, for all cells of a set at once and any layout of sets.

A parallel prefix computation (Kogge and Stone, IEEE Trans. Computers, 1973; Hillis and Steele, Data
Parallel Algorithms, CACM, 1986), with bitboards the Kogge-Stone occluded fill: a set moves by as
many cells as are known to be passable in a row, and that number doubles.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulesengine.engine.kernel.code.form import Rays, Runs


class Directions(ABC):
    """Several directions that are processed in parallel: a value holds a set for each."""

    directions: int = 1

    @abstractmethod
    def op(self, name: str, x: str, y: str) -> str: ...

    @abstractmethod
    def on(self, cells: str, steps: Sequence[int]) -> str:
        """Return the sets moved by the given number of steps in each direction."""

    def inside(self, over: str) -> str:
        """Return the cells of `over` through which a flood stays on its line."""
        return over

    def begin(self, ends: str) -> str:
        """Convert start sets to the representation of this way."""
        return ends

    def leaving(self, begun: str) -> str:
        """Return the cells that have a next cell in this direction."""
        return begun

    def through(self, cells: str, passing: str, steps: Sequence[int]) -> str:
        """Move the sets to the cells at the end of so many passable cells in a row."""
        return self.op("and", self.on(cells, steps), passing)

    def leave(self, cells: str) -> str:
        """Return the cells next to those of the sets, passable or not."""
        return self.on(cells, self.one())

    def fill(
        self, cells: list[str], passing: str, reach: "Reach", directions: Sequence["Directions"]
    ) -> list[str]:
        """Grow sets along their directions in as few rounds as possible; this way is `ways[0]`."""
        for half, steps in rounds(reach):
            if half:
                moved = self.on(passing, [half] * self.directions)
                passing = self.op("and", passing, moved)
            pairs = zip(directions, cells, strict=True)
            cells = [
                direction.op("or", at, direction.through(at, passing, steps))
                for direction, at in pairs
            ]
        return cells

    def one(self) -> list[int]:
        """Return one step for each direction."""
        return [1] * self.directions


@dataclass(frozen=True, slots=True)
class Reach:
    """The extent of a flood: at least `least` cells, then up to `rooms` different lengths.

    `rooms` has a number for each direction of the way. Unless `exact` is set, a flood may run to
    the ends of its lines.
    """

    least: int
    rooms: tuple[int, ...]
    exact: bool = False


def lengths(rays: Rays) -> list[int]:
    """Return the length of the longest ray of each direction."""
    return [max(map(len, cells), default=0) for cells in rays.cells]


def usable_directions(runs: Runs) -> list[int]:
    """Return the directions that are long enough for a run."""
    return [k for k, room in enumerate(_rooms(runs)) if room > 0]


def reach_of(runs: Runs, directions: Sequence[int]) -> Reach:
    """Return the extent of the flood of some directions for runs."""
    rooms = _rooms(runs)
    exact = runs.rays.cyclic or runs.most is not None
    return Reach(runs.least, tuple(rooms[k] for k in directions), exact)


def _rooms(runs: Runs) -> list[int]:
    """Return the number of run lengths that fit into each direction."""
    most = [length - 1 for length in lengths(runs.rays)]
    if runs.most is not None:
        most = [min(length, runs.most) for length in most]
    return [length - runs.least + 1 for length in most]


def flood(directions: Sequence[Directions], reach: Reach, over: str, start: str) -> list[str]:
    """Return, for each way, the cells of `over` that follow cells of `start` without a gap.

    All ways share the same lines, so the passable cells of the first hold for all.
    """
    first = directions[0]
    passing = first.inside(over)

    def entered(direction: Directions) -> str:
        at = direction.begin(start)
        for _ in range(reach.least):
            at = direction.through(at, passing, direction.one())
        return at if reach.least else direction.leaving(at)

    return first.fill([entered(direction) for direction in directions], passing, reach, directions)


def toward(directions: Sequence[Directions], reach: Reach, over: str, until: str) -> list[str]:
    """Return, for each way, the cells next to those flooded from `until`; ways point backwards."""
    cells = flood(directions, reach, over, until)
    return [direction.leave(at) for direction, at in zip(directions, cells, strict=True)]


def rounds(reach: Reach) -> Iterator[tuple[int, list[int]]]:
    """Yield the rounds of a flood: the length that is doubled first, or 0, and steps by direction.

    A cell in a run longer than the lengths covered so far is in a run of any length that a step
    has.

    >>> list(rounds(Reach(1, (7,), exact=True)))
    [(0, [1]), (1, [2]), (0, [2]), (0, [1])]
    >>> list(rounds(Reach(1, (6, 3))))
    [(0, [1, 1]), (1, [2, 2]), (0, [2, 2])]
    """
    covered = power = 1
    room = max(reach.rooms)
    while covered < room:
        doubles = 2 * power <= covered and room - covered > power
        half, power = power if doubles else 0, power << doubles
        fitting = [max(0, min(power, room - covered)) for room in reach.rooms]
        yield half, fitting if reach.exact else [power] * len(fitting)
        covered += power


def row_starts(back: Directions, cells: str, length: int) -> str:
    """Return the cells at which a row of this length in the set begins; `back` points backwards."""
    for step in doublings(length):
        cells = back.op("and", cells, back.on(cells, [step] * back.directions))
    return cells


def doublings(length: int) -> Iterator[int]:
    """Yield the steps that find the beginnings of rows of a length by doubling.

    >>> list(doublings(5))
    [1, 2, 1]
    """
    covered = 1
    while covered < length:
        step = min(covered, length - covered)
        yield step
        covered += step
