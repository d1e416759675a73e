"""Proof-number search as it is asked: does a player reach a goal, from one position or many."""

from collections.abc import Sequence

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.memory import STOP, WORD, Memory, largest
from rulesengine.engine.drivers.search import layout, proof_number
from rulesengine.engine.drivers.search.proof_number import FIRST, NEVER, proved
from rulesengine.engine.drivers.search.result import Budget
from rulesengine.engine.drivers.search.transposition_table import entry_of
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.score_decided import points_of
from rulesengine.search.component_sums import lay_out
from rulesengine.search.iterative_deepening import ENTRY
from rulesengine.search.search_run import Functions, Served
from rulesengine.state import State

_PAIR = 2
_ROOM = 1 << 16  # words for the numbers of moves, position by position
_LIMIT = 1 << 62
_STEPS = 8  # about what a position takes
_UNKNOWN = 1 << 10  # what is taken to be left where nothing has been kept
_FIRST = 1 << 12  # positions that are expected for a question of which nothing is known


class Prover(Served):
    """Answers questions of one game; what it has found for one serves the others.

    `ended` tells that the last one was given up: too many positions, too deep, or out of time.
    """

    part = "proof"
    solves = True

    def __init__(self, dispatcher: Dispatcher, state: State, budget: Budget, entries: int) -> None:
        super().__init__(dispatcher, state, budget, FIRST + _ROOM)
        self.table = largest(ENTRY * entries)
        self.points = points_of(self.program.rules)
        self.expected = _FIRST
        own = self.own.numbers
        own[layout.LIMIT] = budget.nodes or _LIMIT
        own[layout.POINTS] = self.points
        own[layout.ENTRIES] = len(self.table) // ENTRY
        own[layout.ROOM] = len(self.own)
        lay_out(dispatcher, self.own, proof_number.PARTS)

    def reaches(self, state: State, player: int, goal: int) -> bool | None:
        """Whether a player, by number, gets at least a goal in a position that goes on.

        The goal is points, or 1 for a win, 0 for a draw. None if it was not found.
        """
        self.state, own = state, self.own.numbers
        own[layout.SELF], own[proof_number.GOAL], own[layout.ENDED] = player, goal, 0
        args = NEVER, NEVER, 0, FIRST, self.sides, self.own.bytes, self.table.bytes
        found = None
        while self.goes_on and found is None:
            found = self.asked("proved", args, self._plainly, False)
            if found is None and not self.begins_anew():
                break
        if found is None or own[layout.ENDED]:
            return None
        return proof_number.disproof_of(found) == NEVER

    @property
    def is_full(self) -> bool:
        """Whether it has looked at as many positions as its table has room for."""
        return self.nodes >= self.own.numbers[layout.ENTRIES]

    def make_room(self, size: int) -> None:
        """Have a table of so many bytes, for what another one has found that was asked the same."""
        if size != len(self.table.bytes):
            self.table = Memory(size // WORD)

    def go_on(self) -> None:
        """Go on with the memory of another one, which has been put here."""
        self.own.numbers[STOP] = 0

    def extend(self, nodes: int) -> None:
        """Go on for so many positions more."""
        self.own.numbers[layout.LIMIT] = self.own.numbers[layout.NODES] + nodes

    def likely(self, states: Sequence[State], player: int, goal: int) -> list[int]:
        """The places of states, that in which a player gets a goal most easily first."""
        own = self.own.numbers
        own[layout.SELF], own[proof_number.GOAL] = player, goal
        return sorted(range(len(states)), key=lambda place: self._left(states[place]))

    def _left(self, state: State) -> int:
        """How much is left to prove, as far as it has been kept."""
        key = proof_number.key_of(self._interpreted(), state, self.sides, self.own)
        data = entry_of(key, self.own, self.table)
        return proof_number.kept_proof(data) if data else _UNKNOWN

    def work(self) -> int:
        return _STEPS * min(max(2 * self.nodes, self.expected), self.budget.nodes or _LIMIT)

    def _plainly(self, game: Functions) -> int:
        return proved(game, self.state, NEVER, NEVER, 0, FIRST, self.sides, self.own, self.table)


def is_provable(program: Program) -> bool:
    """Whether questions of a game are answered by its positions alone, between two players."""
    rules = program.rules
    return len(rules.players) == _PAIR and not rules.chance and not program.keeps_history
