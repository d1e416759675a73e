"""An interpreter that records the direct accesses of each operation.

Accesses of its arguments are not included, nor those of rules that compute moves and outcomes for
it. Recorded are the parts of a state it reads, those it changes, and the causes of its failures.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import reduce
from operator import or_
from typing import Any

from rulesengine.engine.interpreter import Decision, Interpreter
from rulesengine.engine.interpreter.effects import EffectExecutor
from rulesengine.engine.interpreter.evaluator import Evaluator
from rulesengine.engine.interpreter.frame import Draft, Frame
from rulesengine.engine.interpreter.move_execution import Steps
from rulesengine.errors import EvaluationError, LimitError
from rulesengine.language.ir.ops import OPS, Op
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import Group
from rulesengine.state import Record, State, Step

RECORD = ("placed", "moved", "flipped", "removed", "captured")
_PARTS = {"planes": "pieces", "side": "side", "history": "history"} | dict.fromkeys(
    RECORD, "record"
)
# The words of an error, and its possible causes.
CAUSES = {
    "has no value yet": {"unset"},
    "a player that is not there": {"player"},
    "of no kind of piece": {"bounds"},
    "no kind of piece in": {"kind"},
    "a cell off the board": {"cell", "place"},
    "of nothing": {"nothing"},
    "a division by zero": {"zero"},
    "a number beyond 64 bits": {"overflow"},
    "there is no `": {"piece"},
    "there is no neutral `": {"piece"},
    "a piece of no kind": {"piece"},
    "` is ": {"bounds"},
    "too many `": {"bounds"},
    "a choice examines more": {"limit"},
    "not done after": {"limit"},
    "cells of a track": {"limit"},
    "a second piece is carried": {"clash"},
    "a piece on a `": {"bounds"},
    "a stack has at most": {"bounds"},
    "-1 pieces": {"bounds"},
    "by the digits": {"bounds"},
}
Note = Callable[[str], None]


class BudgetExceeded(BaseException):
    """The permitted work is used up."""


class _At:
    """A state or draft that records which of its parts are read."""

    def __init__(self, state: Any, note: Note, keeps_plies: bool) -> None:
        vars(self).update(raw=state, note=note, keeps_plies=keeps_plies)

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return type(self.raw)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.raw, name)
        if name == "registers":
            return _Registers(value, self.note, self.keeps_plies)
        if name in _PARTS:
            self.note(_PARTS[name])
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self.raw, name, value)


class _Registers:
    """Registers that record reads: the last counts plies if plies are counted."""

    def __init__(self, raw: Any, note: Note, keeps_plies: bool) -> None:
        self.raw, self.note, self.keeps_plies = raw, note, keeps_plies

    def __getitem__(self, at: Any) -> Any:
        last = not isinstance(at, slice) and at % len(self.raw) == len(self.raw) - 1
        self.note("plies" if last and self.keeps_plies else "registers")
        return self.raw[at]

    def __setitem__(self, at: int, value: int) -> None:
        self.raw[at] = value

    def __iter__(self) -> Iterator[int]:
        self.note("registers")
        return iter(self.raw)


class _Variables(dict[str, Any]):
    """Variables that record lookups of a name, but not copies of all names."""

    note: Note

    def __getitem__(self, name: str) -> Any:
        self.note("variables")
        return super().__getitem__(name)


class RecordingInterpreter(Interpreter):
    """Records, by the names of operations, their reads, changes and failures."""

    def __init__(self, program: Program, left: int = 10**9) -> None:
        evaluator = _WatchedEvaluator(program, self)
        super().__init__(program, evaluator, _WatchedEffects(evaluator, self))
        self.left = left
        self.read: defaultdict[str, set[str]] = defaultdict(set)
        self.changed: defaultdict[str, set[str]] = defaultdict(set)
        self.failed: defaultdict[str, set[str]] = defaultdict(set)
        self.causes: defaultdict[str, list[set[str]]] = defaultdict(list)
        # The changes of pieces; each may be due to any of some actions.
        self.actions: defaultdict[str, set[frozenset[str]]] = defaultdict(set)
        # The operations that are under way, innermost last, with the state that each reads. None is
        # the rules, from which an operation has requested moves or outcomes.
        self._inside: list[tuple[Op, Any] | None] = [None]
        self._blamed: Exception | None = None
        self._seen: tuple[Any, ...] = ()

    def _note(self, part: str) -> None:
        top = self._inside[-1]
        # An effect adds to the record, whatever its contents.
        if top is not None and (part, top[0].type) != ("record", "effect"):
            self.read[top[0].name].add(part)

    @contextmanager
    def _rules(self, *parts: str) -> Iterator[None]:
        """Enter the rules, from which the current operation has requested these parts."""
        for part in parts:
            self._note(part)
        with self._by(None):
            yield

    @contextmanager
    def _by(self, who: tuple[Op, Any] | None) -> Iterator[None]:
        self._inside.append(who)
        try:
            yield
        except (EvaluationError, LimitError) as error:
            if who is not None and self._blamed is not error:
                self.causes[who[0].name].append(_causes(error))
            self._blamed = error
            raise
        finally:
            self._inside.pop()

    @contextmanager
    def operation(self, op: Op, frame: Frame) -> Iterator[Frame]:
        """The frame for an operation, which records its reads."""
        self.left -= 1
        if self.left < 0:
            raise BudgetExceeded
        at, top = _raw(frame.at), self._inside[-1]
        elsewhere = top is not None and "elsewhere" in OPS[top[0].name].laws
        if top is not None and at is not top[1] and not elsewhere:
            self._note("past" if at is getattr(top[1], "before", None) else "future")
        variables = _Variables(frame.variables)
        variables.note = self._note
        self._compare(at)
        with self._by((op, at)):
            watched = _At(at, self._note, self.program.keeps_plies)
            yield Frame(watched, variables, frame.step, frame.results)  # type: ignore[arg-type]
            self._compare(at)

    def _compare(self, at: State | Draft) -> None:
        """Attribute the changes of a draft since the last comparison to the current operation."""
        if not isinstance(at, Draft):
            return
        record = tuple(getattr(at, name) for name in RECORD)
        others = at.side, at.history, at.seats
        now = tuple(at.planes), tuple(at.registers), record, *others
        top, before, self._seen = self._inside[-1], self._seen, (at, *now)
        if top is not None and before and before[0] is at:
            names = ("pieces", "registers", "record", "side", "history", "seats")
            changed = zip(names, before[1:], now, strict=True)
            self.changed[top[0].name] |= {name for name, old, new in changed if old != new}
            self.actions[top[0].name] |= set(
                _actions(before[1], now[0], len(self.program.rules.players))
            )

    # the queries of operations to the rules

    def tier(self, state: State, side: int, groups: tuple[Group, ...]) -> Iterator[Step]:
        steps = super().tier(_raw(state), side, groups)
        self._note("moves")
        while True:
            with self._rules():
                step = next(steps, None)
            if step is None:
                return
            yield step

    def has_answer(self, state: State, side: int, tier: tuple[Group, ...]) -> bool:
        with self._rules("moves"):
            return super().has_answer(_raw(state), side, tier)

    def legal(self, state: State) -> tuple[Steps, ...]:
        with self._rules("moves"):
            return super().legal(_raw(state))

    def decide(self, state: State) -> Decision | None:
        with self._rules("outcome"):
            return super().decide(_raw(state))

    def result(self, frame: Frame, side: int) -> tuple[State, Record]:
        with self._rules("step"):
            return super().result(frame, side)

    def apply(self, state: State, steps: Steps) -> State:
        with self._rules():
            return super().apply(_raw(state), steps)

    def play(self, state: State, steps: Steps, side: int) -> tuple[State, Record]:
        with self._rules():
            return super().play(_raw(state), steps, side)

    def finished(self, draft: Draft) -> State:
        with self._rules():
            return super().finished(_raw(draft))


class _WatchedEvaluator(Evaluator):
    def __init__(self, program: Program, watching: RecordingInterpreter) -> None:
        super().__init__(program)
        self._watching = watching

    def value(self, op: Op, frame: Frame) -> Any:
        with self._watching.operation(op, frame) as inner:
            return super().value(op, inner)


class _WatchedEffects(EffectExecutor):
    def __init__(self, evaluator: Evaluator, watching: RecordingInterpreter) -> None:
        super().__init__(evaluator)
        self._watching = watching

    def execute(self, op: Op, frame: Frame) -> None:
        with self._watching.operation(op, frame) as inner:
            super().execute(op, inner)


def _actions(old: tuple[int, ...], new: tuple[int, ...], sides: int) -> Iterator[frozenset[str]]:
    """Yield for each change between two sets of planes the actions that may cause it."""
    was, now = (reduce(or_, planes, 0) for planes in (old, new))
    if now.bit_count() > was.bit_count():
        yield frozenset({"adds"})
    if now & ~was:
        yield frozenset({"adds", "moves"})
    if was & ~now:
        yield frozenset({"removes", "moves"})
    for one, before in enumerate(old):
        for other, after in enumerate(new):
            if one != other and before & after:
                if one % (sides + 1) != other % (sides + 1):
                    yield frozenset({"adds", "moves", "flips"})
                if one // (sides + 1) != other // (sides + 1):
                    yield frozenset({"adds", "moves", "promotes"})


def _raw(at: Any) -> Any:
    return vars(at)["raw"] if type(at) is _At else at


def _causes(error: Exception) -> set[str]:
    found = [causes for words, causes in CAUSES.items() if words in str(error)]
    assert found, f"no cause is known for: {error}"
    return found[0]
