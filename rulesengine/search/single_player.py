"""Exact values of games of one player: by enumeration, or by a search for better payoffs.

Few positions are enumerated. Beyond that, null-window searches share a transposition table. Each
one searches for a payoff that is greater than the best so far, until none is left.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from time import perf_counter

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.search.layout import MOST
from rulesengine.engine.drivers.search.result import Budget, Result, Settings, Solved
from rulesengine.engine.drivers.search.result import solved as certain
from rulesengine.errors import UsageError
from rulesengine.job import Job
from rulesengine.language.ir.score_decided import points_of
from rulesengine.search.chance_cycles import has_repetition
from rulesengine.search.checkpoint import Checkpoint, find_on
from rulesengine.search.enumeration.single_player import BestPlay, SinglePlayerGame, best_play
from rulesengine.search.nested_job import within
from rulesengine.search.null_window import NullWindow
from rulesengine.search.search_turns import SearchTurns
from rulesengine.search.searches import Searcher, entries_of, words_of
from rulesengine.search.shortest_win import ShortestWin
from rulesengine.state import Move, State
from rulesengine.support.frozen import record, replace

FEW = 200_000  # maximum positions of the enumeration
_AT_ONCE = 1 << 22  # positions for each ply of a line
_SHARE = 4  # the enumeration takes at most 1 / _SHARE of the time
_LONGEST = 1000  # maximum plies of a line


@record
class SolveRequest:
    """A position to solve, and the checkpoint file and the listener of `Game.solve`."""

    state: State
    job: Job
    resume: Path | None
    each: Callable[[Solved], None] | None


@record
class SingleSolver:
    """A solver of the positions of a game of one player, with the budget of each call."""

    game: SinglePlayerGame
    dispatcher: Dispatcher
    budget: Budget
    settings: Settings

    def solve(self, request: SolveRequest) -> Solved:
        """Solve a position; see `Game.solve`."""
        state, job, resume, each = request.state, request.job, request.resume, request.each
        game, rules = self.game, self.game.program.rules
        if game.outcome(state) is not None or not game.legal_moves(state):
            raise UsageError("the game is over: there is no move to search for")
        start_time = perf_counter()
        play = _enumerated(game, state, self.budget, job)
        if play is not None:
            return _result_of(play, game, perf_counter() - start_time)
        budget = _remaining_budget(self.budget, start_time)
        if rules.chance and game.weights(state):
            return _unknown(0, perf_counter() - start_time)
        if game.program.keeps_history:
            if resume:
                raise UsageError("no search is resumed where rules read the past")
            searcher = Searcher(game, self.dispatcher, budget, self.settings)
            known = certain(searcher.search(state, job=job))
            return replace(known, is_single=True, seconds=perf_counter() - start_time)
        kind = PayoffSearch if points_of(rules) else ShortestWin
        search = kind(game, self.dispatcher, state, budget, self.settings)
        if resume:
            saved = Checkpoint(resume, game.program, self.settings.threads)
            find_on(search, saved, lambda save: search.find(job, each, save))
        else:
            search.find(job, each)
        known = search.result()
        is_open = known.value is None and known.expected is None
        if rules.chance and is_open and has_repetition(game, state, job):
            return replace(known, endless=True)
        return known


class PayoffSearch:
    """A search for ever greater payoffs of one position; `low` and `high` are its bounds so far.

    Both are in the unit of the search. `line` leads to an end with the payoff `low`.
    """

    def __init__(
        self,
        game: SinglePlayerGame,
        dispatcher: Dispatcher,
        state: State,
        budget: Budget,
        settings: Settings,
    ) -> None:
        self.game, self.state = game, state
        entries = entries_of(words_of(settings.memory), budget)
        self.window = NullWindow(dispatcher, state, budget, entries, settings.threads)
        self.judges = (self.window,)
        self.low, self.high = -MOST, MOST
        self._turns = SearchTurns(budget)
        self.line: tuple[Move, ...] = ()

    def find(
        self,
        job: Job,
        each: Callable[[Solved], None] | None = None,
        save: Callable[[], None] = lambda: None,
    ) -> None:
        """Search until the greatest payoff is known or the budget is used up.

        `each` and `save` are called after each turn. A job stops the search, which raises Stopped;
        the results so far remain.
        """
        with self.window.timed(job):
            if self.low > -MOST:  # from a checkpoint
                self._follow()
            self._turns.take(self._turn, save, self.result, each)

    def progress(self) -> dict[str, int]:
        """Return the numbers that a checkpoint stores."""
        return {"low": self.low, "high": self.high, "share": self._turns.share}

    def resume(self, progress: Mapping[str, int]) -> None:
        """Resume with the numbers of a checkpoint; the memories are those at that time."""
        self.low, self.high = progress["low"], progress["high"]
        self._turns.share, self._turns.earlier = progress["share"], self.window.nodes

    def result(self) -> Solved:
        """Return the result so far."""
        is_exact, has_end, unit = self.low == self.high, self.low > -MOST, self.window.points
        value = sign_of(self.low) if is_exact and has_end else "draw" if is_exact else None
        return Solved(
            value,
            self.low // unit if is_exact and has_end else None,
            self.line[0] if self.line else None,
            None,
            self.line,
            self.window.nodes,
            None,
            self._turns.seconds,
            is_single=True,
            score_at_least=self.low // unit if has_end else None,
            score_at_most=self.high // unit if self.high < MOST else None,
        )

    def _turn(self) -> bool:
        """Search for a greater payoff; False if none is left, or a limit is reached."""
        window = self.window
        room = self._turns.room(window.nodes)
        if self.low >= self.high or room == 0 or not window.goes_on:
            return False
        window.extend(room)
        answer = window.reaches(self.state, 0, self.low + 1)
        if answer is None:
            return window.is_limited
        if not answer:
            self.high = self.low
            return True
        self.low = window.value
        self._follow()
        return True

    def _follow(self) -> None:
        """Find a line with the payoff of the lower bound, by the transposition table."""
        state, line = self.state, list[Move]()
        for _ in range(_LONGEST):
            if self.game.weights(state):
                break
            moves = self.game.legal_moves(state)
            following = [self.game.apply(state, move) for move in moves]
            self.window.extend(_AT_ONCE)
            order = self.window.likely(following, 0, self.low)
            chosen = next((i for i in order if self._pays(following[i])), None)
            if chosen is None:
                break
            line.append(moves[chosen])
            state = following[chosen]
        if self.game.outcome(state) is not None:
            self.line = tuple(line)

    def _pays(self, state: State) -> bool:
        """True if the payoff of the lower bound is found to be reachable from a state."""
        outcome = self.game.outcome(state)
        if outcome is not None:
            return outcome.payoffs[self.game.players[0]] * self.window.points >= self.low
        return bool(self.game.legal_moves(state)) and (
            self.window.reaches(state, 0, self.low) is True
        )


def sign_of(payoff: Fraction | int) -> Result:
    return "win" if payoff > 0 else "loss" if payoff < 0 else "draw"


def _enumerated(game: SinglePlayerGame, state: State, budget: Budget, job: Job) -> BestPlay | None:
    """Return the result of best play; None if there are too many positions or not enough time."""
    limit = min(FEW, budget.nodes or FEW)
    seconds = None if budget.seconds is None else budget.seconds / _SHARE
    return within(job, seconds, lambda own: best_play(game, state, limit, own))


def _result_of(play: BestPlay, game: SinglePlayerGame, seconds: float) -> Solved:
    rules, payoff = game.program.rules, play.payoff
    is_sure = payoff is not None and not play.is_mean
    points = int(payoff) if payoff is not None and is_sure and points_of(rules) else None
    wins = is_sure and not points_of(rules) and payoff == 1
    return Solved(
        None if play.endless else "draw" if payoff is None else sign_of(payoff),
        points,
        play.line[0] if play.line else None,
        len(play.line) if wins else None,
        play.line,
        play.states,
        None,
        seconds,
        endless=play.endless,
        is_single=True,
        score_at_least=points,
        score_at_most=points,
        expected=payoff if play.is_mean else None,
    )


def _unknown(nodes: int, seconds: float) -> Solved:
    return Solved(None, None, None, None, (), nodes, None, seconds, is_single=True)


def _remaining_budget(budget: Budget, start_time: float) -> Budget:
    """Return a budget with the remaining time."""
    if budget.seconds is None:
        return budget
    return replace(budget, seconds=max(budget.seconds - (perf_counter() - start_time), 0.001))
