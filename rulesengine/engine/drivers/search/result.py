"""What a search is told and what it tells."""

import re
from math import pow
from numbers import Real
from typing import Literal

from rulesengine.engine.drivers.search.layout import DEEPEST, SURE, WON
from rulesengine.errors import UsageError
from rulesengine.state import Move
from rulesengine.support.frozen import record

# A game won at once; each ply until the end takes one off.
WIN = 10**6
LIMITS = ("seconds", "nodes", "plies", "playouts")
TREES = ("mcts", "uct", "grave")  # tree search: as suits the game, plain, with all moves as first
METHODS = ("auto", "alpha-beta", *TREES)
LEVELS = 8  # of play
_LOWEST, _HIGHEST = 50, 109_350  # what the lowest level does, and the highest one
_VISITS = 4  # random games for each move that the lowest level plays at least
_GOLDEN = 2_654_435_769  # 2**32 over the golden ratio: its multiples are spread evenly
_NUMBER = re.compile(r"[0-9]{1,15}(\.[0-9]{1,6})?")
Unit = Literal["points", "plies", "estimate", "chance", "result"]


@record
class Value:
    """What a position is worth to the side to move, and in which unit.

    `points`: by how much its score leads at the end. `plies`: the game is won if the number is
    above 0 and lost below, `WIN` less the plies to the end, of which a search by nodes or time may
    tell more than it takes; 0 is a draw. `estimate`: what the
    evaluation of the game says, which is not certain. `chance`: from -1000 for a game that is
    lost to 1000 for one that is won, as random games tell; 1000 and -1000 are certain. `result`:
    1 for a game that has been won, -1 for one that has been lost, 0 for a draw.
    """

    number: int
    unit: Unit

    def __str__(self) -> str:
        if self.unit == "points":
            return f"{self.number:+} points" if abs(self.number) != 1 else f"{self.number:+} point"
        if self.unit == "chance":
            return f"{self.number / 10:+.1f} %"
        if self.unit == "estimate":
            return f"{self.number:+}"
        if self.number == 0:
            return "draw"
        if self.unit == "result":
            return "won" if self.number > 0 else "lost"
        return f"{'win' if self.number > 0 else 'loss'} in {WIN - abs(self.number)}"


@record
class Found:
    """The result of a search.

    `move` is the best one, `value` what it is worth to the side to move, in the unit that `unit`
    names (as `Value` tells), `line` how both sides go on, `nodes` how many positions were looked
    at, `depth` the plies of the last round that was finished. `moves` are all legal moves with
    their values, best first; all but the first ones are worth at most that. `whole` tells that
    nothing was estimated.
    """

    move: Move
    value: int
    unit: Unit
    line: tuple[Move, ...]
    nodes: int
    depth: int
    seconds: float
    moves: tuple[tuple[Move, Value], ...]
    whole: bool


Result = Literal["win", "loss", "draw"]


@record
class Solved:
    """The exact value of a position, as far as it was found.

    `value` is the result for the side to move under best play, None if it was not found within the
    budget; `score` by how much that side leads at the end in a game of points, else None. `move`
    is a best move, `line` how both sides go on; `distance` is the plies to the end, the winner
    taking as few as can be and the loser as many, None in games of points, in draws, and where
    only the value was looked for. `nodes` are the positions looked at. Of what was not found,
    `at_least` and `at_most` are what is known, and `depth` is how many plies were looked ahead; a
    value is found by looking to the end of the game, and has none. `memory` are
    the megabytes of the tables where there was no room for what was asked for. A game is `endless`
    if chance may lead it back to a position: nobody then looks to the end of all that may happen.
    """

    value: Result | None
    score: int | None
    move: Move | None
    distance: int | None
    line: tuple[Move, ...]
    nodes: int
    depth: int | None
    seconds: float
    at_least: Result = "loss"
    at_most: Result = "win"
    memory: int | None = None
    endless: bool = False


def solved(found: Found) -> Solved:
    """What a search has found that is certain."""
    certain = found.unit in ("points", "plies")
    value: Result | None = None
    if certain:
        value = "win" if found.value > 0 else "loss" if found.value < 0 else "draw"
    points, plies = found.unit == "points", found.unit == "plies" and found.value != 0
    return Solved(
        value,
        found.value if points and found.whole else None,
        found.move if certain else None,
        WIN - abs(found.value) if plies else None,
        found.line if certain else (),
        found.nodes,
        None if certain else found.depth,
        found.seconds,
    )


@record
class Learning:
    """What has been learned by now: the `games` that it took in all, those that were `new`, how
    many `patterns` are looked at, and how many `entries` their tables have.
    """

    games: int
    new: int
    patterns: int
    entries: int


@record
class Settings:
    """What a search takes: megabytes for what it remembers, a seed, threads.

    One that `keeps` goes on with the table of the search before it, unless nodes are counted: then
    each is a fresh one, which begins with nothing, so that its result follows from the position.
    One that `solves` makes one of positions that are alike up to symmetry: estimates may not be.
    """

    memory: int | None = None
    seed: int = 0
    threads: int = 1
    keeps: bool = False
    solves: bool = False


@record
class Budget:
    """How long a search may go on: whatever ends first. No number is no limit."""

    seconds: float | None = None
    nodes: int | None = None
    plies: int | None = None
    playouts: int | None = None
    method: str = "auto"

    @property
    def is_timed(self) -> bool:
        """Whether time alone counts, so that a result may be whatever is best."""
        counted = (self.nodes, self.plies, self.playouts)
        return self.method == "auto" and counted == (None, None, None)

    def checked(self) -> "Budget":
        """The budget. Raises UsageError for one of nothing."""
        limits = {name: getattr(self, name) for name in LIMITS}
        if all(limit is None for limit in limits.values()):
            raise UsageError(f"say how long to search: {', '.join(LIMITS[:-1])} or {LIMITS[-1]}")
        if self.method not in METHODS:
            raise UsageError(f"no method `{self.method[:40]}`: there is {', '.join(METHODS)}")
        given = [name for name in ("nodes", "plies") if limits[name] is not None]
        if given and (self.playouts is not None or self.method in TREES):
            raise UsageError(f"random games are counted by playouts, not by {given[0]}")
        if self.playouts is not None and self.method == "alpha-beta":
            raise UsageError("alpha-beta looks at nodes and plies: it plays no playouts")
        for name, limit in limits.items():
            if limit is not None and not (isinstance(limit, Real) and float(limit) > 0):
                raise UsageError(f"a search needs more than 0 {name}, found {limit!r:.40}")
        if self.plies is not None and self.plies > DEEPEST:
            raise UsageError(f"a search goes at most {DEEPEST} plies deep, found {self.plies}")
        return self


@record
class Level:
    """What a level may do for a move: one of some counts, of random games or of positions.

    A level plays the same everywhere. Each does as many times more as the one above it. What a
    tree search does with fewer random games than moves tells little, so it begins with some for
    each move. One ply more matters in some games far more for one side's plies than for the
    other's: in alpha-beta the moves of a level take its count, the one below and the one above in
    turns that a number of the move decides, so that no two levels have the same depth.
    """

    method: str
    counts: tuple[int, ...]

    def budget(self, number: int) -> Budget:
        """The budget of a move with a number, such as its seed."""
        count = self.counts[(number * _GOLDEN % 2**32 >> 16) * len(self.counts) >> 16]
        if self.method in TREES:
            return Budget(playouts=count, method=self.method)
        return Budget(nodes=count, method=self.method)


def level_of(level: int, method: str, moves: int) -> Level:
    """A level by a method, of a game whose first position has so many moves. Raises UsageError."""
    if not 1 <= level <= LEVELS:
        raise UsageError(f"levels go from 1 to {LEVELS}, found {level}")
    if method in TREES:
        lowest = min(max(_LOWEST, _VISITS * moves), _HIGHEST)
        return Level(method, (_count(level, lowest),))
    return Level(method, tuple(_count(near, _LOWEST) for near in (level - 1, level, level + 1)))


def _count(level: int, lowest: int) -> int:
    """The count of a level between a lowest one and the highest one, by equal ratios."""
    return round(lowest * pow(_HIGHEST / lowest, (level - 1) / (LEVELS - 1)))


def read_level(text: str) -> int | None:
    """The number of a text such as `level=3`; None of other texts."""
    word, _, number = text.partition("=")
    return int(number) if word == "level" and number.isdecimal() else None


def read_budget(text: str, method: str = "auto") -> Budget:
    """The budget of a text such as `seconds=0.5,plies=6`. Raises UsageError."""
    limits: dict[str, float] = {}
    for part in text.split(","):
        name, _, number = part.partition("=")
        if name not in LIMITS or name in limits or not _NUMBER.fullmatch(number):
            known = ", ".join(f"{word}=N" for word in LIMITS)
            expected = f"level=N, or {known} with commas between them"
            raise UsageError(f"expected {expected}, found `{text[:40]}`")
        limits[name] = float(number) if name == "seconds" else int(float(number))
    return Budget(**limits, method=method).checked()  # type: ignore[arg-type]


def value_of(number: int, *, points: bool, whole: bool) -> Value:
    """A value of the search as people are told it; `whole` if nothing was estimated for it."""
    if abs(number) < SURE:
        exact: Unit = "points" if points else "plies"
        return Value(number, exact if whole else "estimate")
    size = abs(number) - WON if points else WIN - (WON - abs(number))
    return Value(size if number > 0 else -size, "points" if points else "plies")
