"""Pairings by stage (round robin, gauntlet, Swiss), and their division into units."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import ceil, log2
from types import MappingProxyType
from typing import Protocol

from rulesengine.contests.stats.crosstable import Crosstable
from rulesengine.contests.units import Entrant, Unit
from rulesengine.errors import UsageError
from rulesengine.support.frozen import record

Group = tuple[int, ...]
_STEPS = 20_000  # step limit of the search for pairings without rematches


class System(Protocol):
    """Return the groups of a stage, given the results of earlier stages."""

    def __call__(self, plan: "Plan", stage: int, before: Crosstable) -> tuple[Group, ...]: ...


@record
class Plan:
    """The schedule of a contest: numbers of entrants and seats, games per group, and the system.

    `stages` is the number of stages of a Swiss tournament, 0 for as many as find a winner; `size`
    is the number of rounds in a unit.
    """

    entrants: int
    seats: int
    games: int
    system: str = "round-robin"
    stages: int = 0
    size: int = 1

    @property
    def rounds(self) -> int:
        """Return the number of rounds of a group; in a round every entrant has every seat once."""
        return self.games // self.seats

    def groups(self, stage: int, before: Crosstable) -> tuple[Group, ...]:
        """Return the groups of a stage, none after the last one."""
        return SYSTEMS[self.system](self, stage, before)

    def extends(self, other: "Plan") -> bool:
        """True if this plan begins with the units of another one, and then has more.

        The pairings of a later Swiss stage depend on all games of the earlier ones.
        """
        if self.system == "swiss":
            return other.games == self.games and _stages(other) < _stages(self)
        return other.games < self.games


def round_robin(plan: Plan, stage: int, before: Crosstable) -> tuple[Group, ...]:
    """Pair every entrant with every other one."""
    return tuple(combinations(range(plan.entrants), plan.seats)) if stage == 0 else ()


def gauntlet(plan: Plan, stage: int, before: Crosstable) -> tuple[Group, ...]:
    """Pair the first entrant with all others; alone, each entrant plays."""
    if plan.seats == 1:
        return round_robin(plan, stage, before)
    others = combinations(range(1, plan.entrants), plan.seats - 1)
    return tuple((0, *group) for group in others) if stage == 0 else ()


def swiss(plan: Plan, stage: int, before: Crosstable) -> tuple[Group, ...]:
    """Pair entrants of about equal points; avoid rematches if possible.

    With an odd number the last entrant without a bye gets one, worth a win in each game.
    """
    if stage >= _stages(plan):
        return ()
    played = {pair for pair in combinations(range(plan.entrants), 2) if sum(before.against(*pair))}
    order = sorted(range(plan.entrants), key=lambda i: (-_points(plan, before, stage, i), i))
    idle = [_idle(order, before)] if plan.entrants % 2 else []
    playing = [entrant for entrant in order if entrant not in idle]
    return tuple(_paired(playing, played))


SYSTEMS: MappingProxyType[str, System] = MappingProxyType(
    {"round-robin": round_robin, "gauntlet": gauntlet, "swiss": swiss}
)


def plan_of(
    entrants: Sequence[Entrant],
    seats: int,
    games: int,
    system: str = "round-robin",
    stages: int = 0,
    size: int = 1,
) -> Plan:
    """Return the plan of a contest. Raises UsageError for an invalid one."""
    if system not in SYSTEMS:
        raise UsageError(f"no system `{system[:40]}`: there is {', '.join(SYSTEMS)}")
    if len(entrants) < max(seats, 2):
        need = f"at least {max(seats, 2)} players, found {len(entrants)}"
        raise UsageError(f"this contest needs {need}")
    if games < 1:
        raise UsageError(f"the number of games is at least 1, found {games}")
    if games % seats:
        raise UsageError(
            f"the number of games is a multiple of {seats}, since every player plays every seat"
            f" equally often; found {games}"
        )
    if system == "swiss" and seats != 2:
        raise UsageError(f"a Swiss tournament is for games of two players, this one has {seats}")
    return Plan(len(entrants), seats, games, system, stages, size)


def units_of(
    plan: Plan, entrants: Sequence[Entrant], groups: Sequence[Group], stage: int, number: int
) -> Iterator[tuple[Unit, Group]]:
    """Yield the units of a stage, numbered from `number`: first rounds of all groups come first.

    Group numbers are unique over all stages, so no two groups play the same games.
    """
    for first in range(0, plan.rounds, plan.size):
        count = min(plan.size, plan.rounds - first)
        for at, group in enumerate(groups):
            players = tuple(entrants[i].player for i in group)
            yield Unit(number, stage * plan.entrants + at, players, first, count), group
            number += 1


def _stages(plan: Plan) -> int:
    """Return the number of stages of a Swiss tournament."""
    return plan.stages or ceil(log2(plan.entrants))


def _points(plan: Plan, before: Crosstable, stage: int, entrant: int) -> float:
    """Return the points of an entrant, including those for byes."""
    played = before.games[entrant] // plan.games
    return before.score(entrant) + (stage - played) * plan.games


def _idle(order: Sequence[int], before: Crosstable) -> int:
    """Return the entrant with a bye: the last one among those with the most games."""
    most = max(before.games[entrant] for entrant in order)
    return next(entrant for entrant in reversed(order) if before.games[entrant] == most)


def _paired(order: Sequence[int], played: set[tuple[int, int]]) -> list[Group]:
    """Pair entrants from the top of the order; allow rematches only if necessary."""
    steps = iter(range(_STEPS))

    def search(left: tuple[int, ...]) -> list[Group] | None:
        if not left:
            return []
        for other in left[1:]:
            pair = (min(left[0], other), max(left[0], other))
            if pair in played or next(steps, None) is None:
                continue
            rest = search(tuple(i for i in left[1:] if i != other))
            if rest is not None:
                return [pair, *rest]
        return None

    groups = search(tuple(order))
    return groups if groups is not None else list(zip(order[::2], order[1::2], strict=True))
