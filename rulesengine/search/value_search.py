"""The value of a position without its distance: two searches that take turns, as far as it takes.

Which of them is quicker nobody knows before: alpha-beta goes through a game where most lines last
long, proof-number search finds narrow ways. Each goes on with its table, for twice as many
positions each time, so that both together take a few times what the quicker one would alone.
Proof-number search that has looked at more positions than its table holds finds much of it again
and again, which alpha-beta hardly does: from then on it has a small share.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

from rulesengine.engine.drivers.search.result import Budget
from rulesengine.job import Job
from rulesengine.search.enumeration.retrograde import Solvable
from rulesengine.search.null_window import Window
from rulesengine.search.proof_number import Prover
from rulesengine.state import Move, State
from rulesengine.support.frozen import record

_FIRST = 1 << 22  # positions of alpha-beta in its first turn
_MOST = 1 << 26
_HEAVY = 4  # a position of the other search takes so many times as long
_RARE = 8  # by which its share is divided once its table is full
_FAR = 1 << 40  # points of which nobody has so many
_STEP = 4  # points by which a bound is looked for at first
_FEW = 3  # values of which the highest is asked first: a win, then a draw
_LONGEST = 1000  # plies of a line
_AT_ONCE = 1 << 22  # positions for each ply of a line
Judge = Prover | Window


@record
class Bounds:
    """What is known of a value: numbers for the side to move, as judges take them.

    A game of points has none at first; others are won by 1, drawn by 0, lost by -1.
    """

    low: int
    high: int

    @property
    def is_exact(self) -> bool:
        return self.low == self.high

    def goal(self) -> int:
        """What to ask next: whether at least so much is reached."""
        low, high = self.low, self.high
        if low > -_FAR and high < _FAR:
            return high if high - low < _FEW else (low + high + 1) // 2
        if low > -_FAR:
            return max(2 * low, low + _STEP)
        return min(2 * high, high - _STEP) if high < _FAR else 1

    def told(self, goal: int, answer: bool) -> "Bounds":
        """What is known after an answer."""
        return Bounds(goal, self.high) if answer else Bounds(self.low, goal - 1)


class Values:
    """Looks for the value of a position by several judges in turn."""

    def __init__(self, state: State, judges: tuple[Judge, ...], budget: Budget) -> None:
        self.state, self.judges, self.budget = state, judges, budget
        self.player = state.seats[state.side] if state.seats else state.side
        self.bounds = Bounds(-_FAR, _FAR) if judges[0].points else Bounds(-1, 1)
        self.share = _FIRST
        self.earlier = 0  # positions that were looked at before the budget began
        self.decisive = judges[-1]  # who has found the value

    @property
    def nodes(self) -> int:
        return sum(judge.nodes for judge in self.judges)

    def find(self, job: Job, each: Callable[[], None] = lambda: None) -> None:
        """Go on until the value is known or the budget is used up; `each` is called at each turn.

        A job stops it, which raises Stopped; what has been found by then stays.
        """
        with ExitStack() as watched:
            for judge in self.judges:
                watched.enter_context(judge.timed(job))
            while not self.bounds.is_exact and self._turn():
                each()
                self.share = min(2 * self.share, _MOST)

    def _turn(self) -> bool:
        """Let each judge go on for a while; whether anything is left of the budget."""
        for judge in self.judges:
            share = left = self._share_of(judge)
            if self.budget.nodes is not None:
                left = self.budget.nodes - (self.nodes - self.earlier)
            if left <= 0 or not judge.goes_on:
                return False
            judge.extend(min(share, left))
            self._ask(judge)
            if self.bounds.is_exact:
                self.decisive = judge
                break
        return True

    def _share_of(self, judge: Judge) -> int:
        """How many positions a judge looks at in this turn."""
        if not isinstance(judge, Prover):
            return self.share
        return self.share // (_HEAVY * _RARE if judge.is_full else _HEAVY)

    def _ask(self, judge: Judge) -> None:
        """Ask what is not known yet, as long as answers come."""
        while not self.bounds.is_exact:
            goal = self.bounds.goal()
            answer = judge.reaches(self.state, self.player, goal)
            if answer is None:
                return
            self.bounds = self.bounds.told(goal, answer)


def best_line(game: Solvable, values: Values) -> Iterator[Move]:
    """How both sides go on, each keeping what he can get, as far as it is found at once."""
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
    """Whether a player is found to get a goal in a state, which may be the end."""
    if not judge.points and goal < 0:
        return True
    if game.outcome(state) is None and game.legal_moves(state):
        return judge.reaches(state, player, goal) is True
    return result_for(game, state, player, judge.points) >= goal


def result_for(game: Solvable, state: State, player: int, points: int) -> int:
    """What a player gets in a position in which nobody can move any more."""
    outcome, name = game.outcome(state), game.players[player]
    if outcome is None or (not points and outcome.winner is None):
        return 0
    if not points:
        return 1 if outcome.winner == name else -1
    own, others = outcome.scores[name], [n for p, n in outcome.scores.items() if p != name]
    return points * (own - others[0])
