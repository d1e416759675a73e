"""Learning from self-play into files, with periodic saves."""

from pathlib import Path
from time import monotonic

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.search.result import Budget, Learning
from rulesengine.errors import UsageError
from rulesengine.job import Job
from rulesengine.search.batch_learning import BatchRun
from rulesengine.search.correction import SLOW, lead_unit, require_correctable
from rulesengine.search.learned_weights import (
    TrainingTables,
    largest_batch,
    read_lessons,
    require_learnable,
    write,
    write_brief,
)
from rulesengine.search.learning_run import LearningRun, words_of_game
from rulesengine.search.training_plan import TrainingPlan, check_brief
from rulesengine.support.processes import cores

_EVERY = 20.0  # minimum seconds between writes of the file


def learned_on(dispatcher: Dispatcher, path: Path, plan: TrainingPlan, job: Job) -> Learning:
    """Learn from self-play; see `Game.learn`.

    The file is written at the start, periodically and at the end; the brief file at the end.
    """
    brief, size = plan.brief_file()
    program = dispatcher.machine.program
    require_learnable(program)
    plan.check()
    if brief is not None:
        check_brief(path, brief)
    if plan.correction:
        require_correctable(program)
    known = _tables(dispatcher, plan, path, job)
    write(path, program, known)
    before, last = known.games, monotonic()

    def write_checkpoint() -> None:
        nonlocal last
        if monotonic() - last >= _EVERY:
            write(path, program, known)
            last = monotonic()

    learner = _run(dispatcher, plan, known)
    try:
        learner.run(job, write_checkpoint)
    finally:
        learner.count_games()  # an interrupt may have come just before they were counted
        write(path, program, known)
        if brief is not None:
            write_brief(brief, program, known, size)
    network = known.network
    return Learning(known.games, known.games - before, network.width, network.size)


def _run(dispatcher: Dispatcher, plan: TrainingPlan, known: TrainingTables) -> LearningRun:
    """Return a run of a plan that trains the tables."""
    budget, slow = Budget(plan.seconds, playouts=plan.games), SLOW * plan.correction
    if known.batch == 1:
        return LearningRun(dispatcher, plan.starts, known, budget, slow)
    return BatchRun(dispatcher, plan.starts, known, budget, slow, plan.threads or cores())


def _tables(dispatcher: Dispatcher, plan: TrainingPlan, path: Path, job: Job) -> TrainingTables:
    """Return the tables to train: those of the file, or new ones. Raises UsageError."""
    program, network = dispatcher.machine.program, dispatcher.interpreted.network
    if not path.exists():
        unit = lead_unit(dispatcher, plan, job) if plan.correction else 0
        batch = plan.batch or largest_batch(words_of_game(program, network))
        return TrainingTables(network, plan.seed or 0, unit, batch)
    known = read_lessons(path, program, network, plan.seed)
    if bool(known.unit) != plan.correction:
        has, preposition = ("corrects", "with") if known.unit else ("replaces", "without")
        raise UsageError(
            f"{path}: {has} the evaluation of the rules: continue {preposition} `--correction`"
        )
    if plan.batch not in (None, known.batch):
        raise UsageError(
            f"{path}: was learned in batches of {known.batch}, not of {plan.batch} games"
        )
    return known
