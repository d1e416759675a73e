"""Selection among moves by the keys of strategies, of `keep` and of playouts."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulesengine.engine.interpreter.evaluator import Evaluator
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.engine.interpreter.move_execution import Steps
from rulesengine.language.ir.rules import GROUP, Key, OneOfEach
from rulesengine.state import Record, State

# A move with the frame in which keys are evaluated.
EvaluatedMove = tuple[Steps, Frame]


class MoveSelector:
    """Selects moves by keys; `result` returns the state and record after the move of a frame."""

    def __init__(
        self, evaluator: Evaluator, result: Callable[[Frame, int], tuple[State, Record]]
    ) -> None:
        self.program = evaluator.program
        self.evaluate = evaluator.evaluate
        self._result = result

    def best(
        self, state: State, moves: Sequence[Steps], keys: Sequence[Key], values: Mapping[str, Any]
    ) -> list[Steps]:
        """Return the moves that are best by the keys, in lexicographic order of the keys.

        `values` are those of further variables, such as the parameters of a strategy.
        """
        frames = [(steps, considering(state, steps, state.side)) for steps in moves]
        for _, frame in frames:
            frame.variables |= values
        for key in keys:
            if len(frames) > 1:
                frames = self._best(frames, key)
        return [steps for steps, _ in frames]

    def select(self, state: State, side: int, moves: tuple[Steps, ...]) -> tuple[Steps, ...]:
        """Return the moves that `keep` selects."""
        keys = self.program.rules.keep
        if not keys or len(moves) == 1:
            return moves
        frames = [(steps, considering(state, steps, side)) for steps in moves]
        for key in keys:
            if len(frames) == 1:
                break
            if isinstance(key, OneOfEach):
                frames = self._one_of_each(frames)
            else:
                frames = self._best(frames, key)
        return tuple(steps for steps, _ in frames)

    def _best(self, frames: list[EvaluatedMove], key: Key) -> list[EvaluatedMove]:
        values = [self.evaluate(key.value, frame) for _, frame in frames]
        best = max(values) if key.order == "most" else min(values)
        return [pair for pair, value in zip(frames, values, strict=True) if value == best]

    def _one_of_each(self, frames: list[EvaluatedMove]) -> list[EvaluatedMove]:
        """Return the first of the moves that lead to equal states; their histories are equal.

        See decision 033.
        """
        by_result: dict[tuple[object, ...], EvaluatedMove] = {}
        for steps, frame in frames:
            after = self._result(frame, frame.variables["player"])[0]
            key = after.planes, after.side, after.registers, after.seats
            by_result.setdefault(key, (steps, frame))
        return list(by_result.values())


def considering(state: State, steps: Steps, side: int) -> Frame:
    """Return the frame in which the keys of a move are evaluated."""
    last = steps[-1]
    variables = {"player": side, "from": steps[0].origin, "to": last.target}
    variables |= {"choice": last.choice, GROUP: last.group}
    return Frame(state, variables, steps)
