"""Retrograde analysis: exact values of positions that may repeat, over all reachable positions.

It works backwards from the ends of the game. A side wins if it can move to a position that it has
won. It loses if all its moves lead to positions won by the opponent. All other positions are draws,
since a side that would lose otherwise can continue forever (Ströhlein, 1970; Thompson, 1986). See
decision 038.
"""

from array import array
from collections import deque
from collections.abc import Sequence
from typing import Literal, Protocol

from rulesengine.errors import UsageError
from rulesengine.job import Job
from rulesengine.language.ir.ops import reads_parts
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import constant, has_role, is_reflexive
from rulesengine.language.ir.rules import End, operations
from rulesengine.search.enumeration.layers import Enumerable
from rulesengine.search.enumeration.packed_states import Records
from rulesengine.search.imperfect_information.game_tree import HiddenGame
from rulesengine.state import Move, State
from rulesengine.support.frozen import record, replace

Value = Literal["win", "draw", "loss"]


class Solvable(Enumerable, HiddenGame, Protocol):
    """The interface of a game that can be solved."""

    def with_program(self, program: Program) -> "Solvable": ...


@record
class ExactValue:
    """The result of best play by both sides.

    - `value` is for the side to move.
    - `distance` is the number of plies to the end, minimal for the winner and maximal for the
      loser; None in a draw.
    - `line` is one such game. In a draw it goes on without a mistake, up to the end or a
      repetition.
    - `states` is the number of positions enumerated.
    """

    value: Value
    distance: int | None
    line: tuple[Move, ...]
    states: int


def solve_by_retrograde(
    game: Solvable, state: State, limit: int, job: Job | None = None
) -> ExactValue | None:
    """Return the exact value of a state; None if it has more than `limit` reachable states.

    Each state takes some 300 bytes. None also for games of chance, and for rules that read earlier
    positions. A draw by repetition is supported: without that rule the game is endless, and a draw
    anyway. A job counts states. Raises UsageError for a game of other than two players, and the
    errors of the rules.
    """
    table = decided(game, state, limit, job)
    return table.exact(state) if table else None


def decided(game: Solvable, state: State, limit: int, job: Job | None = None) -> "Table | None":
    """Return all reachable states with their values; see `solve_by_retrograde`."""
    if len(game.players) != len(_PLAYERS):
        raise UsageError("retrograde analysis is for games of two players")
    if game.program.rules.chance:
        return None
    if game.program.keeps_history:
        program = without_repeats(game.program)
        if program is None or state.history:
            return None
        game = game.with_program(program)
    table = Table(game)
    if not table.enumerate(state, limit, job or Job()):
        return None
    table.decide()
    return table


def without_repeats(program: Program) -> Program | None:
    """Return a program without draws by repetition; None if it reads earlier positions otherwise.

    Both programs have the same values. A winner who comes nearer to the end with each move repeats
    nothing, and a draw is where neither side can force a win. This holds only if the positions are
    the whole state.
    """
    rules, form = program.rules, program.form
    ends = tuple(end for end in rules.ends if not _is_draw_by_repetition(end))
    left = replace(rules, ends=ends)
    if any(reads_parts(op, "history") for op in operations(left)) or (
        set(form.compared) != set(range(len(form.registers)))
    ):
        return None
    return replace(program, rules=left, keeps_history=False)


_PLAYERS = range(2)
_DRAW, _UNKNOWN = 2, 3


class Table:
    """All reachable states, numbered from the first, with their successors."""

    def __init__(self, game: Solvable) -> None:
        self.game = game
        self.records = Records(game.program)
        self.numbers: dict[bytes, int] = {}
        self.movers = bytearray()
        self.winners = bytearray()  # a player, or `_DRAW` or `_UNKNOWN`
        self.distances = array("q")
        # The successors of state i are following[starts[i]:starts[i + 1]].
        self.starts, self.following = array("q", [0]), array("q")

    def enumerate(self, first: State, limit: int, job: Job) -> bool:
        """Find all states, breadth first; False if there are more than `limit`."""
        queue = deque([self._new(first)])
        while queue:
            job.raise_if_stopped()
            job.advance(1)
            state = self.records.state(queue.popleft())
            for after in self._successors(state):
                key = self.records.record(after)
                if key not in self.numbers:
                    if len(self.numbers) >= limit:
                        return False
                    queue.append(self._new(after))
                self.following.append(self.numbers[key])
            self.starts.append(len(self.following))
        return True

    def _successors(self, state: State) -> list[State]:
        return [self.game.apply(state, move) for move in self.game.legal_moves(state)]

    def _new(self, state: State) -> bytes:
        """Number a state, and store the winner if it is an end."""
        key, players = self.records.record(state), self.game.players
        self.numbers[key] = len(self.numbers)
        self.movers.append(players.index(state.mover))
        outcome = self.game.outcome(state)
        winner = _UNKNOWN
        if outcome is not None:
            winner = _DRAW if outcome.winner is None else players.index(outcome.winner)
        self.winners.append(winner)
        self.distances.append(0)
        return key

    def decide(self) -> None:
        """Propagate results back from the ends; states are decided by increasing distance."""
        before_starts, before = self._backwards()
        left = array("q", map(int.__sub__, self.starts[1:], self.starts[:-1]))
        queue = deque(i for i, winner in enumerate(self.winners) if winner in _PLAYERS)
        while queue:
            state = queue.popleft()
            winner = self.winners[state]
            for earlier in before[before_starts[state] : before_starts[state + 1]]:
                left[earlier] -= 1
                if self.winners[earlier] != _UNKNOWN:
                    continue
                if self.movers[earlier] == winner or not left[earlier]:
                    self.winners[earlier] = winner
                    self.distances[earlier] = self.distances[state] + 1
                    queue.append(earlier)

    def _backwards(self) -> tuple[Sequence[int], Sequence[int]]:
        """Return the predecessors of each state, in the layout of the successors."""
        starts = array("q", bytes(8 * (len(self.movers) + 1)))
        for state in self.following:
            starts[state + 1] += 1
        for state in range(len(self.movers)):
            starts[state + 1] += starts[state]
        places, before = array("q", starts), array("q", bytes(8 * len(self.following)))
        for state in range(len(self.movers)):
            for after in self.following[self.starts[state] : self.starts[state + 1]]:
                before[places[after]] = state
                places[after] += 1
        return starts, before

    def value(self, number: int) -> tuple[Value, int | None]:
        """Return the value of a state for the side to move, and the plies to the end."""
        winner = self.winners[number]
        if winner not in _PLAYERS:
            return "draw", None
        value: Value = "win" if winner == self.movers[number] else "loss"
        return value, self.distances[number]

    def exact(self, state: State) -> ExactValue:
        """Return the result for the first state."""
        return ExactValue(*self.value(0), self.line(state), len(self.movers))

    def of(self, state: State) -> tuple[Value, int | None]:
        """Return the value of a reachable state and the plies to the end."""
        return self.value(self.numbers[self.records.record(state)])

    def best(self, state: State) -> int:
        """Return the index of the first best move of a state among its legal moves."""
        return self._best(self.numbers[self.records.record(state)])

    def line(self, state: State) -> tuple[Move, ...]:
        """Return a game of best play."""
        moves: list[Move] = []
        number, visited = 0, set[int]()
        while number not in visited:
            visited.add(number)
            legal = self.game.legal_moves(state)
            if not legal:
                break
            best = self._best(number)
            moves.append(legal[best])
            state = self.game.apply(state, legal[best])
            number = self.following[self.starts[number] + best]
        return tuple(moves)

    def _best(self, number: int) -> int:
        """Return the index of the first best move among the legal ones."""
        after = self.following[self.starts[number] : self.starts[number + 1]]
        own = self.winners[number]
        if own not in _PLAYERS:
            return next(i for i, a in enumerate(after) if self.winners[a] not in _PLAYERS)
        wanted = self.distances[number] - 1
        return next(
            i for i, a in enumerate(after) if (self.winners[a], self.distances[a]) == (own, wanted)
        )


def _is_draw_by_repetition(end: End) -> bool:
    """True if an end draws a game after a number of repetitions of the position, and has no other
    condition.
    """
    if not has_role(end.when, "order") or not is_reflexive(end.when):
        return False
    times, counted = constant(end.when.args[0]), end.when.args[1]
    of_positions = has_role(counted, "repetition") and counted.value == "position"
    return end.result == "draw" and of_positions and times is not None and times > 0
