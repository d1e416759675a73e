"""Queries by df-pn: proofs that a player reaches a goal from one position or several."""

from collections.abc import Sequence

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.memory import STOP, WORD, Memory, allocate_largest
from rulesengine.engine.drivers.protocol import ENDLESS
from rulesengine.engine.drivers.search import layout, proof_number
from rulesengine.engine.drivers.search.context import SearchContext
from rulesengine.engine.drivers.search.proof_number import FIRST, NEVER, proved
from rulesengine.engine.drivers.search.result import Budget
from rulesengine.engine.drivers.search.transposition_table import probe_entry
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.score_decided import points_of
from rulesengine.search.component_sums import lay_out
from rulesengine.search.iterative_deepening import ENTRY
from rulesengine.search.search_run import DriverRun, Functions
from rulesengine.state import State

_PAIR = 2
_ROOM = 1 << 16  # words for the numbers of moves of the positions on the path
_LIMIT = 1 << 62
_PLIES = 4  # approximate cost of a position
_UNKNOWN = 1 << 10  # the proof number of a position that is not in the table
_FIRST = 1 << 12  # expected positions of the first query


class Prover(DriverRun):
    """A df-pn solver for one game; its queries share one transposition table."""

    part = "proof"
    solves = True

    def __init__(self, dispatcher: Dispatcher, state: State, budget: Budget, entries: int) -> None:
        super().__init__(dispatcher, state, budget, FIRST + _ROOM)
        self.table = allocate_largest(ENTRY * entries)
        self.points = points_of(self.program.rules)
        is_filling = dispatcher.interpreted.vacant(state) < ENDLESS
        # True if other solvers are nearly always faster. See decision 190.
        self.is_doubtful = self.points != 0 and is_filling
        self.expected = _FIRST
        own = self.own.numbers
        own[layout.LIMIT] = budget.nodes or _LIMIT
        own[layout.POINTS] = self.points
        own[layout.ENTRIES] = len(self.table) // ENTRY
        own[layout.ROOM] = len(self.own)
        lay_out(dispatcher, self.own, proof_number.PARTS)

    def reaches(self, state: State, player: int, goal: int) -> bool | None:
        """Return True if a player gets at least a goal in a position in progress; None if
        undecided.

        The goal is in points, or 1 for a win, 0 for a draw.
        """
        self.state, own = state, self.own.numbers
        own[layout.SEARCHER], own[proof_number.GOAL], own[layout.LIMIT_REACHED] = player, goal, 0
        args = NEVER, NEVER, 0, FIRST, self.sides, self.own.bytes, self.table.bytes
        answer = None
        while self.goes_on and answer is None:
            answer = self.run_driver("proved", args, self._interpret, False)
            if answer is None and not self.resumes_compiled():
                break
        if answer is None or own[layout.LIMIT_REACHED]:
            return None
        return proof_number.disproof_of(answer) == NEVER

    @property
    def is_full(self) -> bool:
        """True if the number of positions searched has reached the size of the table."""
        return self.nodes >= self.own.numbers[layout.ENTRIES]

    def resize_table(self, size: int) -> None:
        """Allocate a table of a size in bytes, for the contents of a checkpoint."""
        if size != len(self.table.bytes):
            self.table = Memory(size // WORD)

    def go_on(self) -> None:
        """Resume with the memory of a checkpoint."""
        self.own.numbers[STOP] = 0

    def extend(self, nodes: int) -> None:
        """Allow a number of further positions."""
        self.own.numbers[layout.LIMIT] = self.own.numbers[layout.NODES] + nodes

    def likely(self, states: Sequence[State], player: int, goal: int) -> list[int]:
        """Return the indices of states in the order of their proof numbers, the least first."""
        own = self.own.numbers
        own[layout.SEARCHER], own[proof_number.GOAL] = player, goal
        return sorted(range(len(states)), key=lambda place: self._proof_number(states[place]))

    def _proof_number(self, state: State) -> int:
        """Return the proof number of a state from the table."""
        key = proof_number.key_of(self._interpreted(), state, self.sides, self.own)
        data = probe_entry(key, self.own, self.table)
        return proof_number.proof_of_entry(data) if data else _UNKNOWN

    def work(self) -> int:
        return _PLIES * min(max(2 * self.nodes, self.expected), self.budget.nodes or _LIMIT)

    def _interpret(self, game: Functions) -> int:
        context = SearchContext(self.sides, self.own, self.table)
        return proved(game, self.state, NEVER, NEVER, 0, FIRST, context)


def is_provable(program: Program) -> bool:
    """True if the search supports a game: two players, no chance, no rules that read earlier
    positions.
    """
    rules = program.rules
    return len(rules.players) == _PAIR and not rules.chance and not program.keeps_history
