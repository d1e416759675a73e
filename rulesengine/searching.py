"""Searches of one game: memory for the driver, round after round, until the budget is used up."""

from collections.abc import Callable, Sequence
from threading import Timer
from time import perf_counter
from typing import TYPE_CHECKING

from rulesengine.dispatch import Dispatcher
from rulesengine.drivers import Judged
from rulesengine.errors import Stopped, UsageError
from rulesengine.interpreter.moving import Steps
from rulesengine.ir.rules import LookAhead, Rules
from rulesengine.job import Job
from rulesengine.memory import STOP, Memory
from rulesengine.search import layout
from rulesengine.search.alpha_beta import search_round
from rulesengine.search.evaluation import evaluation_of
from rulesengine.search.result import Budget, Found, Solved, Value, value_of
from rulesengine.state import Move, State
from rulesengine.waiting import in_threads

if TYPE_CHECKING:
    from rulesengine.game import Game
    from rulesengine.kernel.kernels import Kernels

__all__ = ["Budget", "Found", "Search", "Solved", "choice", "searched"]

_ROOM = 1 << 17  # words for the order of moves, position by position
_ENTRY = 2  # words
_MEGABYTE = 1 << 20
_MEMORY = 64  # megabytes, if nothing is said
_LIMIT = 1 << 62
# About how many steps a position takes, to tell whether kernels pay.
_STEPS = 4
_SHORT = 0.002  # seconds; a round that is expected to take no longer needs no thread


class Search:
    """One search from a position that has legal moves, `count` of them.

    After each round `chosen`, `value`, `line` and `order` tell what has been found: numbers of
    moves in their order, and the value as the search has it.
    """

    def __init__(
        self, dispatcher: Dispatcher, state: State, count: int, budget: Budget, entries: int
    ) -> None:
        self.state = state
        self.count = count
        self.budget = budget
        self.rules = dispatcher.machine.program.rules
        self.points = points_of(self.rules)
        self.depth = 0
        self.whole = False
        self.order = list(range(count))
        self.values = [0] * count
        self.line: tuple[int, ...] = ()
        self._dispatcher = dispatcher
        self._functions: Judged[State, Steps] | None = None
        self._own = Memory(layout.ROOT + 2 * count + _ROOM)
        self._table = Memory(_ENTRY * max(entries, 1))
        self._stopped = self._waiting = False
        self._fill(dispatcher, entries)

    def _fill(self, dispatcher: Dispatcher, entries: int) -> None:
        own = self._own.numbers
        state = self.state
        own[layout.LIMIT] = self.budget.nodes or _LIMIT
        own[layout.SELF] = state.seats[state.side] if state.seats else state.side
        own[layout.POINTS] = self.points
        own[layout.ENTRIES] = 0 if dispatcher.machine.program.keeps_history else entries
        own[layout.ROOM] = len(self._own)
        own[layout.CHOSEN] = -1

    @property
    def nodes(self) -> int:
        """How many positions have been looked at."""
        return self._own.numbers[layout.NODES]

    @property
    def engine(self) -> str:
        """The name of the engine that would begin a round now."""
        kernels = self._chosen()
        return kernels.backend.name if kernels else "interpreter"

    def wants_ties(self) -> None:
        """Find all the best moves, not the first of them alone: that takes longer."""
        self._own.numbers[layout.TIES] = 1

    def best_moves(self) -> list[int]:
        """The numbers of the moves whose values are the best, in their order."""
        return sorted(number for number in self.order if self.values[number] == self.value)

    def told(self, number: int) -> Value:
        """What a move is worth, for people."""
        return value_of(self.values[number], points=self.points != 0, whole=self.whole)

    @property
    def value(self) -> int:
        return self.values[self.order[0]]

    def run(self, job: Job, each: Callable[[], None] | None = None) -> None:
        """Search until the budget is used up; `each` is called after each round.

        A job stops it, which raises Stopped; what has been found by then stays.
        """
        limit = self.budget.seconds
        clock = Timer(limit, self._stop) if limit is not None else None
        if clock:
            clock.daemon = True
            clock.start()
        try:
            with job.watched(self._own.bytes):
                self._rounds(each)
        finally:
            if clock:
                clock.cancel()

    def _rounds(self, each: Callable[[], None] | None) -> None:
        deepest, took = self.budget.plies or layout.DEEPEST, 0.0
        while self.depth < deepest and not self._stopped:
            since = perf_counter()
            finished = self._round(self.depth + 1, took * self.count < _SHORT)
            if not finished and self._waiting and not self._stopped and not self._is_used_up():
                # The kernels that have been made meanwhile begin this round anew.
                self._waiting, self._own.numbers[STOP] = False, 0
                continue
            took = perf_counter() - since
            if self._own.numbers[layout.DONE]:
                self._take(finished)
            if not finished:
                break
            self.depth += 1
            if each:
                each()
            if self._is_settled():
                break

    def _round(self, depth: int, at_once: bool) -> bool:
        """One round; whether it was finished."""
        own = self._own.numbers
        own[layout.DEPTH], own[layout.DONE], own[layout.ESTIMATED] = depth, 0, 0
        for turn, number in enumerate(self.order):
            own[layout.ROOT + turn] = number
        try:
            return self._searched(depth, at_once) == self.count
        except Stopped:
            if not (self._stopped or self._waiting):
                raise
            return False

    def _searched(self, depth: int, at_once: bool) -> int:
        sides = len(self.rules.players)
        kernels = self._chosen()
        if kernels is None:
            return self._interpreted(depth, sides)
        part = kernels.part("search")
        words = kernels.words(self.state, part)
        args = (*words, depth, sides, self._own.bytes, self._table.bytes)

        def call() -> tuple[int, ...] | None:
            return part.call("search_round", args)

        at_once = at_once or not kernels.backend.has_threads
        found = call() if at_once else in_threads([call], self._stop_word)[0]
        return self._interpreted(depth, sides) if found is None else found[0]

    def _chosen(self) -> "Kernels | None":
        """The kernels that search: nobody waits for them where time is what counts."""
        selector = self._dispatcher.selector
        if self.budget.seconds is None:
            return selector.for_work("search", _work(self.budget, self.count))
        return selector.beside("search", self._made)

    def _made(self) -> None:
        """The kernels are there: end the round that goes on without them."""
        self._waiting = True
        self._stop_word()

    def _is_used_up(self) -> bool:
        return bool(self._own.numbers[layout.ENDED])

    def _interpreted(self, depth: int, sides: int) -> int:
        if self._functions is None:
            self._functions = self._dispatcher.judged(evaluation_of(self.rules))
        return search_round(self._functions, self.state, depth, sides, self._own, self._table)

    def _take(self, finished: bool) -> None:
        """Take over what a round has found, of which only the first moves may be finished."""
        own = self._own.numbers
        values, done = layout.ROOT + self.count, own[layout.DONE]
        chosen = own[layout.CHOSEN]
        for number in self.order[:done]:
            self.values[number] = own[values + number]
        known = self.order[:done]
        known.sort(key=lambda number: (number != chosen, -self.values[number], number))
        self.order[:done] = known
        length = own[layout.LENGTHS]
        self.line = tuple(own[layout.LINES : layout.LINES + length])
        self.whole = finished and not own[layout.ESTIMATED]

    def _is_settled(self) -> bool:
        """Whether to look deeper would change nothing."""
        return self.whole or (not self.points and abs(self.value) >= layout.SURE)

    def _stop(self) -> None:
        self._stopped = True
        self._stop_word()

    def _stop_word(self) -> None:
        self._own.numbers[STOP] = 1


def searched(
    game: "Game",
    dispatcher: Dispatcher,
    state: State,
    moves: Sequence[Move],
    budget: Budget,
    memory: int | None = None,
    job: Job | None = None,
    each: Callable[[Found], None] | None = None,
) -> Found:
    """As `Game.search` says, of a state with these legal moves."""
    if not moves:
        raise UsageError("the game is over: there is no move to search for")
    since = perf_counter()
    search = Search(dispatcher, state, len(moves), budget, entries_of(memory, budget))

    def found() -> Found:
        return told(game, search, moves, perf_counter() - since)

    search.run(job or Job(), (lambda: each(found())) if each else None)
    return found()


def choice(dispatcher: Dispatcher, state: State, number: int, moves: Sequence[Move]) -> Move | None:
    """The move of a strategy that looks ahead; None if there is no legal move."""
    strategy = dispatcher.machine.program.rules.strategies[number]
    assert strategy.search is not None
    if len(moves) < 2:
        return moves[0] if moves else None
    budget = budget_of(strategy.search)
    search = Search(dispatcher, state, len(moves), budget, entries_of(None, budget))
    if strategy.keys:
        search.wants_ties()
    search.run(Job())
    if not strategy.keys:
        return moves[search.order[0]]
    best = [moves[number] for number in search.best_moves()]
    steps = dispatcher.machine.choose(state, strategy, among=[move.steps for move in best])
    return next(move for move in best if move.steps == steps)


def budget_of(search: LookAhead) -> Budget:
    """How long a strategy of a lowered program searches. Raises UsageError."""
    plies, nodes = (
        None if op is None else int(str(op.value)) for op in (search.plies, search.nodes)
    )
    return Budget(float(search.seconds) if search.seconds else None, nodes, plies).checked()


def told(game: "Game", search: Search, moves: Sequence[Move], seconds: float) -> Found:
    """What a search has found by now, in moves and values for people."""
    values = [search.told(number) for number in range(search.count)]
    best = values[search.order[0]]
    return Found(
        moves[search.order[0]],
        best.number,
        best.unit,
        _line(game, search.state, search.line),
        search.nodes,
        search.depth,
        seconds,
        tuple((moves[number], values[number]) for number in search.order),
        search.whole,
    )


def _line(game: "Game", state: State, numbers: Sequence[int]) -> tuple[Move, ...]:
    """The moves of a line, of which each is told by its number."""
    line = []
    for number in numbers:
        line.append(game.legal_moves(state)[number])
        state = game.apply(state, line[-1], check=False)
    return tuple(line)


def points_of(rules: Rules) -> int:
    """1 if every end that has a winner goes by the highest score, -1 by the lowest, else 0."""
    results = {end.result for end in rules.ends} - {"draw"}
    sign = -1 if rules.misere else 1
    if results == {"highest"}:
        return sign
    return -sign if results == {"lowest"} else 0


def entries_of(megabytes: int | None, budget: Budget) -> int:
    """How many entries a table has: as many as fit, no more than positions are looked at."""
    if megabytes is not None and not megabytes > 0:
        raise UsageError(f"the table takes at least 1 megabyte, found {megabytes}")
    fitting = (megabytes or _MEMORY) * _MEGABYTE // (8 * _ENTRY)
    return max(2, min(fitting, 2 * (budget.nodes or fitting)) & ~1)


def _work(budget: Budget, count: int) -> int:
    """About how many steps a search looks at."""
    if budget.nodes:
        return _STEPS * budget.nodes
    if budget.plies:
        return _STEPS * int(max(count, 2) ** min((budget.plies + 1) / 2 + 1, 30))
    return int(1e9)
