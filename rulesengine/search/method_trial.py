"""Games between ways to search, which tell which of them suits a game."""

from collections.abc import Sequence
from typing import Protocol

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.core import Generator
from rulesengine.engine.drivers.search.result import Budget, Settings
from rulesengine.engine.drivers.search.tree_settings import may_stay, suggested
from rulesengine.job import Job
from rulesengine.search.searches import begun, method_of
from rulesengine.search.trial_cache import Match, Trial
from rulesengine.state import Move, Outcome, State

_PAIR = 2
_PAIRS = 6  # openings at most, each played from both sides
_AHEAD = 6  # points by which a match is decided
_OPENING = 3  # plies that are drawn
_PLAYOUTS = 400  # random games for a move: with few a tree knows nothing
_PER_PLY = 2  # positions of alpha-beta that take as long as a ply of a random game
_NODES = 50_000  # the most of them for a move; trees have fewer random games then
_SAMPLE = 10  # random games that tell how long such a game is
_LONGEST = 300  # plies; who has not won by then has not won


class Tried(Protocol):
    """What games are played by."""

    @property
    def players(self) -> tuple[str, ...]: ...

    def legal_moves(self, state: State) -> Sequence[Move]: ...

    def apply(self, state: State, move: Move, *, check: bool) -> State: ...

    def outcome(self, state: State) -> Outcome | None: ...


def tried(game: Tried, dispatcher: Dispatcher, job: Job) -> Trial:
    """The method that wins most games; that which the rules suggest where others are no better.

    Only games of two players are played.
    """
    guess = method_of(dispatcher)
    if len(game.players) != _PAIR:
        return Trial(guess)
    # Each search is short, and all together are long: they are worth the fastest kernels.
    fastest = Dispatcher(dispatcher.machine, dispatcher.selector.best("search"))
    referee = _Referee(game, fastest, job)
    program, matches = dispatcher.machine.program, list[Match]()
    tree = suggested(program)
    if may_stay(program):
        matches.append(referee.match(tree, "uct" if tree == "grave" else "grave"))
        tree = _best(matches[-1])
    pair = (guess, tree) if guess == "alpha-beta" else (tree, "alpha-beta")
    matches.append(referee.match(*pair))
    return Trial(_best(matches[-1]), tuple(matches))


def _best(match: Match) -> str:
    """The method that has won more, the first if both have won as much."""
    return match.methods[match.points[1] > match.points[0]]


class _Referee:
    """Has methods play each other, each with as much work for a move."""

    def __init__(self, game: Tried, dispatcher: Dispatcher, job: Job) -> None:
        self._game, self._dispatcher, self._job = game, dispatcher, job
        start = dispatcher.machine.initial_state()
        length = dispatcher.playouts(start, _SAMPLE, 0, 1, job).mean_length
        each = _PER_PLY * max(1, int(length))
        self._nodes = min(_PLAYOUTS * each, _NODES)
        self._playouts = max(1, self._nodes // each)

    def match(self, first: str, second: str) -> Match:
        """Games between two methods, as long as it is open who wins more of them."""
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
        """Which player wins a game; the games of a pair begin alike."""
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
                chosen = self._chosen(state, len(moves), method, ply)
            state = game.apply(state, moves[chosen], check=False)
        outcome = game.outcome(state)
        winner = outcome.winner if outcome else None
        return None if winner is None else game.players.index(winner)

    def _chosen(self, state: State, count: int, method: str, ply: int) -> int:
        if method == "alpha-beta":
            budget = Budget(nodes=self._nodes, method=method)
        else:
            budget = Budget(playouts=self._playouts, method=method)
        search = begun(self._dispatcher, state, count, budget, Settings(seed=ply))
        search.run(self._job)
        return search.order[0]
