"""Games that searches play against themselves, with the values of the searches, for training.

The searches evaluate by king-relative tables, at first without any weights. See decision 196.
"""

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.memory import Memory
from rulesengine.engine.drivers.random import word
from rulesengine.engine.drivers.search import layout
from rulesengine.engine.drivers.search import recorded_layout as at
from rulesengine.engine.drivers.search.context import SearchContext
from rulesengine.engine.drivers.search.recorded_play import record_game
from rulesengine.engine.drivers.search.result import Budget
from rulesengine.engine.patterns import KingRelative
from rulesengine.job import Job
from rulesengine.search.iterative_deepening import AlphaBeta
from rulesengine.search.learned_weights import CORRECTION, LearnedWeights
from rulesengine.search.search_run import DriverRun
from rulesengine.support.frozen import record

_LONGEST = 300  # maximum plies; a longer game is a draw
_FAR = 1_000  # value at which a game is won, in the unit of the rules


@record
class RecordedPly:
    """A ply of a game: the number of its move among the legal ones, and the values before it.

    - `value` is the value of the search for the player to move; None for a random move.
    - `lead` is the lead of that player by the evaluation of the rules.
    """

    move: int
    value: int | None
    lead: int


@record
class RecordedGame:
    """The plies of a game and the number of its winner, negative without one."""

    plies: tuple[RecordedPly, ...]
    winner: int


class Recorder(DriverRun):
    """A player of games for training, the same ones in every engine.

    Searches have a number of positions for each move and no table.
    """

    part = "recorded"

    def __init__(self, dispatcher: Dispatcher, tables: KingRelative, nodes: int) -> None:
        start, words = dispatcher.machine.initial_state(), at.HEAD + at.ROW * _LONGEST
        weights = without_weights(tables)
        super().__init__(dispatcher, start, Budget(playouts=1), words, weights)
        self._search = AlphaBeta(dispatcher, start, 0, Budget(nodes=nodes), 0, learned=weights)
        self._search.own.numbers[layout.ENTRIES] = 0
        own = self.own.numbers
        own[at.NODES_EACH], own[at.LONGEST], own[at.FAR] = nodes, _LONGEST, _FAR

    def work(self) -> int:
        own = self.own.numbers
        return own[at.LONGEST] // 2 * own[at.NODES_EACH]

    def play(self, seed: int, number: int, job: Job) -> RecordedGame:
        """Return the game of a number, which has random generators of its own for each seed."""
        search = SearchContext(self.sides, self._search.own, self._search.table)
        args = word(seed), number, self.own.bytes, search.sides, search.own.bytes
        with self.timed(job):
            self.run_driver(
                "record_game",
                (*args, search.table.bytes),
                lambda game: record_game(game, self.state, word(seed), number, self.own, search),
                False,
            )
        own = self.own.numbers
        end = at.HEAD + at.ROW * own[at.PLIES]
        rows = [own[place : place + at.ROW] for place in range(at.HEAD, end, at.ROW)]
        plies = (RecordedPly(m, None if v == at.NONE else v, lead) for m, v, lead in rows)
        return RecordedGame(tuple(plies), own[at.WINNER])


def without_weights(tables: KingRelative) -> LearnedWeights:
    """Return weights that correct nothing: searches evaluate by the rules."""
    memory = Memory(tables.size + CORRECTION)
    memory.numbers[tables.size + 1] = 1
    return LearnedWeights(tables, memory, pays=False)
