"""Null-window searches to the end of the game: tests of a value against a bound."""

from collections.abc import Sequence
from typing import Any

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.memory import STOP, WORD, Memory, allocate_largest, signed
from rulesengine.engine.drivers.random import word
from rulesengine.engine.drivers.search import layout
from rulesengine.engine.drivers.search.alpha_beta import alpha_beta
from rulesengine.engine.drivers.search.amaf_prior import fill_amaf_scores
from rulesengine.engine.drivers.search.component_key import position_key
from rulesengine.engine.drivers.search.context import SearchContext, SearchNode
from rulesengine.engine.drivers.search.layout import CERTAIN, DEEPEST, ROOT, WON
from rulesengine.engine.drivers.search.mobility import last_move_wins
from rulesengine.engine.drivers.search.move_ordering import LINE_SCORE, history_at
from rulesengine.engine.drivers.search.result import Budget
from rulesengine.engine.drivers.search.transposition_table import probe_entry
from rulesengine.language.ir.score_decided import points_of
from rulesengine.search.component_sums import lay_out
from rulesengine.search.helper_threads import HelperMemories
from rulesengine.search.iterative_deepening import ENTRY
from rulesengine.search.search_run import DriverRun, Functions
from rulesengine.state import State

_ROOM = 1 << 17  # words for ordered moves of the positions on the path
_LIMIT = 1 << 62
_PLIES = 2  # approximate cost of a position
_FIRST = 1 << 12  # expected positions of the first query


class NullWindow(DriverRun):
    """A null-window solver for one game of two players; its queries share one transposition table.

    Before the first query it initialises the move ordering: by the number of winning lines of each
    move, or else by playouts of `plies` plies in total.
    """

    part = "solving"
    solves = True

    def __init__(
        self,
        dispatcher: Dispatcher,
        state: State,
        budget: Budget,
        entries: int,
        threads: int = 1,
        plies: int = 0,
    ) -> None:
        super().__init__(dispatcher, state, budget, ROOT + _ROOM)
        self.points = points_of(self.program.rules)
        self.table = allocate_largest(ENTRY * entries)
        self.expected = _FIRST
        own = self.own.numbers
        own[layout.LIMIT] = budget.nodes or _LIMIT
        own[layout.POINTS] = self.points
        own[layout.LAST_MOVE_WINS] = int(last_move_wins(self.program.rules))
        own[layout.USES_SAFE_MOVES] = int(self._lays_out())
        own[layout.ENTRIES] = 0 if self.program.keeps_history else len(self.table) // ENTRY
        own[layout.ROOM] = len(self.own)
        own[layout.FIXED_DEPTH] = own[layout.TO_END] = 1
        lay_out(dispatcher, self.own, layout.PARTS)
        self._plies = plies
        self._threads, self._helpers = threads, HelperMemories(self.own, self.table, threads)
        self._beta = 0
        self.value = 0  # a lower bound of the value after a positive result, for the side to move

    @property
    def nodes(self) -> int:
        return self.own.numbers[layout.NODES] + self._helpers.nodes

    @property
    def is_limited(self) -> bool:
        """True if the last query has reached its limit of positions, and may be repeated."""
        return bool(self.own.numbers[layout.LIMIT_REACHED])

    def helper_calls(self) -> Sequence[tuple[Any, ...]]:
        memories = self._helpers.ready(self.own)
        return [self._arguments(memory) for memory in memories]

    def stop_helpers(self) -> None:
        self._helpers.end()

    def reaches(self, state: State, player: int, goal: int) -> bool | None:
        """Return True if a player gets at least a goal in a position in progress; None if
        undecided.

        The goal is in points, or 1 for a win, 0 for a draw.
        """
        mover = self._mover(state)
        beta = self._goal_value(goal) if mover == player else 1 - self._goal_value(goal)
        answer = self._tests(state, beta)
        return None if answer is None else answer == (mover == player)

    def find_distance(self, state: State, wins: bool) -> int | None:
        """Return the plies to the end of a won or lost position; None if undecided.

        Each query of the binary search tests if the side to move wins within a number of plies, or
        loses in no less than it.
        """
        low, high = 1, DEEPEST
        while low < high:
            middle = (low + high) // 2 if wins else (low + high + 1) // 2
            answer = self._tests(state, WON - middle if wins else middle - WON)
            if answer is None:
                return None
            if wins:
                low, high = (low, middle) if answer else (middle + 1, high)
            else:
                low, high = (middle, high) if answer else (low, middle - 1)
        return low

    def _tests(self, state: State, beta: int) -> bool | None:
        """Return True if the value for the side to move is at least beta; None if undecided."""
        self.state, own = self._dispatcher.interpreted.living(state), self.own.numbers
        mover, self._beta = self._mover(state), beta
        own[layout.SEARCHER], own[layout.LIMIT_REACHED], own[layout.ESTIMATED] = mover, 0, 0
        self._set_turn_scores(mover)
        answer = None
        while self.goes_on and answer is None:
            if self._initialise_ordering():
                answer = self._query()
            if answer is None and not self.resumes_compiled():
                break
        is_sure = not own[layout.ESTIMATED] or (not self.points and abs(answer or 0) >= CERTAIN)
        if answer is None or own[layout.LIMIT_REACHED] or not is_sure:
            return None
        self.value = answer
        return answer >= beta

    def likely(self, states: Sequence[State], player: int, goal: int) -> list[int]:
        """Return the indices of states, first those where the table proves the player's goal."""
        places = range(len(states))
        return sorted(places, key=lambda place: self._doubt(states[place], player, goal))

    def _doubt(self, state: State, player: int, goal: int) -> int:
        """Return 0 if the table has that a player gets a goal, 2 if it has the opposite, else 1."""
        here = self._dispatcher.interpreted.living(state)
        key = position_key(self._interpreted(), here, word(self.sides), layout.PARTS, self.own)
        data = probe_entry(key, self.own, self.table)
        if not data:
            return 1
        value, bound = (data & layout.VALUES) - layout.LARGE, data >> layout.BOUND_AT & 3
        mine = self._mover(state) == player
        beta = self._goal_value(goal) if mine else 1 - self._goal_value(goal)
        if bound != (layout.AT_MOST if value >= beta else layout.AT_LEAST):
            return 0 if (value >= beta) == mine else 2
        return 1

    def _mover(self, state: State) -> int:
        return state.seats[state.side] if state.seats else state.side

    def resize_table(self, size: int) -> None:
        """Allocate a table of a size in bytes, for the contents of a checkpoint."""
        if size != len(self.table.bytes):
            self.table = Memory(size // WORD)
        self._helpers = HelperMemories(self.own, self.table, self._threads)

    def go_on(self) -> None:
        """Resume with the memory of a checkpoint."""
        self.own.numbers[STOP] = self._plies = 0

    def extend(self, nodes: int) -> None:
        """Allow a number of further positions."""
        self.own.numbers[layout.LIMIT] = self.own.numbers[layout.NODES] + nodes

    def work(self) -> int:
        nodes = min(max(2 * self.nodes, self.expected), self.budget.nodes or _LIMIT)
        return _PLIES * nodes + self._plies

    def _initialise_ordering(self) -> bool:
        """Initialise the move ordering, by winning lines if they are known, else by playouts.

        Return False if that was interrupted.
        """
        has_safe_moves = self.own.numbers[layout.USES_SAFE_MOVES]
        if self._plies and (
            has_safe_moves or self._set_line_scores() or self._played() is not None
        ):
            self._plies = 0
        return not self._plies

    def _lays_out(self) -> bool:
        """Write the tables of safe moves to the driver's memory; False if the game has none."""
        reserves, own = self._dispatcher.interpreted.reserves, self.own.numbers
        for number, side in enumerate(reserves.sides if reserves else ()):
            own[layout.SIZES + number] = side.size
            sets = (side.takes, side.spoiled, side.bars, side.fills, side.guards, side.apart)
            for cell in range(len(side.takes)):
                at = layout.placement(number, cell)
                own[at + layout.ITSELF] = signed(1 << cell)
                for place, masks in enumerate(sets, layout.TAKES):
                    own[at + place] = signed(masks[cell])
        return reserves is not None

    def _set_turn_scores(self, mover: int) -> None:
        """Set the history scores of moves to their values in the analysis of safe moves, if there
        is one.

        The priority of a placement depends on its side; `mover` is the searching player.
        """
        own = self.own.numbers
        for side in range(2) if own[layout.USES_SAFE_MOVES] else ():
            for key, turn in self._dispatcher.interpreted.turns(side):
                own[history_at(signed(key), side == mover)] = turn * LINE_SCORE
            own[layout.FIXED_HISTORY] = 1

    def _set_line_scores(self) -> int:
        """Set the history scores of moves by their number of winning lines; return the number of
        moves.
        """
        own, ordered = self.own.numbers, 0
        for key, count in self._dispatcher.interpreted.line_counts():
            for mine in (False, True):
                own[history_at(signed(key), mine)] = count * LINE_SCORE
            ordered += 1
        own[layout.FIXED_HISTORY] = int(ordered > 0)
        return ordered

    def _played(self) -> int | None:
        """Play playouts for the move ordering; None if interrupted."""
        plies, own = self._plies, self.own
        args = plies, own.bytes
        return self.run_driver(
            "amaf_scores",
            args,
            lambda game: fill_amaf_scores(game, self.state, plies, own),
            short=True,
        )

    def _query(self) -> int | None:
        self.own.numbers[layout.BUSY_AT] = 0  # until helper threads are started
        return self.run_driver("alpha_beta", self._arguments(self.own), self._interpret, False)

    def _arguments(self, own: Memory) -> tuple[Any, ...]:
        beta = self._beta
        return DEEPEST, beta - 1, beta, 0, ROOT, self.sides, own.bytes, self.table.bytes

    def _interpret(self, game: Functions) -> int:
        node = SearchNode(DEEPEST, self._beta - 1, self._beta, 0, ROOT)
        return alpha_beta(game, self.state, node, SearchContext(self.sides, self.own, self.table))

    def _goal_value(self, goal: int) -> int:
        """Return the least value of the search that reaches a goal."""
        if self.points and self.sides > 1:
            return goal + (WON if goal > 0 else -WON if goal < 0 else 0)
        return goal
