"""Exact values: by a search to the end of the game, or by retrograde analysis. See decision 045."""

from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.memory import WORD
from rulesengine.engine.drivers.search.layout import DEEPEST
from rulesengine.engine.drivers.search.result import Budget, Result, Settings, Solved
from rulesengine.engine.drivers.search.result import solved as certain
from rulesengine.errors import UsageError
from rulesengine.job import Job
from rulesengine.language.ir.rules import Rules
from rulesengine.language.ir.score_decided import points_of
from rulesengine.search.chance_cycles import has_repetition
from rulesengine.search.checkpoint import Checkpoint, find_on
from rulesengine.search.enumeration.retrograde import ExactValue, Solvable, decided
from rulesengine.search.iterative_deepening import ENTRY, AlphaBeta
from rulesengine.search.nested_job import within
from rulesengine.search.null_window import NullWindow
from rulesengine.search.proof_number import Prover, is_provable
from rulesengine.search.searches import Searcher, entries_of, words_of
from rulesengine.search.searches import search_results as found_by
from rulesengine.search.single_player import SingleSolver, SolveRequest
from rulesengine.search.solution_cache import keep
from rulesengine.search.value_search import ValueSearch, best_line
from rulesengine.state import State
from rulesengine.support.frozen import record, replace

_PAIR = 2
# Maximum positions of retrograde analysis before a search begins.
_FEW = 200_000
_GLANCE = 1 << 16  # positions of the first search, which finds short solutions
_RANDOM = 4  # the playouts that initialise move ordering take 1 / _RANDOM of that work
_LAST = 1 << 22  # positions of the search for the distance to the end
_NO_LIMIT = 1 << 60  # positions
_MEGABYTE = 20


@record
class Solver:
    """A solver of the positions of a game, with the budget and the settings of each call."""

    game: Solvable
    dispatcher: Dispatcher
    budget: Budget
    settings: Settings

    def solve(
        self,
        state: State,
        job: Job,
        resume: Path | None = None,
        each: Callable[[Solved], None] | None = None,
    ) -> Solved:
        """Solve a position; see `Game.solve`."""
        game, dispatcher, settings = self.game, self.dispatcher, replace(self.settings, solves=True)
        start_time, budget = perf_counter(), replace(self.budget, plies=DEEPEST).checked()
        if len(game.players) == 1:
            single = SingleSolver(game, dispatcher, budget, settings)
            return single.solve(SolveRequest(state, job, resume, each))
        if may_repeat(game.program.rules) and game.outcome(state) is None:
            exact = _enumerated(game, state, dispatcher.machine.initial_state(), budget, job)
            if exact is not None:
                return _solved_of(exact, perf_counter() - start_time)
            budget = _remaining_budget(budget, start_time)
        if not is_provable(game.program) or game.outcome(state) is not None:
            if resume:
                raise UsageError("no search is resumed where rules read the past, or chance moves")
            return _looked_ahead(game, dispatcher, state, budget, settings, job)
        glance = _LAST if points_of(game.program.rules) else _GLANCE
        few = replace(budget, nodes=min(glance, budget.nodes or glance))
        known = certain(Searcher(game, dispatcher, few, settings).search(state, job=job))
        lacks_score = known.score is None and points_of(game.program.rules) != 0
        if (known.value is not None and not lacks_score) or budget.nodes == known.nodes:
            return self._with_score(state, known, budget, job)
        entries = entries_of(words_of(settings.memory) // _PAIR, budget)
        values = _values(
            dispatcher, state, _rest(budget, known, start_time), entries, settings.threads
        )
        values.start_from(known.value)

        def report() -> None:
            if each:
                each(_valued(game, values, known, perf_counter() - start_time))

        report()
        if resume:
            saved = Checkpoint(resume, game.program, settings.threads)

            def find(save: Callable[[], None]) -> None:
                def save_and_report() -> None:
                    save()
                    report()

                values.find(job, save_and_report)

            find_on(values, saved, find)
        else:
            values.find(job, report)
        result = _valued(game, values, known, perf_counter() - start_time)
        if known.value is not None and result.score is None:
            return replace(known, nodes=result.nodes, seconds=result.seconds)
        result = (
            _with_distance(
                game,
                dispatcher,
                values,
                result,
                _remaining_budget(budget, start_time),
                job,
                always=settings.score,
            )
            or result
        )
        tables = [len(judge.table) for judge in values.judges]
        is_small = min(tables) < ENTRY * entries
        return replace(result, memory=sum(tables) * WORD >> _MEGABYTE) if is_small else result

    def _with_score(self, state: State, known: Solved, budget: Budget, job: Job) -> Solved:
        """Return a result with its distance, if it is requested and not known yet."""
        is_decided = known.value in ("win", "loss") and known.score is None
        if not self.settings.score or not is_decided or known.distance is not None:
            return known
        settings = replace(self.settings, solves=True)
        result = certain(
            Searcher(self.game, self.dispatcher, budget, settings).search(state, job=job)
        )
        return known if result.distance is None else result


def _looked_ahead(
    game: Solvable,
    dispatcher: Dispatcher,
    state: State,
    budget: Budget,
    settings: Settings,
    job: Job,
) -> Solved:
    """Solve by alpha-beta; without a budget it ends early in games of chance that may not end."""
    is_chancy = bool(game.program.rules.chance) and game.outcome(state) is None
    is_open = is_chancy and budget.seconds is None and budget.nodes is None
    first = replace(budget, nodes=_GLANCE) if is_open else budget
    known = certain(Searcher(game, dispatcher, first, settings).search(state, job=job))
    if not is_chancy or known.value is not None:
        return known
    if has_repetition(game, state, job):
        return replace(known, endless=True)
    if not is_open:
        return known
    return certain(Searcher(game, dispatcher, budget, settings).search(state, job=job))


def _rest(budget: Budget, known: Solved, start_time: float) -> Budget:
    """Return the rest of a budget after a first search."""
    nodes = None if budget.nodes is None else max(budget.nodes - known.nodes, 1)
    return replace(_remaining_budget(budget, start_time), nodes=nodes)


def _values(
    dispatcher: Dispatcher, state: State, budget: Budget, entries: int, threads: int = 1
) -> ValueSearch:
    """Return the two solvers of a position, each with a table of `entries`."""
    window = NullWindow(dispatcher, state, budget, entries, threads, _GLANCE // _RANDOM)
    prover = Prover(dispatcher, state, budget, entries)
    window.expected = prover.expected = _GLANCE
    return ValueSearch(state, (window, prover), budget)


def _valued(game: Solvable, values: ValueSearch, known: Solved, seconds: float) -> Solved:
    """Return the result so far."""
    bounds, points = values.bounds, values.judges[0].points
    line = tuple(best_line(game, values)) if bounds.is_exact else ()
    low, high = _result(bounds.low), _result(bounds.high)
    return Solved(
        low if low == high else None,
        bounds.low if points and bounds.is_exact else None,
        line[0] if line else None,
        None,
        line,
        known.nodes + values.nodes,
        None if bounds.is_exact else known.depth,
        seconds,
        low,
        high,
    )


def _with_distance(
    game: Solvable,
    dispatcher: Dispatcher,
    values: ValueSearch,
    known: Solved,
    budget: Budget,
    job: Job,
    *,
    always: bool,
) -> Solved | None:
    """Return the result with its distance, searched with the table of the null-window solver; None
    if not found.

    Null-window searches put the distance into the table first. With `always` the budget is the only
    limit.
    """
    judge, moves = values.judges[0], game.legal_moves(values.state)
    most = _NO_LIMIT if always else _LAST
    left = most if budget.nodes is None else min(most, budget.nodes - known.nodes)
    if known.value is None or judge.points or left <= 0:
        return None
    if known.value != "draw" and isinstance(judge, NullWindow):
        with judge.timed(job):
            judge.extend(left)
            judge.find_distance(values.state, known.value == "win")
    within = replace(budget, nodes=left)
    search = AlphaBeta(
        dispatcher, values.state, len(moves), within, 1, table=judge.table, solves=True
    )
    search.expected = _GLANCE
    if not search.finish(job):
        return None
    nodes, seconds = known.nodes + search.nodes, known.seconds
    return replace(certain(found_by(game, search, moves, seconds)), nodes=nodes)


def _result(value: int) -> Result:
    return "win" if value > 0 else "loss" if value < 0 else "draw"


def _remaining_budget(budget: Budget, start_time: float) -> Budget:
    """Return a budget with the remaining time."""
    if budget.seconds is None:
        return budget
    return replace(budget, seconds=max(budget.seconds - (perf_counter() - start_time), 0.001))


def may_repeat(rules: Rules) -> bool:
    """True if pieces move, so that positions may repeat."""
    moves = any(group.kind == "move" for group in rules.groups)
    return moves and len(rules.players) == _PAIR


def _enumerated(
    game: Solvable, state: State, start: State, budget: Budget, job: Job
) -> ExactValue | None:
    """Solve by retrograde analysis; None if there are too many positions or not enough time.

    The values of all positions reachable from the initial position are cached for players.
    """
    limit = min(_FEW, budget.nodes or _FEW)
    table = within(job, budget.seconds, lambda own: decided(game, state, limit, own))
    if table and state == start:
        keep(game.program, table)
    return table.exact(state) if table else None


def _solved_of(exact: ExactValue, seconds: float) -> Solved:
    return Solved(
        exact.value,
        None,
        exact.line[0] if exact.line else None,
        exact.distance,
        exact.line,
        exact.states,
        None,
        seconds,
    )
