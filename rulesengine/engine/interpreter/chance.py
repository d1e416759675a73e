"""Moves of chance: the branches of a position and their weights. See decision 034."""

from collections.abc import Iterator

from rulesengine.engine.interpreter.evaluator import Evaluator
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.engine.interpreter.move_generation import MoveGenerator
from rulesengine.errors import EvaluationError, LimitError
from rulesengine.language.ir.rules import Chance, Site
from rulesengine.state import State, Step
from rulesengine.support.limits import MAX_MOVES, MAX_WEIGHT


class ChanceMoves:
    """Lists the moves of chance."""

    def __init__(self, evaluator: Evaluator, generator: MoveGenerator) -> None:
        self.program = evaluator.program
        self.evaluate = evaluator.evaluate
        self._generator = generator
        self._groups = evaluator.program.rules.groups

    def is_to_move(self, state: State) -> bool:
        """True if chance is to move, provided that the game is not over."""
        chance = self.program.rules.chance
        return chance is not None and bool(
            self.evaluate(chance.when, Frame(state, {"player": state.side}))
        )

    def branches(self, state: State) -> tuple[Step, ...]:
        """Return the branches of chance, at least one.

        Raises EvaluationError if there is none, LimitError if there are too many.
        """
        chance = self._chance()
        steps = tuple(step for step, _ in self._branches(state, chance))
        if not steps:
            raise EvaluationError(f"{_place(chance.site)}: chance is to move and has no branch")
        if len(steps) > MAX_MOVES:
            raise LimitError(f"more than {MAX_MOVES} moves in a position")
        return steps

    def weights(self, state: State) -> tuple[int, ...]:
        """Return the weights of the legal moves if chance is to move, else ().

        Raises EvaluationError for a weight out of range.
        """
        if not self.is_to_move(state):
            return ()
        chance = self._chance()
        weights = []
        for step, frame in self._branches(state, chance):
            group = self._groups[step.group]
            assert group.weight is not None
            weight = self.evaluate(group.weight, frame)
            if not 1 <= weight <= MAX_WEIGHT:
                message = f"a weight is 1 to {MAX_WEIGHT:,}, this is {weight:,}"
                raise EvaluationError(f"{_place(group.site)}: {message}")
            weights.append(weight)
        return tuple(weights)

    def _branches(self, state: State, chance: Chance) -> Iterator[tuple[Step, Frame]]:
        first = len(self._groups) - len(chance.branches)
        for number in range(first, len(self._groups)):
            frame = Frame(state, {"player": state.side})
            for step in self._generator.steps(frame, number):
                yield step, frame

    def _chance(self) -> Chance:
        chance = self.program.rules.chance
        assert chance is not None
        return chance


def _place(site: Site) -> str:
    return f"{site.file}:{site.line}:{site.column}"
