"""Exact values of games with simultaneous moves and nothing else hidden, by matrix games.

A position between rounds holds the whole knowledge of the players. Its value follows from those of
the positions after it, by backward induction with rational numbers. See decision 162.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from time import perf_counter

from rulesengine.engine.drivers.search.result import Equilibrium, MoveProbabilities
from rulesengine.engine.interpreter import Interpreter
from rulesengine.errors import UsageError
from rulesengine.job import Job
from rulesengine.search.imperfect_information.game_tree import HiddenGame
from rulesengine.search.imperfect_information.matrix_game import MatrixSolution, solve_matrix
from rulesengine.state import State

_PAIR = 2


@dataclass(frozen=True, slots=True)
class _Stage:
    """A position with the positions after it.

    - `kind` is `end`, `chance`, the number of the player who moves, or `round`.
    - `rows` has the positions after each move of the first player and each of the second; a
      position that is no round has one row.
    - `weights` are those of chance, or the payoff at an end.
    """

    kind: str
    moves: tuple[tuple[str, ...], ...] = ()
    rows: tuple[tuple[State, ...], ...] = ()
    weights: tuple[int, ...] = ()


class StageSolver:
    """The values of positions for the first player; None if there are too many, or a cycle."""

    def __init__(self, game: HiddenGame, machine: Interpreter, limit: int) -> None:
        self._game = game
        self._machine = machine
        self._limit = limit
        self.values: dict[State, Fraction] = {}
        self.stages: dict[State, _Stage] = {}

    def solve(self, start: State, job: Job) -> Fraction | None:
        """Return the value of a position. A job counts positions."""
        stack, path = [start], set[State]()
        while stack:
            state = stack[-1]
            if state in self.values:
                stack.pop()
                continue
            if state not in self.stages:
                job.raise_if_stopped()
                if len(self.stages) >= self._limit:
                    return None
                self.stages[state] = self._stage(state)
                path.add(state)
                job.advance(1)
            stage = self.stages[state]
            after = [child for row in stage.rows for child in row if child not in self.values]
            if any(child in path for child in after):
                return None
            if after:
                stack += after
                continue
            self.values[state] = self._value(stage)
            path.discard(state)
            stack.pop()
        return self.values[start]

    def strategies(self, players: tuple[str, ...]) -> Iterator[MoveProbabilities]:
        """Yield optimal strategies of the positions with a choice, the first player first."""
        for player, name in enumerate(players):
            for state, stage in self.stages.items():
                for number, moves, shares in self._shares(stage):
                    if number == player:
                        pairs = zip(moves, map(float, shares), strict=True)
                        yield MoveProbabilities(name, str(state), tuple(pairs))

    @property
    def information_sets(self) -> int:
        """Return the number of decisions: two in a round."""
        return sum(len(stage.moves) for stage in self.stages.values())

    def _shares(self, stage: _Stage) -> Iterator[tuple[int, tuple[str, ...], tuple[Fraction, ...]]]:
        """Yield the players who choose at a stage, with their moves and the shares of these."""
        if stage.kind == "round":
            solution = self._matrix(stage)
            yield 0, stage.moves[0], solution.rows
            yield 1, stage.moves[1], solution.columns
        elif stage.moves:
            player = int(stage.kind)
            values = [self.values[child] for child in stage.rows[0]]
            best = values.index((min if player else max)(values))
            shares = tuple(Fraction(number == best) for number in range(len(values)))
            yield player, stage.moves[0], shares

    def _matrix(self, stage: _Stage) -> MatrixSolution:
        return solve_matrix([[self.values[child] for child in row] for row in stage.rows])

    def _value(self, stage: _Stage) -> Fraction:
        """Return the value of a stage by those of the positions after it."""
        if stage.kind == "end":
            return Fraction(stage.weights[0])
        if stage.kind == "round":
            return self._matrix(stage).value
        values = [self.values[child] for child in stage.rows[0]]
        if stage.kind == "chance":
            total = sum(stage.weights)
            pairs = zip(values, stage.weights, strict=True)
            return sum((value * weight / total for value, weight in pairs), Fraction(0))
        return min(values) if int(stage.kind) else max(values)

    def _stage(self, state: State) -> _Stage:
        """Return the stage of a position between rounds. Raises UsageError for other sums."""
        game = self._game
        outcome = game.outcome(state)
        if outcome is not None:
            first, second = (outcome.payoffs[name] for name in game.players)
            if first + second:
                raise UsageError("an equilibrium is computed for payoffs that sum to zero")
            return _Stage("end", weights=(first,))
        moves = game.legal_moves(state)
        if not moves:
            return _Stage("end", weights=(0,))
        texts = tuple(map(str, moves))
        after = tuple(game.apply(state, move, check=False) for move in moves)
        if weights := game.weights(state):
            return _Stage("chance", rows=(after,), weights=weights)
        if not self._machine.is_free(state):
            return _Stage(str(game.players.index(state.mover)), (texts,), (after,))
        replies = [game.legal_moves(child) for child in after]
        rows = tuple(
            tuple(game.apply(child, move, check=False) for move in answers)
            for child, answers in zip(after, replies, strict=True)
        )
        return _Stage("round", (texts, tuple(map(str, replies[0]))), rows)


def solve_stages(
    game: HiddenGame, machine: Interpreter, start: State, limit: int, job: Job
) -> tuple[Fraction, Equilibrium] | None:
    """Return the exact value of a game of two players and optimal strategies.

    None if it has more positions than the limit, or positions that repeat.
    """
    if len(game.players) != _PAIR:
        raise UsageError("an equilibrium is computed for two players")
    start_time = perf_counter()
    solver = StageSolver(game, machine, limit)
    value = solver.solve(start, job)
    if value is None:
        return None
    number = float(value)
    return value, Equilibrium(
        game.players[0],
        number,
        number,
        number,
        True,
        len(solver.stages),
        solver.information_sets,
        0,
        perf_counter() - start_time,
        partial(solver.strategies, game.players),
    )
