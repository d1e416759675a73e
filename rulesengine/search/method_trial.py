"""Matches between search methods, to select the method for a game. See decision 051."""

from collections.abc import Sequence
from typing import Protocol

from rulesengine.engine.dispatch import Dispatcher, PlayoutSettings
from rulesengine.engine.drivers.random import Generator
from rulesengine.engine.drivers.search.result import Budget, Settings
from rulesengine.engine.drivers.search.tree_settings import keeps_pieces, suggested_method
from rulesengine.job import Job
from rulesengine.search.learned_weights import LearnedWeights
from rulesengine.search.method_choice import choose_by_rules
from rulesengine.search.searches import start_search
from rulesengine.search.trial_cache import Match, Trial
from rulesengine.state import Move, Outcome, State

_PAIR = 2
_PAIRS = 6  # maximum number of openings, each played from both sides
_AHEAD = 6  # lead in points that decides a match
_OPENING = 3  # random plies at the start
_PLAYOUTS = 400  # playouts for a move: a tree search needs a minimum
_PER_PLY = 2  # positions of alpha-beta that cost as much as a ply of a playout
_NODES = 50_000  # maximum positions for a move; tree searches then have fewer playouts
_SAMPLE = 10  # playouts that estimate the length of a game
_LONGEST = 300  # maximum plies; a longer game is a draw


class TrialGame(Protocol):
    """The interface of a game in a trial."""

    @property
    def players(self) -> tuple[str, ...]: ...

    def legal_moves(self, state: State) -> Sequence[Move]: ...

    def apply(self, state: State, move: Move, *, check: bool) -> State: ...

    def outcome(self, state: State) -> Outcome | None: ...


def run_trial(
    game: TrialGame, dispatcher: Dispatcher, job: Job, weights: LearnedWeights | None = None
) -> Trial:
    """Return the method that wins the most games; in a tie the method that the rules suggest.

    Only games of two players are tried. Alpha-beta evaluates by learned `weights` if there are any.
    """
    guess = choose_by_rules(dispatcher).method
    if len(game.players) != _PAIR:
        return Trial(guess)
    # Each search is short, but their total is long enough to pay for compiling the fastest kernels.
    fastest = Dispatcher(dispatcher.machine, dispatcher.selector.best("search"))
    referee = _Referee(game, fastest, job, weights)
    program, matches = dispatcher.machine.program, list[Match]()
    tree = suggested_method(program)
    if keeps_pieces(program):
        matches.append(referee.match(tree, "uct" if tree == "grave" else "grave"))
        tree = _best(matches[-1])
    pair = (guess, tree) if guess == "alpha-beta" else (tree, "alpha-beta")
    matches.append(referee.match(*pair))
    return Trial(_best(matches[-1]), tuple(matches))


def _best(match: Match) -> str:
    """Return the method with more points; the first one in a tie."""
    return match.methods[match.points[1] > match.points[0]]


class _Referee:
    """A referee of matches between methods, each with the same work for a move."""

    def __init__(
        self, game: TrialGame, dispatcher: Dispatcher, job: Job, weights: LearnedWeights | None
    ) -> None:
        self._game, self._dispatcher, self._job = game, dispatcher, job
        self._weights = weights
        start = dispatcher.machine.initial_state()
        length = dispatcher.playouts(start, PlayoutSettings(_SAMPLE, 0), job).mean_length
        each = _PER_PLY * max(1, int(length))
        self._nodes = min(_PLAYOUTS * each, _NODES)
        self._playouts = max(1, self._nodes // each)

    def match(self, first: str, second: str) -> Match:
        """Play games between two methods until the match is decided."""
        points = [0, 0]
        for number in range(2 * _PAIRS):
            seat = number % 2
            won = self._winner(number, (first, second) if seat == 0 else (second, first))
            for method in range(2):
                points[method] += 1 if won is None else 2 * int(won == method ^ seat)
            if abs(points[0] - points[1]) >= _AHEAD or max(points) > 2 * _PAIRS:
                break
        return Match((first, second), (points[0], points[1]))

    def _winner(self, number: int, methods: tuple[str, str]) -> int | None:
        """Play a game and return its winner; the games of a pair begin with the same opening."""
        game, draw = self._game, Generator(number // 2, 0)
        state = self._dispatcher.machine.initial_state()
        for ply in range(_LONGEST):
            moves = game.legal_moves(state)
            if not moves:
                break
            weights = self._dispatcher.weights(state)
            if weights or ply < _OPENING or len(moves) == 1:
                chosen = draw.among(weights or [1] * len(moves))
            else:
                method = methods[game.players.index(state.mover)]
                chosen = self._choose(state, len(moves), method, ply)
            state = game.apply(state, moves[chosen], check=False)
        outcome = game.outcome(state)
        winner = outcome.winner if outcome else None
        return None if winner is None else game.players.index(winner)

    def _choose(self, state: State, count: int, method: str, ply: int) -> int:
        if method == "alpha-beta":
            budget, weights = Budget(nodes=self._nodes, method=method), self._weights
        else:
            budget, weights = Budget(playouts=self._playouts, method=method), None
        settings = Settings(seed=ply)
        search = start_search(self._dispatcher, state, count, budget, settings, weights)
        search.run(self._job)
        return search.order[0]
