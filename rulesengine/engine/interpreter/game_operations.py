"""The semantics of operations that read moves and outcomes, one method each."""

from collections.abc import Callable, Iterator
from typing import Any, Protocol

from rulesengine.engine.interpreter.evaluator import Evaluator
from rulesengine.engine.interpreter.frame import Draft, Frame
from rulesengine.engine.interpreter.memo import MEMO
from rulesengine.engine.interpreter.move_execution import Steps
from rulesengine.engine.interpreter.operations import Operations
from rulesengine.engine.interpreter.outcomes import Decision
from rulesengine.errors import LimitError
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.rules import ANSWERS, Group
from rulesengine.state import Record, State, Step
from rulesengine.support.limits import MAX_CHOICE_STEPS

# Variables of a script that no spec can name: (state, steps) of its last move, and the decision
# by which the script itself ended the game.
LAST_MOVE = "last move"
DECIDED = "the outcome"
# A variable of a script: the function of the selected engine that replaces `Interpreter.decide`.
JUDGE = "judge of the outcome"


class GameRules(Protocol):
    """The rules that operations query for moves, results and outcomes."""

    def legal(self, state: State) -> tuple[Steps, ...]: ...

    def tier(self, state: State, side: int, groups: tuple[Group, ...]) -> Iterator[Step]: ...

    def has_answer(self, state: State, side: int, groups: tuple[Group, ...]) -> bool: ...

    def apply(self, state: State, steps: Steps) -> State: ...

    def play(self, state: State, steps: Steps, side: int) -> tuple[State, Record]: ...

    def result(self, frame: Frame, side: int) -> tuple[State, Record]: ...

    def decide(self, state: State) -> Decision | None: ...

    def finished(self, draft: Draft) -> State: ...


class GameOperations(Operations):
    """Operations that read moves and outcomes; `lookahead_moves` counts the moves of look-ahead."""

    def __init__(self, evaluator: Evaluator, rules: GameRules) -> None:
        super().__init__(evaluator)
        self._rules = rules
        self.lookahead_moves = 0

    def op_can_move(self, op: Op, frame: Frame) -> int:
        side = self.player(self.value(op.args[0], frame), "`can_move`")
        at = frame.at if isinstance(frame.at, State) else self._rules.finished(frame.at)
        for tier in self.program.rules.tiers:
            groups = tuple(group for group in tier if group.kind != "pass")
            if self._has_step(op, at, side, groups):
                return 1
        return 0

    def op_can_act(self, op: Op, frame: Frame) -> int:
        side = self.player(self.value(op.args[0], frame), "`can_act`")
        at = frame.at if isinstance(frame.at, State) else self._rules.finished(frame.at)
        return int(any(self._has_step(op, at, side, tier) for tier in self.program.rules.tiers))

    def _has_step(self, op: Op, at: State, side: int, groups: tuple[Group, ...]) -> bool:
        if op.value == ANSWERS:
            return self._rules.has_answer(at, side, groups)
        return any(True for _ in self._rules.tier(at, side, groups))

    def op_winner(self, op: Op, frame: Frame) -> int:
        decision = self._decided(frame)
        return decision[0] if decision else -1

    def op_over(self, op: Op, frame: Frame) -> int:
        return int(self._decided(frame) is not None)

    def op_drawn(self, op: Op, frame: Frame) -> int:
        decision = self._decided(frame)
        return int(decision is not None and decision[0] < 0)

    def op_reason(self, op: Op, frame: Frame) -> str:
        decision = self._decided(frame)
        return decision[1] if decision else ""

    def op_record(self, op: Op, frame: Frame) -> int:
        if isinstance(frame.at, Draft):
            return int(getattr(frame.at, str(op.value)))
        if not frame.step:
            return int(getattr(self.last_record(frame), str(op.value)))
        side = frame.variables["player"]
        return int(getattr(self._rules.result(frame, side)[1], str(op.value)))

    def op_once(self, op: Op, frame: Frame) -> Any:
        """Return a loop-invariant operand, evaluated once; see `memo.marked`."""
        cache: dict[int, Any] = frame.variables[MEMO]
        if id(op) not in cache:
            cache[id(op)] = self.value(op.args[0], frame)
        return cache[id(op)]

    def op_after(self, op: Op, frame: Frame) -> Any:
        side = self.player(self.value(op.args[0], frame), "`after`")
        return self.evaluate(op.args[1], frame.on(self._rules.result(frame, side)[0]))

    def op_replies(self, op: Op, frame: Frame) -> Any:
        state = _state(frame)
        moves = self._rules.legal(state)
        self.lookahead_moves += len(moves)
        if self.lookahead_moves > MAX_CHOICE_STEPS:
            raise LimitError(
                f"a choice examines more than {MAX_CHOICE_STEPS} steps: reduce its lookahead"
            )
        body = op.args[0]

        def at(steps: Steps) -> Any:
            return self.evaluate(body, frame.on(self._rules.apply(state, steps)))

        return _over_replies(str(op.value), moves, at, lambda: self.value(body, frame))

    def last_record(self, frame: Frame) -> Record:
        """Return the record of the last move of the script; empty before the first."""
        if LAST_MOVE not in frame.variables:
            return Record()
        before, steps = frame.variables[LAST_MOVE]
        return self._rules.play(before, steps, before.side)[1]

    def _decided(self, frame: Frame) -> Decision | None:
        """Return the decision of the game, which a forfeit in a script overrides."""
        forfeit: Decision | None = frame.variables.get(DECIDED)
        judge: Callable[[State], Decision | None] = frame.variables.get(JUDGE, self._rules.decide)
        return forfeit or judge(_state(frame))


def _state(frame: Frame) -> State:
    assert isinstance(frame.at, State)
    return frame.at


def _over_replies(
    function: str, moves: tuple[Steps, ...], at: Callable[[Steps], Any], now: Callable[[], Any]
) -> Any:
    if not moves:
        return int(bool(now())) if function == "count" else now()
    if function == "count":
        return sum(1 for m in moves if at(m))
    if function == "any":
        return int(any(at(m) for m in moves))
    if function == "every":
        return int(all(at(m) for m in moves))
    values = [at(m) for m in moves]
    return min(values) if function == "least" else max(values)
