"""Exact values: by a search to the end, or by going through all positions that can be reached."""

from threading import Timer
from time import perf_counter

from rulesengine.dispatch import Dispatcher
from rulesengine.enumeration.retrograde import Exact, Solvable, solve_by_retrograde
from rulesengine.errors import Stopped
from rulesengine.ir.rules import Rules
from rulesengine.job import Job
from rulesengine.record import replace
from rulesengine.search.layout import DEEPEST
from rulesengine.search.result import Budget, Settings, Solved
from rulesengine.search.result import solved as certain
from rulesengine.searching.searches import searched
from rulesengine.state import State

_PAIR = 2
# So many positions are gone through before a search is begun.
_FEW = 200_000


class _Within(Job):
    """A job that ends by itself, or with another one, for which it counts."""

    __slots__ = ("_outer",)

    def __init__(self, outer: Job) -> None:
        super().__init__()
        self._outer = outer

    def poll(self) -> None:
        self._outer.poll()
        super().poll()

    def add(self, count: int) -> None:
        self._outer.add(count)


def solved(
    game: Solvable, dispatcher: Dispatcher, state: State, budget: Budget, how: Settings, job: Job
) -> Solved:
    """As `Game.solve` says."""
    begun, budget = perf_counter(), replace(budget, plies=DEEPEST).checked()
    if _may_repeat(game.program.rules) and game.outcome(state) is None:
        exact = _enumerated(game, state, budget, job)
        if exact is not None:
            return _told(exact, perf_counter() - begun)
        if budget.seconds is not None:
            left = max(budget.seconds - (perf_counter() - begun), 0.001)
            budget = replace(budget, seconds=left)
    return certain(searched(game, dispatcher, state, budget, how, job=job))


def _may_repeat(rules: Rules) -> bool:
    """Whether pieces move about, so that positions may come again."""
    moves = any(group.kind == "move" for group in rules.groups)
    return moves and len(rules.players) == _PAIR


def _enumerated(game: Solvable, state: State, budget: Budget, job: Job) -> Exact | None:
    """The value by retrograde analysis; None where there are too many positions or no time."""
    limit = min(_FEW, budget.nodes or _FEW)
    own = _Within(job)
    clock = Timer(budget.seconds, own.stop) if budget.seconds is not None else None
    if clock:
        clock.daemon = True
        clock.start()
    try:
        return solve_by_retrograde(game, state, limit, own)
    except Stopped:
        job.poll()
        return None
    finally:
        if clock:
            clock.cancel()


def _told(exact: Exact, seconds: float) -> Solved:
    return Solved(
        exact.value,
        None,
        exact.line[0] if exact.line else None,
        exact.distance,
        exact.line,
        exact.states,
        len(exact.line),
        seconds,
    )
