"""Games that are interpreted by a machine of ours: one that notes clauses, one that gives up."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulesengine import parameters
from rulesengine.game import Game
from rulesengine.interpreter import Interpreter
from rulesengine.interpreter.frame import Frame
from rulesengine.interpreter.moving import Steps
from rulesengine.ir.ops import Op
from rulesengine.ir.program import Program
from rulesengine.ir.rules import Rules
from rulesengine.lower import Watched, lower, lower_watched
from rulesengine.state import State, Step

Test = Mapping[str, Any]
# The problems that a test of a game finds, none if it passes.
RunTest = Callable[[Game, Test], Sequence[object]]
Watch = tuple[tuple[int, Op], ...]


@dataclass(slots=True)
class Seen:
    """The numbers of the clauses that held, and of the groups that had a step."""

    clauses: set[int] = field(default_factory=set)
    groups: set[int] = field(default_factory=set)


class WatchedGame(Game):
    """A game that notes in `seen` what held while it is asked and played.

    `watch` numbers operations of the rules.
    """

    def __init__(
        self, rules: Rules, values: Mapping[str, int | str], watch: Watch, seen: Seen
    ) -> None:
        watcher = _Watcher(lower_watched(rules, values, watch), seen)
        super().__init__(rules, values, "interpreter", (), watcher)
        self._watch, self._seen = watch, seen

    def bind(self, /, **values: int | str | bool) -> "WatchedGame":
        """The same game with other values of parameters, noted in the same place."""
        bound = parameters.bind(self.rules.parameters, {**self.parameters, **values})
        return WatchedGame(self.rules, bound, self._watch, self._seen)


class _Watcher(Interpreter):
    def __init__(self, watched: Watched, seen: Seen) -> None:
        super().__init__(watched.program)
        self._marks = watched.marks
        self._seen = seen
        seen.clauses |= watched.constant

    def op_watched(self, op: Op, frame: Frame) -> Any:
        value = self.value(op.args[0], frame)
        if value:
            self._seen.clauses |= self._marks[id(op)]
        return value

    def legal_among(self, state: State, origins: int, targets: int) -> tuple[Steps, ...]:
        """All legal moves: what holds for one that is not played has been held too."""
        return self.legal(state)

    def _steps(
        self,
        frame: Frame,
        number: int,
        origins: int = -1,
        directions: int = -1,
        targets: int = -1,
    ) -> Iterator[Step]:
        for step in super()._steps(frame, number, origins, directions, targets):
            self._seen.groups.add(number)
            yield step


class Spent(BaseException):
    """The work that was allowed is done; no exception of the rules, which might be caught."""


@dataclass(slots=True)
class Allowance:
    """How many operations may still be evaluated, by all games that share it."""

    left: int


class LimitedGame(Game):
    """A game that evaluates no more operations than its allowance. Raises Spent."""

    def __init__(
        self, rules: Rules, values: Mapping[str, int | str], tests: tuple[Any, ...], may: Allowance
    ) -> None:
        limited = _Limited(lower(rules, values), may)
        super().__init__(rules, values, "interpreter", tests, limited)
        self.may = may

    def bind(self, /, **values: int | str | bool) -> "LimitedGame":
        """The same game with other values of parameters, on the same allowance."""
        bound = parameters.bind(self.rules.parameters, {**self.parameters, **values})
        return LimitedGame(self.rules, bound, self.tests, self.may)


class _Limited(Interpreter):
    def __init__(self, program: Program, may: Allowance) -> None:
        super().__init__(program)
        self.may = may

    def value(self, op: Op, frame: Frame) -> Any:
        self.may.left -= 1
        if self.may.left < 0:
            raise Spent
        return super().value(op, frame)
