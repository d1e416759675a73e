"""Monte-Carlo tree search in rounds of growing numbers of playouts."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.memory import STOP, Memory
from rulesengine.engine.drivers.search import tree_layout as at
from rulesengine.engine.drivers.search.fixed_point import fill_tables
from rulesengine.engine.drivers.search.mcts import grow
from rulesengine.engine.drivers.search.result import Budget, Settings, Value
from rulesengine.engine.drivers.search.tree_reuse import reuse_subtree
from rulesengine.engine.drivers.search.tree_settings import tree_settings_of
from rulesengine.search.search_run import MoveSearch
from rulesengine.state import State

_FIRST, _MOST = 16, 1 << 20  # playouts of the first round, doubled in each round, and their maximum
_FEW = 16  # maximum playouts of a round that needs no thread
_LONGEST = 20  # maximum plies of a line
_ALL = 1 << 62
SURE = 1000
_DEFAULT = Settings()


class TreeSearch(MoveSearch):
    """A tree search in a pool of `words`, which its threads share."""

    part = "tree"

    def __init__(
        self,
        dispatcher: Dispatcher,
        state: State,
        count: int,
        budget: Budget,
        words: int,
        how: Settings = _DEFAULT,
        method: str = "mcts",
    ) -> None:
        super().__init__(dispatcher, state, count, budget, at.OWN)
        self.seed = how.seed & 2**64 - 1
        self.pool = Memory(max(words, at.TREE + (count + 1) * at.width(self.sides)))
        self.pool.numbers[at.ROOM] = len(self.pool)
        self.pool.numbers[at.END] = at.TREE + at.width(self.sides)
        tree_settings_of(self.program, method).write(self.own)
        fill_tables(self.own)
        self._end_of_round = 0
        self._others = [Memory(at.OWN) for _ in range(how.threads - 1)]

    @property
    def nodes(self) -> int:
        return sum(memory.numbers[at.PLAYOUTS] for memory in (self.own, *self._others))

    def beside(self) -> Sequence[tuple[Any, ...]]:
        self.own.numbers[at.THREADS] = 1 + len(self._others)
        for other in self._others:
            games = other.numbers[at.PLAYOUTS]
            other.bytes[:] = self.own.bytes
            other.numbers[at.PLAYOUTS] = games
        return [self._args(other) for other in self._others]

    def end_beside(self) -> None:
        """Stop the helper threads if the main thread was interrupted; otherwise they complete their
        playouts.
        """
        if self.own.numbers[STOP]:
            for other in self._others:
                other.numbers[STOP] = 1

    def take_over(self, other: "TreeSearch", node: int) -> None:
        """Copy the subtree below a node of another tree, which becomes the root."""
        kernels, sides = self._kernels(), self.sides
        if kernels is None:
            reuse_subtree(node, sides, self.own, other.pool, self.pool)
        else:
            args = node, sides, self.own.bytes, other.pool.bytes, self.pool.bytes
            kernels.part(self.part).call("replanted", args)

    def child(self, node: int, number: int) -> int:
        """Return the node that a move leads to; 0 if it does not exist."""
        return self._children(node).get(number, 0)

    def work(self) -> int:
        playouts = self.budget.playouts or 2 * max(self.nodes, _FIRST)
        return playouts * self._dispatcher.selector.plies_of_game(playouts)

    def rounds(self, each: Callable[[], None] | None) -> None:
        games, all_of_them = _FIRST, self.budget.playouts or _ALL
        while self.goes_on and self.nodes < all_of_them:
            end = min(self.nodes + games, all_of_them)
            finished = self._round(end)
            if not finished and self.begins_anew():
                continue
            self._take()
            if each:
                each()
            if not finished or self.whole:
                break
            games = min(2 * games, _MOST)

    def _round(self, end: int) -> bool:
        """Play playouts up to a total number; True if the round was not interrupted."""
        first, self._end_of_round = self.nodes, end
        self.pool.numbers[at.NEXT], self.own.numbers[at.THREADS] = first, 1
        done = self.asked(
            "grow",
            self._args(self.own),
            lambda game: grow(game, self.state, end, self.seed, self.sides, self.own, self.pool),
            end - first <= _FEW,
        )
        return done is not None

    def _args(self, own: Memory) -> tuple[Any, ...]:
        """Return the arguments of a thread after the position."""
        return self._end_of_round, self.seed, self.sides, own.bytes, self.pool.bytes

    def _take(self) -> None:
        """Read the results; before the first playout there are none."""
        children = self._children(at.TREE)
        if not children:
            return
        player = self._of(at.TREE, at.MOVER)
        self.order.sort(key=lambda number: self._rank(number, children, player))
        self.whole = self._of(at.TREE, at.PROVEN) != at.OPEN
        self.line = self._line()
        self.depth = len(self.line)

    def _rank(
        self, number: int, children: Mapping[int, int], player: int
    ) -> tuple[bool, bool, int, int]:
        """Return the sort key of a move: proven wins first, proven losses last, else by visits."""
        if number not in children:
            return True, False, 0, number
        node = children[number]
        proven = self._of(node, at.PROVEN)
        is_won = proven == player + at.WON_BY
        is_lost = proven > at.DRAWN and not is_won
        return not is_won, is_lost, -self._of(node, at.VISITS), number

    def _line(self) -> tuple[int, ...]:
        """Return the line of the most visited moves."""
        node, line = at.TREE, list[int]()
        while len(line) < _LONGEST and self._of(node, at.COUNT) > 0:
            best, node = self._best(node)
            if not self._of(node, at.VISITS):
                break
            line.append(best)
        return tuple(line)

    def _best(self, node: int) -> tuple[int, int]:
        """Return the number of the best move of a node, and its child."""
        children, player = self._children(node), self._of(node, at.MOVER)
        best = min(children, key=lambda number: self._rank(number, children, player))
        return best, children[best]

    def told(self, number: int) -> Value:
        node = self.child(at.TREE, number)
        if not node:
            return Value(0, "chance")
        player = self._of(at.TREE, at.MOVER)
        proven, visits = self._of(node, at.PROVEN), self._of(node, at.VISITS)
        if proven > at.DRAWN:
            return Value(SURE if proven == player + at.WON_BY else -SURE, "chance")
        if proven == at.DRAWN or not visits:
            return Value(0, "chance")
        return Value(SURE * self._of(node, at.TOTALS + player) // visits - SURE, "chance")

    def _of(self, node: int, word: int) -> int:
        return self.pool.numbers[node + word]

    def _children(self, node: int) -> dict[int, int]:
        """Return the children of a node by the numbers of their moves."""
        first, count = self._of(node, at.FIRST), self._of(node, at.COUNT)
        if not self._of(node, at.MORE) & at.MOST:
            return {number: first + number * at.width(self.sides) for number in range(count)}
        found, child = dict[int, int](), first
        while child:
            found[self._of(child, at.NUMBER)] = child
            child = self._of(child, at.FURTHER)
        return found
