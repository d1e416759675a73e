"""Matches of a fit against the rules, which decide how much of its correction counts.

See decision 184.
"""

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.search import layout
from rulesengine.engine.drivers.search import match_layout as at
from rulesengine.engine.drivers.search.context import SearchContext
from rulesengine.engine.drivers.search.match_play import play_match
from rulesengine.engine.drivers.search.result import Budget
from rulesengine.engine.evaluation import null_moves
from rulesengine.job import Job
from rulesengine.search.iterative_deepening import AlphaBeta
from rulesengine.search.learned_weights import LearnedWeights
from rulesengine.search.search_run import DriverRun

_GAMES, _NODES = 60, 200  # games from thirty openings, each from both sides; positions of a move
_COSTLY_GAMES, _COSTLY_NODES = 20, 100  # where moves must leave no royal piece attacked
_OPENING = 4  # random plies at the start
_LONGEST = 200  # maximum plies; a longer game is a draw


class MatchRun(DriverRun):
    """A match of weights that correct the rules, which has the same result in every engine."""

    part = "fitted"

    def __init__(self, dispatcher: Dispatcher, weights: LearnedWeights, nodes: int, games: int):
        start = dispatcher.machine.initial_state()
        super().__init__(dispatcher, start, Budget(playouts=games), at.HEAD, weights)
        self._weights = weights
        self._search = AlphaBeta(dispatcher, start, 0, Budget(nodes=nodes), 0, learned=weights)
        self._search.own.numbers[layout.ENTRIES] = 0
        tail = weights.network.size
        own = self.own.numbers
        own[at.GAMES], own[at.NODES_EACH], own[at.OPENING] = games, nodes, _OPENING
        own[at.LONGEST], own[at.TAIL], own[at.UNIT] = _LONGEST, tail, weights.memory.numbers[tail]

    def work(self) -> int:
        own = self.own.numbers
        return (own[at.GAMES] - own[at.PLAYED]) * own[at.LONGEST] // 2 * own[at.NODES_EACH]

    def run(self, job: Job) -> int:
        """Play the match and return the points of the weights: two for a win, one for a draw."""
        tables = self._weights.memory
        search = SearchContext(self.sides, self._search.own, self._search.table)
        args = self.own.bytes, tables.bytes, search.sides, search.own.bytes, search.table.bytes
        with self.timed(job):
            self.run_driver(
                "play_match",
                args,
                lambda game: play_match(game, self.state, self.own, tables, search),
                False,
            )
        tables.numbers[self._weights.network.size] = self.own.numbers[at.UNIT]
        return self.own.numbers[at.POINTS]


def beats_the_rules(dispatcher: Dispatcher, weights: LearnedWeights, job: Job) -> bool:
    """True if weights that correct the rules win more than half of the points against them.

    The match has a fixed seed and counts of positions, so that its result is reproducible. It ends
    when no other result is possible.
    """
    is_costly = null_moves(dispatcher.machine) is not None
    games, nodes = (_COSTLY_GAMES, _COSTLY_NODES) if is_costly else (_GAMES, _NODES)
    return MatchRun(dispatcher, weights, nodes, games).run(job) > games
