"""What follows on sets of cells along lines, for all cells at once, whatever holds the sets.

A parallel prefix computation (Kogge and Stone, IEEE Trans. Computers, 1973; Hillis and Steele,
Data Parallel Algorithms, CACM, 1986), with bitboards the Kogge-Stone occluded fill: a set goes
on by as many cells as are known to pass in a row, and rows of twice as many follow from these.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulesengine.engine.kernel.code.form import Rays, Runs


class Way(ABC):
    """So many directions side by side: a value holds a set for each."""

    directions: int = 1

    @abstractmethod
    def op(self, name: str, x: str, y: str) -> str: ...

    @abstractmethod
    def on(self, cells: str, steps: Sequence[int]) -> str:
        """The sets moved on, each by so many steps of its direction."""

    def inside(self, over: str) -> str:
        """The cells that pass, of those that may: who goes on from these stays on its line."""
        return over

    def begin(self, ends: str) -> str:
        """Sets as they go this way."""
        return ends

    def leaving(self, begun: str) -> str:
        """Of such sets the cells that have a next one."""
        return begun

    def through(self, cells: str, passing: str, steps: Sequence[int]) -> str:
        """The sets moved on to where so many cells in a row pass."""
        return self.op("and", self.on(cells, steps), passing)

    def leave(self, cells: str) -> str:
        """The cells next to those of the sets, whether or not they pass."""
        return self.on(cells, self.one())

    def fill(
        self, cells: list[str], passing: str, reach: "Reach", ways: Sequence["Way"]
    ) -> list[str]:
        """What sets grow to in as few rounds as can be, for ways of which this is the first."""
        for half, steps in rounds(reach):
            if half:
                moved = self.on(passing, [half] * self.directions)
                passing = self.op("and", passing, moved)
            pairs = zip(ways, cells, strict=True)
            cells = [way.op("or", at, way.through(at, passing, steps)) for way, at in pairs]
        return cells

    def one(self) -> list[int]:
        """A step in each direction."""
        return [1] * self.directions


@dataclass(frozen=True, slots=True)
class Reach:
    """How far a way goes on: `least` cells, up to `rooms` different numbers from there.

    There is one room for each direction of the way. Lines may be trusted to end where theirs do
    unless it is `exact`.
    """

    least: int
    rooms: tuple[int, ...]
    exact: bool = False


def lengths(rays: Rays) -> list[int]:
    """How many cells the longest ray of each direction has."""
    return [max(map(len, cells), default=0) for cells in rays.cells]


def roomy(runs: Runs) -> list[int]:
    """The directions in which there is room for a run."""
    return [k for k, room in enumerate(_rooms(runs)) if room > 0]


def reach_of(runs: Runs, directions: Sequence[int]) -> Reach:
    """How far some directions go on for runs."""
    rooms = _rooms(runs)
    exact = runs.rays.cyclic or runs.most is not None
    return Reach(runs.least, tuple(rooms[k] for k in directions), exact)


def _rooms(runs: Runs) -> list[int]:
    """How many numbers of cells, from the least one on, fit between the ends of each direction."""
    most = [length - 1 for length in lengths(runs.rays)]
    if runs.most is not None:
        most = [min(length, runs.most) for length in most]
    return [length - runs.least + 1 for length in most]


def flood(ways: Sequence[Way], reach: Reach, over: str, start: str) -> list[str]:
    """For each way the cells of `over` that follow on those of `start` without a gap.

    Ways go along the same lines, so that what passes for one does for all.
    """
    first = ways[0]
    passing = first.inside(over)

    def entered(way: Way) -> str:
        at = way.begin(start)
        for _ in range(reach.least):
            at = way.through(at, passing, way.one())
        return at if reach.least else way.leaving(at)

    return first.fill([entered(way) for way in ways], passing, reach, ways)


def toward(ways: Sequence[Way], reach: Reach, over: str, until: str) -> list[str]:
    """For each way the cells next to what is flooded; ways lead back from `until`."""
    cells = flood(ways, reach, over, until)
    return [way.leave(at) for way, at in zip(ways, cells, strict=True)]


def rounds(reach: Reach) -> Iterator[tuple[int, list[int]]]:
    """How a flood goes on: the number that is doubled first, or 0, and steps by direction.

    Who is in a longer row than those so far is in one of as many cells as any step has.

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


def row_starts(back: Way, cells: str, length: int) -> str:
    """The cells from which so many in a row are in the set; the way leads back along the rows."""
    for step in doublings(length):
        cells = back.op("and", cells, back.on(cells, [step] * back.directions))
    return cells


def doublings(length: int) -> Iterator[int]:
    """The steps by which cells that begin rows of so many are found.

    >>> list(doublings(5))
    [1, 2, 1]
    """
    covered = 1
    while covered < length:
        step = min(covered, length - covered)
        yield step
        covered += step
