"""Corrections of the evaluation of the rules: the sum of their tables is added to it.

The lead by the rules is a fixed part of the value in self-play. Games without changes of weights
show which lead counts as one unit of weights. See decisions 184 and 192.
"""

from collections import Counter

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.search.result import Budget
from rulesengine.engine.drivers.search.sigmoid import ONE
from rulesengine.errors import UsageError
from rulesengine.job import Job
from rulesengine.language.ir.program import Program
from rulesengine.search.learned_weights import TrainingTables, require_learnable
from rulesengine.search.learning_run import LearningRun
from rulesengine.search.training_plan import TrainingPlan

SLOW = 1  # changes of weights are divided by this power of two
TRIED = 40  # games that show how much a lead by the rules is worth
_STILL = 40  # without any changes of weights
_COARSE = 1 << 8  # the unit of leads in these games
_UNITS = tuple(round(2 ** (power / 2)) for power in range(41))  # units that are tried
_MOST_OF_CHANCE = 1 << 15  # the greatest one where estimates are averaged with wins
_PLIES = 6_000  # approximate cost of a game
_LONG = 10_000_000  # the same of a run without a number of games


def require_correctable(program: Program) -> None:
    """Raise UsageError for a game that no correction is learned for."""
    require_learnable(program)
    if len(program.rules.players) == 1:
        raise UsageError("a correction is learned for two players, found 1")
    if program.rules.evaluation is not None:
        raise UsageError("the spec has its own `evaluate`, which no file corrects")


def lead_unit(dispatcher: Dispatcher, plan: TrainingPlan, job: Job) -> int:
    """Return the unit of leads of a correction that a plan begins."""
    dispatcher.expect({"fitted": _LONG if plan.games is None else _PLIES * plan.games})
    unit, _ = sample_leads(dispatcher, plan, job, is_pair=True)
    job.advance(-TRIED)  # the job counts the games of the plan only
    return unit


def sample_leads(
    dispatcher: Dispatcher, plan: TrainingPlan, job: Job, *, is_pair: bool
) -> tuple[int, float]:
    """Return the unit of leads, 0 for a single player, and the positions of a game.

    The unit is the lead by the rules that predicts results best as `x / (1 + abs(x))` of its units.
    The games are those of the plan without changes of weights.
    """
    tables = TrainingTables(dispatcher.interpreted.network, plan.seed or 0, _COARSE * is_pair)
    seen = Counter[tuple[int, int]]()
    run = LearningRun(dispatcher, plan.starts, tables, Budget(playouts=TRIED), _STILL)
    for _ in run.each_game(job):
        for player, lead in run.last_leads:
            seen[lead, 0 if run.last_winner < 0 else 1 if run.last_winner == player else -1] += 1
    leads = [(lead * _COARSE / ONE, result, count) for (lead, result), count in seen.items()]

    def error(unit: int) -> float:
        return sum(n * (result - lead / (unit + abs(lead))) ** 2 for lead, result, n in leads)

    is_chance = dispatcher.machine.program.rules.chance is not None
    units = (u for u in _UNITS if u <= _MOST_OF_CHANCE or not is_chance)
    return min(units, key=error) if is_pair else 0, run.positions / TRIED
