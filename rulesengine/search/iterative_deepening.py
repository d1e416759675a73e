"""Iterative deepening: alpha-beta search, one ply deeper in each iteration."""

from collections.abc import Callable, Collection, Sequence
from time import process_time
from typing import Any

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.memory import STOP, WORD, Memory, allocate_largest, signed
from rulesengine.engine.drivers.protocol import ENDLESS
from rulesengine.engine.drivers.search import layout
from rulesengine.engine.drivers.search.alpha_beta import search_round
from rulesengine.engine.drivers.search.context import SearchContext
from rulesengine.engine.drivers.search.mobility import last_move_wins
from rulesengine.engine.drivers.search.result import (
    Budget,
    Value,
    payoff_of,
    value_of,
)
from rulesengine.engine.evaluation import late_move_reductions, search_head
from rulesengine.job import Job
from rulesengine.language.ir.score_decided import SCALE, points_of
from rulesengine.search.component_sums import lay_out
from rulesengine.search.helper_threads import HelperMemories
from rulesengine.search.learned_weights import LearnedWeights
from rulesengine.search.search_run import MoveSearch, RankedMove
from rulesengine.state import State

ENTRY = 2  # words of a table entry
_ROOM = 1 << 17  # words for ordered moves of the positions on the path
_LIMIT = 1 << 62
_DEEP = 40  # plies of a tree that exceeds every budget
_NEAR = 5  # an iteration that would leave less than 1 / _NEAR of a game searches to its end
_SHARE, _LARGEST = 8, 32  # entries for each subset of the empty cells, up to `_LARGEST` cells
_SHORT = 0.002  # CPU seconds; an iteration expected to be shorter needs no thread


class AlphaBeta(MoveSearch):
    """An iterative-deepening search with a transposition table of `entries`; `values` are those of
    the moves.

    The table may come from another search with the same rules and players. `expected` is the number
    of positions of the first iteration.

    With several threads the first one is the main thread. The helpers search the same depth to fill
    the table, and defer moves that another thread is searching (ABDADA).
    """

    def __init__(
        self,
        dispatcher: Dispatcher,
        state: State,
        count: int,
        budget: Budget,
        entries: int,
        threads: int = 1,
        table: Memory | None = None,
        learned: LearnedWeights | None = None,
        *,
        solves: bool = False,
    ) -> None:
        words = layout.ROOT + 2 * count + _ROOM
        super().__init__(dispatcher, state, count, budget, words, learned)
        self.solves = solves
        self.part = learned.part if learned else "solving" if solves else "search"
        is_fine = learned is not None and learned.pays
        self.points = SCALE if is_fine else points_of(self.program.rules)
        self._to_end = self.points != 0 and budget.plies == layout.DEEPEST
        self._vacant = dispatcher.interpreted.vacant(state) if self._to_end else ENDLESS
        self.values = [0] * count
        self.depths = [0] * count
        self._ranked = list[RankedMove]()  # of several `wanted` moves
        self._excluded: tuple[int, ...] = ()  # root moves that are not searched
        self._estimated = set[int]()  # moves with an estimated value, though `whole` is true
        self.expected = count
        entries = min(entries, _SHARE << min(self._vacant, _LARGEST))
        self.table = table or allocate_largest(ENTRY * max(entries, 1))
        own = self.own.numbers
        own[layout.LIMIT] = budget.nodes or _LIMIT
        own[layout.SEARCHER] = state.seats[state.side] if state.seats else state.side
        own[layout.POINTS], own[layout.FINE] = self.points, int(is_fine)
        own[layout.LAST_MOVE_WINS] = int(solves and last_move_wins(self.program.rules))
        own[layout.ENTRIES] = len(self.table) // ENTRY
        if table and self.program.keeps_history:
            own[layout.PATHS] = signed(dispatcher.interpreted.past(state))
        own[layout.ROOM] = len(self.own)
        own[layout.FIXED_DEPTH] = int(solves or budget.plies is not None)
        self._put_captures()
        if not own[layout.FIXED_DEPTH]:
            plies = late_move_reductions(is_selective=bool(own[layout.PRUNES]))
            own[layout.REDUCTIONS : layout.HISTORY] = plies
        own[layout.CHOSEN] = -1
        if solves:
            lay_out(dispatcher, self.own, layout.PARTS)
        self._put_order()
        self._threads, self._helpers = threads, HelperMemories(self.own, self.table, threads)

    @property
    def nodes(self) -> int:
        return self.own.numbers[layout.NODES] + self._helpers.nodes

    @property
    def quiescence_nodes(self) -> int:
        """Return the number of positions searched by quiescence search."""
        return self.own.numbers[layout.QUIESCENCE_NODES] + self._helpers.quiescence_nodes

    def helper_calls(self) -> Sequence[tuple[Any, ...]]:
        depth, table = self.own.numbers[layout.DEPTH], self.table.bytes
        return [(depth, self.sides, other.bytes, table) for other in self._helpers.ready(self.own)]

    def stop_helpers(self) -> None:
        self._helpers.end()

    @property
    def value(self) -> int:
        """Return the value of the best move, in the scale of the search."""
        return self.values[self.order[0]]

    def _put_captures(self) -> None:
        """Store how the search uses captures; a fixed depth only orders them."""
        factor = self.learned.factor if self.learned else 1
        own, head = self.own.numbers, search_head(self._dispatcher.machine, self.part, factor)
        own[layout.CAPTURES], own[layout.MARGIN] = head["CAPTURES"], head["MARGIN"]
        if self.solves:
            own[layout.CAPTURES] = 0
        elif head["CAPTURES"] and self.budget.plies is not None:
            own[layout.CAPTURES] = layout.ORDERED
        follows = own[layout.CAPTURES] == layout.FOLLOWED
        own[layout.PRUNES] = head["PRUNES"] if follows else 0

    def extend(self, nodes: int) -> None:
        """Allow a number of further positions."""
        self.own.numbers[layout.LIMIT] = self.own.numbers[layout.NODES] + nodes
        self.own.numbers[layout.LIMIT_REACHED] = 0

    def resize_table(self, size: int) -> None:
        """Allocate a table of a size in bytes, for the contents of a checkpoint."""
        if size != len(self.table.bytes):
            self.table = Memory(size // WORD)
        self._helpers = HelperMemories(self.own, self.table, self._threads)

    def go_on(self) -> None:
        """Resume with the memory of a checkpoint."""
        own = self.own.numbers
        own[STOP] = 0
        self.order = [own[layout.ROOT + turn] for turn in range(self.count)]

    def restrict_root(self, numbers: Collection[int]) -> None:
        self._excluded = tuple(number for number in self.order if number not in numbers)
        super().restrict_root(numbers)
        self._put_order()

    def request_all_best(self) -> None:
        """Request all the best moves, not only the first; this takes longer."""
        self.own.numbers[layout.EXACT_WITHIN] = max(1, self.own.numbers[layout.EXACT_WITHIN])

    def request_noise(self, noise: float, seed: int) -> None:
        super().request_noise(noise, seed)
        self.own.numbers[layout.EXACT_WITHIN] = 2 * layout.LARGE

    @property
    def knows_ties(self) -> bool:
        """True if all the best moves are requested, or the values of all moves."""
        return bool(self.own.numbers[layout.EXACT_WITHIN])

    @property
    def is_bounded(self) -> bool:
        """True if the values of moves that are not the best are upper bounds."""
        return self.own.numbers[layout.EXACT_WITHIN] < layout.LARGE

    def noise_values(self) -> Sequence[int | None]:
        """Return the values of the last iteration; a move that it has not reached has none."""
        known = zip(self.values, self.depths, strict=True)
        return [value if depth else None for value, depth in known]

    def best_moves(self) -> list[int]:
        """Return the numbers of the moves with the best value, in order."""
        return sorted(number for number in self.order if self.values[number] == self.value)

    def value_of(self, number: int) -> Value:
        for ranked in self._ranked:
            if ranked.number == number and ranked.depth == self.depths[number]:
                return ranked.value
        return self._value(number, self.whole and number not in self._estimated)

    def _value(self, number: int, whole: bool) -> Value:
        if self.sides == 1 and self.points:
            return payoff_of(self.values[number], self.points, whole=whole)
        return value_of(self.values[number], points=self.points != 0, whole=whole)

    def ranked(self) -> Sequence[RankedMove]:
        best, known = self.order[0], self._ranked[: self.wanted]
        if not self.line or (known and known[0].number == best):
            return known
        first = RankedMove(best, self.value_of(best), self.line, self.depths[best])
        others = (ranked for ranked in known if ranked.number != best)
        return [first, *others][: self.wanted]

    def work(self) -> int:
        if self.budget.nodes is None:
            return max(self.nodes, self.expected) * self.count
        # Alpha-beta visits about the square root of a game tree (Knuth and Moore, 1975).
        plies = min(self._dispatcher.selector.plies_of_game(self.budget.nodes) // 2, _DEEP)
        return min(self.budget.nodes, int(max(self.count, 2) ** plies))

    def rounds(self, each: Callable[[], None] | None) -> None:
        deepest, took = self.budget.plies or layout.DEEPEST, 0.0
        while self.depth < deepest:
            is_short, is_swift = took * self.count < _SHORT, self.is_swift
            if not (self.goes_on or (is_short and is_swift)):
                break
            since, depth = process_time(), min(self.depth + self._step(), deepest)
            finished = self._round(depth, is_short)
            if (
                not finished
                and not self.own.numbers[layout.LIMIT_REACHED]
                and self.resumes_compiled()
            ):
                continue
            took = process_time() - since
            is_begun = self.own.numbers[layout.DONE] > len(self._excluded)
            if is_begun and (finished or not (self.noise and self.depth)):
                self._take(finished)
            if not finished:
                break
            self.depth, is_settled = depth, self.is_settled
            if self.wanted > 1:
                finished, is_settled = self._search_lines(depth, is_short, is_settled)
                took = process_time() - since
            if each:
                each()
            if not finished or is_settled:
                break

    def _search_lines(self, depth: int, short: bool, is_settled: bool) -> tuple[bool, bool]:
        """Search the next best moves to a depth: in each round the better ones are excluded.

        Return whether all rounds were completed, and whether all their values are settled.
        """
        own, all_settled = self.own.numbers, is_settled
        for rank in range(1, min(self.wanted, len(self.order))):
            while not self._round(depth, short, rank):
                if own[layout.LIMIT_REACHED] or not self.resumes_compiled():
                    return False, False
            is_whole = not own[layout.ESTIMATED]
            self._take_line(rank, is_whole)
            number = self.order[rank]
            all_settled = all_settled and (is_whole or self._is_certain(number))
        return True, all_settled

    def _take_line(self, rank: int, is_whole: bool) -> None:
        """Read the results of a round of which the first `rank` moves were excluded."""
        own, values = self.own.numbers, layout.ROOT + self.count
        chosen, others = own[layout.CHOSEN], self.order[rank:]
        for number in others:
            self.values[number] = own[values + number]
            self.depths[number] = own[layout.DEPTH]
        if not is_whole:
            self._estimated.update(others)
        self.order[rank:] = sorted(
            others, key=lambda number: (number != chosen, -self.values[number], number)
        )
        self._rank(rank, self._value(chosen, is_whole), self._stored_line())

    def _rank(self, rank: int, value: Value, line: tuple[int, ...]) -> None:
        """Store one of the best moves; those of the previous iteration follow it, also in order."""
        number = self.order[rank]
        found = RankedMove(number, value, line, self.depths[number])
        later = (other for other in self._ranked[rank:] if other.number != number)
        self._ranked = [*self._ranked[:rank], found, *later][: self.wanted]
        places = {other.number: place for place, other in enumerate(self._ranked)}
        self.order.sort(key=lambda number: places.get(number, self.count))

    def _stored_line(self) -> tuple[int, ...]:
        """Return the principal variation of the last round."""
        own = self.own.numbers
        return tuple(own[layout.LINES : layout.LINES + own[layout.LENGTHS]])

    def finish(self, job: Job) -> bool:
        """Search to the end of the game in one iteration; True if the budget sufficed."""
        with self.timed(job):
            while not self._round(layout.DEEPEST, False):
                if self.own.numbers[layout.LIMIT_REACHED] or not self.resumes_compiled():
                    return False
        self._take(True)
        self.depth = layout.DEEPEST
        return self.whole

    def _step(self) -> int:
        """Return the increase in depth of the next iteration: large if only the final score
        matters.

        If every other ply is a pass, filling the remaining cells takes twice as many plies.
        """
        if not self._to_end:
            return 1
        step = max(1, self.depth // 2)
        share = self._vacant - self._vacant // _NEAR
        is_near = self.depth < self._vacant and self.depth + step > share
        return 2 * self._vacant - self.depth if is_near else step

    def _round(self, depth: int, short: bool, excluded: int = 0) -> bool:
        """Run a round of an iteration without the first moves; True if it was completed."""
        own, first = self.own.numbers, len(self._excluded) + excluded
        own[layout.DEPTH], own[layout.DONE], own[layout.ESTIMATED] = depth, first, 0
        self._put_order()
        args = depth, self.sides, self.own.bytes, self.table.bytes
        context = SearchContext(self.sides, self.own, self.table)
        done = self.run_driver(
            "search_round", args, lambda game: search_round(game, self.state, depth, context), short
        )
        return done == self.count

    def _put_order(self) -> None:
        """Store the order in which the root moves are searched."""
        for turn, number in enumerate((*self._excluded, *self.order)):
            self.own.numbers[layout.ROOT + turn] = number

    def _take(self, finished: bool) -> None:
        """Read the results of an iteration, which may have completed only the first moves.

        If all of these lose, the first of the others becomes the best move, as it may not lose.
        """
        own = self.own.numbers
        values, done, chosen = layout.ROOT + self.count, own[layout.DONE], own[layout.CHOSEN]
        order = [own[layout.ROOT + turn] for turn in range(self.count)]  # threads defer moves
        known = order[len(self._excluded) : done]
        for number in known:
            self.values[number] = own[values + number]
            self.depths[number] = own[layout.DEPTH]
        known.sort(key=lambda number: (number != chosen, -self.values[number], number))
        rest = order[done:]
        self.line = self._stored_line()
        if any(self.values[number] > -layout.CERTAIN >= self.values[known[0]] for number in rest):
            known, rest, self.line = rest, known, tuple(rest[:1])
        self.order = [*known, *rest]
        self.whole = finished and not own[layout.ESTIMATED]
        self._estimated.clear()
        if self.wanted > 1:
            self._rank(0, self._value(self.order[0], self.whole), self.line)

    @property
    def is_settled(self) -> bool:
        """True if a deeper search would change nothing."""
        return self.whole or self._is_certain(self.order[0])

    def _is_certain(self, number: int) -> bool:
        """True if the value of a move is that of a sure win or loss."""
        return not self.points and abs(self.values[number]) >= layout.CERTAIN
