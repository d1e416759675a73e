"""Random games that record problems and the clauses that apply."""

from dataclasses import dataclass, field, replace

from rulesengine.engine.drivers.random import Generator
from rulesengine.errors import EvaluationError, LimitError
from rulesengine.language.ir.roles import has_role
from rulesengine.language.ir.rules import Key
from rulesengine.state import State
from rulesengine.tools.lint.metered_interpreter import MeteredInterpreter, OperationLimit, Steps
from rulesengine.tools.lint.problem import Problem, failure, inspected


@dataclass(slots=True)
class GameStatistics:
    """The groups, ends and sides that occurred in some games, by number.

    `games` counts the games played to their end or to the move limit, `abandoned` those that
    exceeded the operation limit.
    """

    groups: set[int] = field(default_factory=set)
    ends: set[int] = field(default_factory=set)
    movers: set[int] = field(default_factory=set)
    games: int = 0
    abandoned: int = 0
    ended: int = 0
    longest: int = 0
    # For each strategy two games that differ in the last move, which the strategy ranks equally.
    tied: dict[str, tuple[tuple[Steps, ...], tuple[Steps, ...]]] = field(default_factory=dict)


def play_random_game(
    machine: MeteredInterpreter, draw: Generator, plies: int, statistics: GameStatistics
) -> Problem | None:
    """Play one random game of at most `plies` moves; return the first problem, or None.

    A game that exceeds the machine's operation limit is abandoned.
    """
    path: list[Steps] = []
    try:
        state = machine.initial_state()
        while True:
            statistics.longest = max(statistics.longest, len(path))
            position = inspected(machine, state, first=not path)
            if position.problem:
                return replace(position.problem, path=tuple(path))
            if position.end is not None:
                statistics.ends.add(position.end)
                statistics.ended += 1
            if not position.moves or len(path) == plies:
                statistics.games += 1
                return None
            weights = machine.weights(state)
            if weights:
                statistics.groups |= {step.group for steps in position.moves for step in steps}
                chosen = draw.among(weights)
            else:
                _note(machine, state, position.moves, path, statistics)
                chosen = draw.below(len(position.moves))
            path.append(position.moves[chosen])
            state = machine.apply(state, path[-1])
    except (EvaluationError, LimitError) as error:
        return replace(failure(error), path=tuple(path))
    except OperationLimit:
        statistics.abandoned += 1
        return None


def _note(
    machine: MeteredInterpreter,
    state: State,
    moves: tuple[Steps, ...],
    path: list[Steps],
    statistics: GameStatistics,
) -> None:
    statistics.movers.add(state.side)
    statistics.groups |= {step.group for steps in moves for step in steps}
    for strategy in machine.program.rules.strategies:
        if (
            strategy.name not in statistics.tied
            and strategy.search is None
            and _means_one(strategy.keys[-1:])
        ):
            left = machine.tied(state, moves, strategy)
            if len(left) > 1:
                statistics.tied[strategy.name] = (*path, left[0]), (*path, left[1])


def _means_one(keys: tuple[Key, ...]) -> bool:
    """True if the last key is a board coordinate, which suggests that one move should remain."""
    return any(has_role(key.value, "coordinate") for key in keys)
