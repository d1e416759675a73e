"""An instrumented game that records which clauses of its rules hold."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.effects import EffectExecutor
from rulesengine.engine.interpreter.evaluator import Evaluator
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.engine.interpreter.move_execution import MoveExecutor, Steps
from rulesengine.engine.interpreter.move_generation import MoveGenerator
from rulesengine.game import Game
from rulesengine.language import parameters
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.rules import Rules
from rulesengine.language.lower import InstrumentedProgram, lower_instrumented
from rulesengine.state import State, Step

Test = Mapping[str, Any]
# A function that runs a test of a game and returns its failures, none if it passes.
RunTest = Callable[[Game, Test], Sequence[object]]
Watch = tuple[tuple[int, Op], ...]


@dataclass(slots=True)
class ClauseRecord:
    """The numbers of the clauses that held, and of the groups that had a step."""

    clauses: set[int] = field(default_factory=set)
    groups: set[int] = field(default_factory=set)


class InstrumentedGame(Game):
    """A game that records in `record` which clauses hold while it is queried and played.

    `watch` assigns numbers to operations of the rules.
    """

    def __init__(
        self, rules: Rules, values: Mapping[str, int | str], watch: Watch, record: ClauseRecord
    ) -> None:
        watcher = _Watcher(lower_instrumented(rules, values, watch), record)
        super().__init__(rules, values, "interpreter", (), watcher)
        self._watch, self._held_clauses = watch, record

    def bind(self, /, **values: int | str | bool) -> "InstrumentedGame":
        """Return the same game with other parameter values and the same record."""
        bound = parameters.bind(self.rules.parameters, {**self.parameters, **values})
        return InstrumentedGame(self.rules, bound, self._watch, self._held_clauses)


class _Watcher(Interpreter):
    """An interpreter that records the clauses that hold and the groups that have a step."""

    def __init__(self, watched: InstrumentedProgram, record: ClauseRecord) -> None:
        evaluator = Evaluator(watched.program)
        executor = MoveExecutor(evaluator, EffectExecutor(evaluator))
        generator = _WatchedGenerator(evaluator, executor, record)
        super().__init__(watched.program, evaluator, generator=generator)
        self._marks = watched.marks
        self._held_clauses = record
        record.clauses |= watched.constant
        evaluator.methods["watched"] = self._watched

    def legal_among(self, state: State, origins: int, targets: int) -> tuple[Steps, ...]:
        """Return all legal moves, so that the conditions of moves not played count too."""
        return self.legal(state)

    def _watched(self, op: Op, frame: Frame) -> Any:
        value = self.evaluator.value(op.args[0], frame)
        if value:
            self._held_clauses.clauses |= self._marks[id(op)]
        return value


class _WatchedGenerator(MoveGenerator):
    """A move generator that records the groups that have a step."""

    def __init__(self, evaluator: Evaluator, executor: MoveExecutor, record: ClauseRecord) -> None:
        super().__init__(evaluator, executor)
        self._held_clauses = record

    def steps(
        self,
        frame: Frame,
        number: int,
        origins: int = -1,
        directions: int = -1,
        targets: int = -1,
    ) -> Iterator[Step]:
        """Yield the steps of a group, and record the group if there are any."""
        for step in super().steps(frame, number, origins, directions, targets):
            self._held_clauses.groups.add(number)
            yield step
