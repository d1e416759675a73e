"""Exact values of games of one player, over all reachable positions.

Without chance the value is the greatest payoff of a reachable end, found by breadth-first search.
With chance it is an expectation, computed backwards from the ends with exact fractions.
"""

from array import array
from collections import deque
from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

from rulesengine.errors import UsageError
from rulesengine.job import Job
from rulesengine.language.ir.score_decided import has_payoff
from rulesengine.search.enumeration.layers import Enumerable
from rulesengine.search.enumeration.packed_states import Records
from rulesengine.search.imperfect_information.game_tree import HiddenGame
from rulesengine.state import Move, State
from rulesengine.support.frozen import record

WIN, DRAW, LOSS = 1, 0, -1  # payoffs of ends without payoffs and scores


class SinglePlayerGame(Enumerable, HiddenGame, Protocol):
    """The interface of a game of one player that can be solved."""


@record
class BestPlay:
    """The result of best play by a single player.

    - `payoff` is the payoff, or its expectation with chance; None if no end can be reached.
    - `line` is a shortest game with that payoff. With chance it has the first move only, and no
      move where chance moves first.
    - `is_mean` is true if chance moves, so that the payoff is an expectation.
    - `states` is the number of positions enumerated.
    - `endless` is true for a game of chance that may return to an earlier position; it has no
      payoff here.
    """

    payoff: Fraction | None
    line: tuple[Move, ...]
    states: int
    endless: bool = False
    is_mean: bool = False


def best_play(
    game: SinglePlayerGame, state: State, limit: int, job: Job | None = None
) -> BestPlay | None:
    """Return the result of best play from a state; None if more than `limit` states are reachable.

    A game without payoffs and scores is worth 1 for a win, -1 for a loss, and 0 otherwise, also if
    it need not end. Its first win ends the enumeration. A job counts states. Raises UsageError for
    a game of more players, and the errors of the rules.
    """
    if len(game.players) != 1:
        raise UsageError("this analysis is for games of one player")
    graph = _Graph(game)
    result = graph.enumerate(state, limit, job or Job())
    if not result:
        return None
    return graph.expectation(state) if graph.weights else graph.greatest(state)


class _Graph:
    """The reachable states, numbered in breadth-first order, with their successors."""

    def __init__(self, game: SinglePlayerGame) -> None:
        self.game = game
        self.records = Records(game.program)
        self.pays = has_payoff(game.program.rules)
        self.numbers: dict[bytes, int] = {}
        self.parents = array("q")  # the number of the state before on a shortest path; -1
        self.ends: dict[int, int] = {}  # the payoffs of ends
        self.best = -1  # the first end with the greatest payoff
        # The successors of state i are following[starts[i]:starts[i + 1]].
        self.starts, self.following = array("q", [0]), array("q")
        self.weights: dict[int, tuple[int, ...]] = {}  # of the moves of chance

    def enumerate(self, first: State, limit: int, job: Job) -> bool:
        """Find all states; False if there are more than `limit`.

        Without chance, payoffs and scores the enumeration ends at the first win.
        """
        stops = not self.pays and not self.game.program.rules.chance
        queue = deque([self._new(first, -1)])
        while queue and not (stops and self.ends.get(self.best) == WIN):
            job.raise_if_stopped()
            job.advance(1)
            key = queue.popleft()
            state, number = self.records.state(key), len(self.starts) - 1
            weights = self.game.weights(state)
            if weights:
                self.weights[number] = weights
            for move in self.game.legal_moves(state):
                after = self.game.apply(state, move, check=False)
                key = self.records.record(after)
                if key not in self.numbers:
                    if len(self.numbers) >= limit:
                        return False
                    queue.append(self._new(after, number))
                self.following.append(self.numbers[key])
            self.starts.append(len(self.following))
        return True

    def _new(self, state: State, parent: int) -> bytes:
        """Number a state, and store the payoff if it is an end."""
        key, number = self.records.record(state), len(self.numbers)
        self.numbers[key] = number
        self.parents.append(parent)
        outcome = self.game.outcome(state)
        if outcome is not None:
            self.ends[number] = outcome.payoffs[self.game.players[0]]
            if self.best < 0 or self.ends[number] > self.ends[self.best]:
                self.best = number
        return key

    def greatest(self, first: State) -> BestPlay:
        """Return the greatest payoff of an end, with a shortest path to it."""
        count = len(self.numbers)
        if self.best < 0:
            return BestPlay(None if self.pays else Fraction(DRAW), (), count)
        payoff = self.ends[self.best]
        if not self.pays and payoff == LOSS and self._may_stay():
            return BestPlay(Fraction(DRAW), (), count)
        return BestPlay(Fraction(payoff), self._path(first), count)

    def _may_stay(self) -> bool:
        """True if a game need not reach an end: it can return to a position, or has no move."""
        return self._order() is None or any(
            number not in self.ends and not self._after(number) for number in self._states()
        )

    def _path(self, first: State) -> tuple[Move, ...]:
        """Return the moves of a shortest path to the best end."""
        numbers, number = list[int](), self.best
        while number > 0:
            numbers.append(number)
            number = self.parents[number]
        line, state = list[Move](), first
        for number in reversed(numbers):
            for move in self.game.legal_moves(state):
                after = self.game.apply(state, move, check=False)
                if self.numbers[self.records.record(after)] == number:
                    break
            line.append(move)
            state = after
        return tuple(line)

    def expectation(self, first: State) -> BestPlay:
        """Return the greatest expected payoff; without a value if the states form a cycle."""
        order, count = self._order(), len(self.numbers)
        if order is None:
            return BestPlay(None, (), count, endless=True, is_mean=True)
        values = dict[int, Fraction | None]()
        for number in reversed(order):
            values[number] = self._expected(number, values)
        best = tuple(
            move
            for move, after in zip(self.game.legal_moves(first), self._after(0), strict=True)
            if 0 not in self.weights and values[after] == values[0]
        )
        return BestPlay(values[0], best[:1], count, is_mean=True)

    def _expected(self, number: int, values: dict[int, Fraction | None]) -> Fraction | None:
        """Return the value of a state from those of its successors; None if no end is certain."""
        if number in self.ends:
            return Fraction(self.ends[number])
        after = [values[following] for following in self._after(number)]
        known = [value for value in after if value is not None]
        if not known:
            return None if self.pays else Fraction(DRAW)
        if number not in self.weights:
            return max(known)
        if len(known) < len(after):
            return None
        weights = self.weights[number]
        total = sum(weight * value for weight, value in zip(weights, known, strict=True))
        return total / Fraction(sum(weights))

    def _order(self) -> list[int] | None:
        """Return the states in topological order; None if they form a cycle (Kahn, 1962)."""
        before = array("q", bytes(8 * len(self.numbers)))
        for number in self.following:
            before[number] += 1
        order = [number for number in self._states() if not before[number]]
        for number in order:
            for after in self._after(number):
                before[after] -= 1
                if not before[after]:
                    order.append(after)
        return order if len(order) == len(self.numbers) else None

    def _states(self) -> range:
        return range(len(self.numbers))

    def _after(self, number: int) -> Sequence[int]:
        """Return the successors of a state, in the order of its moves."""
        if number + 1 >= len(self.starts):
            return ()
        return self.following[self.starts[number] : self.starts[number + 1]]
