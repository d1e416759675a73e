"""Monte-Carlo tree search, some random games at a time."""

from collections.abc import Callable

from rulesengine.dispatch import Dispatcher
from rulesengine.search import tree_layout as at
from rulesengine.search.manner import manner_of
from rulesengine.search.mcts import grow
from rulesengine.search.replanting import replanted
from rulesengine.search.result import Budget, Value
from rulesengine.search.roots import fill_tables
from rulesengine.searching.running import Running
from rulesengine.state import State

_FIRST, _MOST = 16, 1 << 20  # random games of a round, which are twice as many each time
_STEPS = 100  # about what a random game takes
_FEW = 16  # random games that need no thread
_LONGEST = 20  # plies of a line
_ALL = 1 << 62
SURE = 1000


class Tree(Running):
    """A tree search in memory of so many words."""

    part = "tree"

    def __init__(
        self,
        dispatcher: Dispatcher,
        state: State,
        count: int,
        budget: Budget,
        words: int,
        seed: int,
        method: str = "mcts",
    ) -> None:
        room = at.TREE + (count + 1) * at.width(len(dispatcher.machine.program.rules.players))
        super().__init__(dispatcher, state, count, budget, max(words, room))
        self.seed = seed & 2**64 - 1
        self.own.numbers[at.ROOM] = len(self.own)
        self.own.numbers[at.END] = at.TREE + at.width(self.sides)
        manner_of(self.program, method).write(self.own)
        fill_tables(self.own)

    def take_over(self, other: "Tree", node: int) -> None:
        """Begin with what another tree has below a node, which stands for this position."""
        kernels, sides = self._kernels(), self.sides
        if kernels is None:
            replanted(node, sides, other.own, self.own)
        else:
            args = node, sides, other.own.bytes, self.own.bytes
            kernels.part(self.part).call("replanted", args)

    def child(self, node: int, number: int) -> int:
        """The node that a move leads to; 0 where the tree has none."""
        return self._child(node, number) if self._of(node, at.COUNT) > 0 else 0

    def work(self) -> int:
        next_round = 2 * max(self.nodes, _FIRST)
        return _STEPS * min(next_round, self.budget.playouts or next_round)

    def rounds(self, each: Callable[[], None] | None) -> None:
        games, all_of_them = _FIRST, self.budget.playouts or _ALL
        while self.goes_on and self.nodes < all_of_them:
            end = min(self.nodes + games, all_of_them)
            done = self._round(self.nodes, end)
            if done is None and self.begins_anew():
                continue
            self._take()
            if each:
                each()
            if done != end:
                break
            games = min(2 * games, _MOST)

    def _round(self, first: int, end: int) -> int | None:
        """The number behind that of the last random game; None if the round was ended."""
        args = first, end, self.seed, self.sides, self.own.bytes
        return self.asked(
            "grow",
            args,
            lambda game: grow(game, self.state, self.nodes, end, self.seed, self.sides, self.own),
            end - first <= _FEW,
        )

    def _take(self) -> None:
        """Take over what has been found; before the first random game that is nothing."""
        if self._of(at.TREE, at.COUNT) <= 0:
            return
        player = self._of(at.TREE, at.MOVER)
        self.order.sort(key=lambda number: self._rank(self._child(at.TREE, number), player))
        self.whole = self._of(at.TREE, at.PROVEN) != at.OPEN
        self.line = self._line()
        self.depth = len(self.line)

    def _rank(self, node: int, player: int) -> tuple[bool, bool, int, int]:
        """What a move is sorted by: won ones come first, lost ones last, else the most visited."""
        proven = self._of(node, at.PROVEN)
        is_won = proven == player + at.WON_BY
        is_lost = proven > at.DRAWN and not is_won
        return not is_won, is_lost, -self._of(node, at.VISITS), node

    def _line(self) -> tuple[int, ...]:
        """The moves that were visited most, one after the other."""
        node, line = at.TREE, list[int]()
        while len(line) < _LONGEST and self._of(node, at.COUNT) > 0:
            player = self._of(node, at.MOVER)
            children = range(self._of(node, at.COUNT))
            best = min(children, key=lambda n: self._rank(self._child(node, n), player))
            node = self._child(node, best)
            if not self._of(node, at.VISITS):
                break
            line.append(best)
        return tuple(line)

    def told(self, number: int) -> Value:
        if self._of(at.TREE, at.COUNT) <= 0:
            return Value(0, "chance")
        node, player = self._child(at.TREE, number), self._of(at.TREE, at.MOVER)
        proven, visits = self._of(node, at.PROVEN), self._of(node, at.VISITS)
        if proven > at.DRAWN:
            return Value(SURE if proven == player + at.WON_BY else -SURE, "chance")
        if proven == at.DRAWN or not visits:
            return Value(0, "chance")
        return Value(SURE * self._of(node, at.TOTALS + player) // visits - SURE, "chance")

    def _of(self, node: int, word: int) -> int:
        return self.own.numbers[node + word]

    def _child(self, node: int, number: int) -> int:
        return self._of(node, at.FIRST) + number * at.width(self.sides)
