"""What a search is told and what it tells."""

from typing import Literal

from rulesengine.errors import UsageError
from rulesengine.record import record
from rulesengine.search.layout import DEEPEST, SURE, WON
from rulesengine.state import Move

# A game won at once; each ply until the end takes one off.
WIN = 10**6
Unit = Literal["points", "plies", "estimate"]


@record
class Value:
    """What a position is worth to the side to move, and in which unit.

    `points`: by how much its score leads at the end. `plies`: the game is won if the number is
    above 0 and lost below, `WIN` less the plies to the end; 0 is a draw. `estimate`: what the
    evaluation of the game says, which is not certain.
    """

    number: int
    unit: Unit

    def __str__(self) -> str:
        if self.unit == "points":
            return f"{self.number:+} points" if abs(self.number) != 1 else f"{self.number:+} point"
        if self.unit == "estimate":
            return f"{self.number:+}"
        if self.number == 0:
            return "draw"
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


@record
class Budget:
    """How long a search may go on: whatever ends first. No number is no limit."""

    seconds: float | None = None
    nodes: int | None = None
    plies: int | None = None

    def checked(self) -> "Budget":
        """The budget. Raises UsageError for one of nothing."""
        limits = {"seconds": self.seconds, "nodes": self.nodes, "plies": self.plies}
        if all(limit is None for limit in limits.values()):
            raise UsageError("say how long to search: seconds, nodes or plies")
        for name, limit in limits.items():
            if limit is not None and not limit > 0:
                raise UsageError(f"a search needs more than 0 {name}, found {limit}")
        if self.plies is not None and self.plies > DEEPEST:
            raise UsageError(f"a search goes at most {DEEPEST} plies deep, found {self.plies}")
        return self


def value_of(number: int, *, points: bool, whole: bool) -> Value:
    """A value of the search as people are told it; `whole` if nothing was estimated for it."""
    if abs(number) < SURE:
        exact: Unit = "points" if points else "plies"
        return Value(number, exact if whole else "estimate")
    size = abs(number) - WON if points else WIN - (WON - abs(number))
    return Value(size if number > 0 else -size, "points" if points else "plies")
