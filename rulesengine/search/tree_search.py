"""Monte-Carlo tree search in rounds of growing numbers of playouts."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.memory import STOP, Memory
from rulesengine.engine.drivers.random import Generator, draw, generator
from rulesengine.engine.drivers.search import tree_layout as at
from rulesengine.engine.drivers.search.fixed_point import fill_tables
from rulesengine.engine.drivers.search.layout import CERTAIN as DECIDED
from rulesengine.engine.drivers.search.mcts import grow
from rulesengine.engine.drivers.search.mcts_solver import proof
from rulesengine.engine.drivers.search.pattern_layout import PATTERNED
from rulesengine.engine.drivers.search.result import Budget, Settings, Value
from rulesengine.engine.drivers.search.tree_reuse import reuse_subtree
from rulesengine.engine.drivers.search.tree_settings import tree_settings_of
from rulesengine.language.ir.score_decided import SCALE, points_of
from rulesengine.search.move_weights import MoveWeights, last_placement
from rulesengine.search.noisy_choice import log_visits
from rulesengine.search.search_run import MoveSearch, RankedMove
from rulesengine.state import State
from rulesengine.support.limits import MAX_PLIES

_FIRST, _MOST = 16, 1 << 20  # playouts of the first round, doubled in each round, and their maximum
_SERIAL_PLAYOUTS = 16  # maximum playouts of a round that needs no thread
_LONGEST = 20  # maximum plies of a line
_SAMPLE = 4  # random games that are tested for chance
_ALL = 1 << 62
CERTAIN = 1000
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
        settings: Settings = _DEFAULT,
        method: str = "mcts",
    ) -> None:
        super().__init__(dispatcher, state, count, budget, at.OWN)
        self._helpers = [Memory(at.OWN) for _ in range(settings.threads - 1)]
        self.moves: MoveWeights | None = None
        self.seed = settings.seed & 2**64 - 1
        self.pool = Memory(max(words, at.TREE + (count + 1) * at.width(self.sides)))
        self.pool.numbers[at.ROOM] = len(self.pool)
        self.pool.numbers[at.END] = at.TREE + at.width(self.sides)
        tree_settings_of(self.program, method).write(self.own)
        fill_tables(self.own)
        self._end_of_round = 0
        self.points = points_of(self.program.rules)
        if self.sides == 1 and self.program.rules.chance and self._meets_chance():
            self.own.numbers[at.MAXIMISES] = 0
        self._game: tuple[int, tuple[int, ...]] | None = None

    def weigh_moves(self, moves: MoveWeights) -> None:
        """Use weights of moves, before the first playout; the method has AMAF statistics."""
        self.part, self.moves = moves.part, moves
        own, self.own = self.own, Memory(PATTERNED)
        self.own.bytes[: len(own.bytes)] = own.bytes
        self._helpers = [Memory(PATTERNED) for _ in self._helpers]
        moves.write(self.own, last_placement(self.state))

    @property
    def _is_single(self) -> bool:
        """True if a single player searches for the best game: chance has not been met."""
        return self.sides == 1 and self.own.numbers[at.MAXIMISES] != 0

    def _meets_chance(self) -> bool:
        """True if chance moves in one of a few random games."""
        game = self._interpreted()
        for number in range(_SAMPLE):
            state, draw_from = self.state, Generator(self.seed, number)
            for _ in range(MAX_PLIES):
                moves = game.legal(state)
                if not moves:
                    break
                if game.weight(state) > 0:
                    return True
                state = game.apply(state, moves[draw_from.below(len(moves))])
        return False

    @property
    def nodes(self) -> int:
        return sum(memory.numbers[at.PLAYOUTS] for memory in (self.own, *self._helpers))

    def helper_calls(self) -> Sequence[tuple[Any, ...]]:
        self.own.numbers[at.THREADS] = 1 + len(self._helpers)
        for other in self._helpers:
            games = other.numbers[at.PLAYOUTS]
            other.bytes[:] = self.own.bytes
            other.numbers[at.PLAYOUTS] = games
        return [self._args(other) for other in self._helpers]

    def stop_helpers(self) -> None:
        """Stop the helper threads if the main thread was interrupted; otherwise they complete their
        playouts.
        """
        if self.own.numbers[STOP]:
            for other in self._helpers:
                other.numbers[STOP] = 1

    def take_over(self, other: "TreeSearch", node: int) -> None:
        """Copy the subtree below a node of another tree, which becomes the root."""
        kernels, sides = self._kernels(), self.sides
        if kernels is None:
            reuse_subtree(node, sides, self.own, other.pool, self.pool)
        else:
            args = node, sides, self.own.bytes, other.pool.bytes, self.pool.bytes
            kernels.part(self.part).call("replanted", args)
        if self._is_single and other.line:
            self._game = other._game and (other._game[0], other._game[1][1:])

    def child(self, node: int, number: int) -> int:
        """Return the node that a move leads to; 0 if it does not exist."""
        return self._children(node).get(number, 0)

    def _plies_done(self) -> float:
        return float(self.nodes * self._dispatcher.selector.plies_of_game(0))

    def work(self) -> int:
        playouts = self.budget.playouts or 2 * max(self.nodes, _FIRST)
        return playouts * self._dispatcher.selector.plies_of_game(playouts)

    def rounds(self, each: Callable[[], None] | None) -> None:
        # The first playout expands the root.
        games, all_of_them = 1 if self._is_restricted else _FIRST, self.budget.playouts or _ALL
        while self.goes_on and self.nodes < all_of_them:
            before, end = self.nodes, min(self.nodes + games, all_of_them)
            finished = self._round(end)
            if not finished and self.resumes_compiled():
                continue
            if self._is_restricted:
                self._exclude_moves()
            self._take()
            if each:
                each()
            if not finished or self.whole or self.nodes == before:
                break
            games = min(2 * games, _MOST)

    @property
    def _is_restricted(self) -> bool:
        """True if some of the root moves are excluded."""
        return len(self.order) < self.count

    def _exclude_moves(self) -> None:
        """Mark excluded root moves as lost, so that no later playout selects them.

        A single player searches all moves.
        """
        if self.sides == 1:
            return
        player, pool = self._of(at.TREE, at.MOVER), self.pool.numbers
        for number, node in self._children(at.TREE).items():
            if number not in self.order:
                pool[node + at.PROVEN] = (player + 1) % self.sides + at.WON_BY
        if self._of(at.TREE, at.COUNT) > 0:
            pool[at.TREE + at.PROVEN] = proof(at.TREE, self.sides, self.pool)

    def _round(self, end: int) -> bool:
        """Play playouts up to a total number; True if the round was not interrupted."""
        first, self._end_of_round = self.nodes, end
        self.pool.numbers[at.NEXT], self.own.numbers[at.THREADS] = first, 1
        done = self.run_driver(
            "grow",
            self._args(self.own),
            lambda game: grow(game, self.state, end, self.seed, self.sides, self.own, self.pool),
            end - first <= _SERIAL_PLAYOUTS,
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
        self.line = self._line(at.TREE)
        if self._is_restricted:
            self.whole = self.whole and self.sides > 1
            best = children.get(self.order[0])
            self.line = (self.order[0], *(self._line(best) if best else ()))[:_LONGEST]
        if self._is_single:
            self._take_best()
        self.depth = len(self.line)

    def noise_values(self) -> Sequence[int | None]:
        """Return the logarithms of visits; proven results are sure."""
        children, player = self._children(at.TREE), self._of(at.TREE, at.MOVER)
        return [self._noise_value(children.get(number), player) for number in range(self.count)]

    def _noise_value(self, node: int | None, player: int) -> int:
        if node is None:
            return 0
        proven = self._of(node, at.PROVEN)
        if proven > at.DRAWN and self.sides > 1:
            return DECIDED if proven == player + at.WON_BY else -DECIDED
        return log_visits(self._of(node, at.VISITS))

    def _take_best(self) -> None:
        """Read the best game of a single player so far; its first move is the best one."""
        for memory in (self.own, *self._helpers):
            payoff, length = memory.numbers[at.GREATEST], memory.numbers[at.BEST_LENGTH]
            if length and (self._game is None or payoff > self._game[0]):
                start = at.BEST_PATH
                path = memory.numbers[start : start + length]
                self._game = payoff, self._game_of(path, memory.numbers[at.BEST_PLAYOUT])
        if self._game is not None and self._game[1] and self._game[1][0] in self.order:
            self.line = self._game[1]
            self.order.sort(key=lambda number: number != self.line[0])
            self.whole = self.whole or (not self.points and self._game[0] > 0)

    def _game_of(self, path: Sequence[int], playout: int) -> tuple[int, ...]:
        """Return the move numbers of a path in the tree, continued by a playout or by the proven
        nodes below it.
        """
        numbers, node = list[int](), at.TREE
        for after in path[1:]:
            numbers.append((after - self._of(node, at.FIRST)) // at.width(1))
            node = after
        if playout < 0:
            while self._of(node, at.COUNT) > 0:
                number = max(
                    self._children(node).items(),
                    key=lambda pair: (self._of(pair[1], at.GREATEST_BELOW), -pair[0]),
                )[0]
                numbers.append(number)
                node = self.child(node, number)
            return tuple(numbers)
        # Not the functions of the search, which raise Stopped as soon as its time is over.
        machine, state = self._dispatcher.machine, self.state
        for number in numbers:
            state = machine.apply(state, machine.legal(state)[number])
        return (*numbers, *self._replayed(state, playout))

    def _replayed(self, state: State, playout: int) -> Iterator[int]:
        """Yield the move numbers of a playout from a state, as `rollout` plays it."""
        machine, random = self._dispatcher.machine, generator(self.seed, playout)
        for _ in range(MAX_PLIES):
            moves = machine.likely(state)
            if not moves:
                break
            random, chosen = draw(random, len(moves))
            yield machine.legal(state).index(moves[chosen])
            state = machine.apply(state, moves[chosen])

    def _rank(
        self, number: int, children: Mapping[int, int], player: int
    ) -> tuple[bool, bool, int, int]:
        """Return the sort key of a move: proven wins first, proven losses last, else by visits."""
        if number not in children:
            return True, False, 0, number
        node = children[number]
        if self._is_single:
            greatest = self._of(node, at.GREATEST_BELOW)
            return False, False, -greatest, number
        proven = self._of(node, at.PROVEN)
        is_won = proven == player + at.WON_BY
        is_lost = proven > at.DRAWN and not is_won
        return not is_won, is_lost, -self._of(node, at.VISITS), number

    def _line(self, node: int) -> tuple[int, ...]:
        """Return the line of the most visited moves from a node on."""
        line = list[int]()
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

    def ranked(self) -> Sequence[RankedMove]:
        found = list[RankedMove]()
        for number in self.order[: self.wanted] if self.line else ():
            node = self.child(at.TREE, number)
            if number == self.order[0]:
                line = self.line
            elif node and self._of(node, at.VISITS):
                line = (number, *self._line(node))[:_LONGEST]
            else:
                continue
            found.append(RankedMove(number, self.value_of(number), line, len(line)))
        return found

    def value_of(self, number: int) -> Value:
        node = self.child(at.TREE, number)
        if self.sides == 1:
            return self._payoff(number, node)
        if not node:
            return Value(0, "chance")
        player = self._of(at.TREE, at.MOVER)
        proven, visits = self._of(node, at.PROVEN), self._of(node, at.VISITS)
        if proven > at.DRAWN:
            return Value(CERTAIN if proven == player + at.WON_BY else -CERTAIN, "chance")
        if proven == at.DRAWN or not visits:
            return Value(0, "chance")
        return Value(CERTAIN * self._of(node, at.TOTALS + player) // visits - CERTAIN, "chance")

    def _payoff(self, number: int, node: int) -> Value:
        """Return the value of a move of a single player."""
        below = self._of(node, at.GREATEST_BELOW) if node else 0
        payoffs = [below - at.OFFSET] if below else []  # none before the first playout
        if self._is_single and self._game and self._game[1] and number == self._game[1][0]:
            payoffs.append(self._game[0])
        greatest = max(payoffs, default=0)
        visits = self._of(node, at.VISITS) if node else 0
        total = self._of(node, at.TOTALS) if node else 0
        is_proven = below > 0 and self._of(node, at.PROVEN) != at.OPEN
        if not self.points:
            mean = CERTAIN * total // visits if visits else 0
            is_sure = is_proven or (self._is_single and greatest > 0)
            return Value(CERTAIN * greatest if is_sure else mean, "chance")
        if is_proven or (self._is_single and self.whole and number == self.order[0]):
            return Value(greatest, "payoff")
        if self._is_single:
            return Value(SCALE * (greatest if payoffs else self.own.numbers[at.LEAST]), "mean")
        return Value(SCALE * total // visits if visits else 0, "mean")

    def _of(self, node: int, word: int) -> int:
        return self.pool.numbers[node + word]

    def _children(self, node: int) -> dict[int, int]:
        """Return the children of a node by the numbers of their moves."""
        first, count = self._of(node, at.FIRST), self._of(node, at.COUNT)
        if not self._of(node, at.MORE) & at.MOST:
            return {number: first + number * at.width(self.sides) for number in range(count)}
        children, child = dict[int, int](), first
        while child:
            children[self._of(child, at.NUMBER)] = child
            child = self._of(child, at.FURTHER)
        return children
