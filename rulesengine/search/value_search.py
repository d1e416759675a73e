"""Search for the value of a position without its distance, by two solvers in alternating turns.

It is not known in advance which one is faster. Alpha-beta suits games with mostly long lines,
proof-number search finds narrow wins. Each continues with its table, for twice as many positions in
each turn, so that the total is a small multiple of the faster one's work. Proof-number search with
a full table repeats much of its work, while alpha-beta hardly does. From then on proof-number
search gets a small share. Where moves fill the board and the score decides, proofs have wide trees,
and proof-number search gets a tiny share from the start. See decision 190.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack

from rulesengine.engine.drivers.search.result import Budget, Result
from rulesengine.job import Job
from rulesengine.search.enumeration.retrograde import Solvable
from rulesengine.search.null_window import NullWindow
from rulesengine.search.proof_number import Prover
from rulesengine.state import Move, State
from rulesengine.support.frozen import record

_FIRST = 1 << 22  # positions of alpha-beta in the first turn
_MOST = 1 << 26
_HEAVY = 4  # relative cost of a position of proof-number search
_RARE = 8  # divisor of its share once its table is full
_DOUBTFUL = 64  # the divisor where it hardly is the faster solver
_FAR = 1 << 40  # greater than any score
_STEP = 4  # first step of the search for a bound, in points
_FEW_VALUES = 3  # for fewer values than this the highest is tested first: a win, then a draw
_LONGEST = 1000  # maximum plies of a line
_AT_ONCE = 1 << 22  # positions for each ply of a line
Judge = Prover | NullWindow


@record
class ValueBounds:
    """The bounds of a value for the side to move, in the scale of the solvers.

    A game of points has no bounds at first; in other games a win is 1, a draw 0, a loss -1.
    """

    low: int
    high: int

    @property
    def is_exact(self) -> bool:
        return self.low == self.high

    def goal(self) -> int:
        """Return the next bound to test."""
        low, high = self.low, self.high
        if low > -_FAR and high < _FAR:
            return high if high - low < _FEW_VALUES else (low + high + 1) // 2
        if low > -_FAR:
            return max(2 * low, low + _STEP)
        return min(2 * high, high - _STEP) if high < _FAR else 1

    def after_answer(self, goal: int, answer: bool) -> "ValueBounds":
        """Return the bounds after an answer."""
        return ValueBounds(goal, self.high) if answer else ValueBounds(self.low, goal - 1)


class ValueSearch:
    """A search for the value of a position by several solvers in alternating turns."""

    def __init__(self, state: State, judges: tuple[Judge, ...], budget: Budget) -> None:
        self.state, self.judges, self.budget = state, judges, budget
        self.player = state.seats[state.side] if state.seats else state.side
        self.bounds = ValueBounds(-_FAR, _FAR) if judges[0].points else ValueBounds(-1, 1)
        self.share = _FIRST
        self.earlier = 0  # positions searched before the budget began
        self.decisive = judges[-1]  # the solver that found the value

    @property
    def nodes(self) -> int:
        return sum(judge.nodes for judge in self.judges)

    def start_from(self, result: Result | None) -> None:
        """Set the bounds that follow from a result that is known already."""
        low, high = self.bounds.low, self.bounds.high
        if result == "win":
            self.bounds = ValueBounds(1, high)
        elif result == "loss":
            self.bounds = ValueBounds(low, -1)

    def progress(self) -> dict[str, int]:
        """Return the numbers that a checkpoint stores."""
        low, high = self.bounds.low, self.bounds.high
        decisive = self.judges.index(self.decisive)
        return {"low": low, "high": high, "share": self.share, "decisive": decisive}

    def resume(self, progress: Mapping[str, int]) -> None:
        """Resume with the numbers of a checkpoint; the memories are those at that time."""
        self.bounds = ValueBounds(progress["low"], progress["high"])
        self.share, self.decisive = progress["share"], self.judges[progress["decisive"]]
        self.earlier = self.nodes

    def find(self, job: Job, each: Callable[[], None] = lambda: None) -> None:
        """Search until the value is known or the budget is used up; `each` is called after each
        turn.

        A job stops it, which raises Stopped; the results so far remain.
        """
        with ExitStack() as watched:
            for judge in self.judges:
                watched.enter_context(judge.timed(job))
            while not self.bounds.is_exact and self._turn():
                each()
                self.share = min(2 * self.share, _MOST)

    def _turn(self) -> bool:
        """Run each solver for its share; True if some budget is left."""
        for judge in self.judges:
            share = left = self._share_of(judge)
            if self.budget.nodes is not None:
                left = self.budget.nodes - (self.nodes - self.earlier)
            if left <= 0 or not judge.goes_on:
                return False
            judge.extend(min(share, left))
            self._query(judge)
            if self.bounds.is_exact:
                self.decisive = judge
                break
        return True

    def _share_of(self, judge: Judge) -> int:
        """Return the positions of a solver in this turn."""
        if not isinstance(judge, Prover):
            return self.share
        if judge.is_doubtful:
            return self.share // (_HEAVY * _DOUBTFUL)
        return self.share // (_HEAVY * _RARE if judge.is_full else _HEAVY)

    def _query(self, judge: Judge) -> None:
        """Test bounds as long as the solver decides them."""
        while not self.bounds.is_exact:
            goal = self.bounds.goal()
            answer = judge.reaches(self.state, self.player, goal)
            if answer is None:
                return
            self.bounds = self.bounds.after_answer(goal, answer)


def best_line(game: Solvable, values: ValueSearch) -> Iterator[Move]:
    """Yield a line in which both sides keep their value, up to a move that takes long to find."""
    state, value, judge = values.state, values.bounds.low, values.decisive
    for _ in range(_LONGEST):
        moves = game.legal_moves(state)
        player = state.seats[state.side] if state.seats else state.side
        goal = value if player == values.player else -value
        following = [game.apply(state, move) for move in moves]
        judge.extend(_AT_ONCE)
        chosen = next(
            (i for i in judge.likely(following, player, goal)
             if _keeps(game, following[i], player, goal, judge)),
            None,
        )  # fmt: skip
        if chosen is None:
            return
        yield moves[chosen]
        state = following[chosen]


def _keeps(game: Solvable, state: State, player: int, goal: int, judge: Judge) -> bool:
    """True if a player is found to get a goal in a state, which may be the end."""
    if not judge.points and goal < 0:
        return True
    if game.outcome(state) is None and game.legal_moves(state):
        return judge.reaches(state, player, goal) is True
    return result_for(game, state, player, judge.points) >= goal


def result_for(game: Solvable, state: State, player: int, points: int) -> int:
    """Return the result of a player in a position without legal moves."""
    outcome, name = game.outcome(state), game.players[player]
    if outcome is None or (not points and outcome.winner is None):
        return 0
    if not points:
        return 1 if outcome.winner == name else -1
    own, others = outcome.scores[name], [n for p, n in outcome.scores.items() if p != name]
    return points * (own - others[0])
