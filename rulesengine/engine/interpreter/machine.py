"""Legal moves, ends and move choice: the semantics of a program on states."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any

from rulesengine.engine.interpreter.chance import Chancing
from rulesengine.engine.interpreter.frame import Draft, Frame
from rulesengine.engine.interpreter.independence import are_apart
from rulesengine.engine.interpreter.memo import KEPT
from rulesengine.engine.interpreter.move_generation import Steps
from rulesengine.engine.interpreter.payoffs import (
    by_score,
    is_told_by_winner,
    payoffs,
    standing,
)
from rulesengine.engine.interpreter.script_operations import Scripted
from rulesengine.errors import LimitError
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import GROUP, OUT, End, Key, OneOfEach, Strategy, recalled
from rulesengine.state import Outcome, Record, State, by_name
from rulesengine.support.limits import MAX_CHOICE_STEPS, MAX_MOVES

_NONE: Mapping[str, Any] = MappingProxyType({})
# The winner's number or -1, the reason, and the scores and payoffs of the sides.
Decision = tuple[int, str, tuple[int, ...], tuple[int, ...]]
# A move with the frame in which keys are evaluated.
Considered = tuple[Steps, Frame]

# Variables of a script that no spec can name: (state, steps) of its last move, and the decision by
# which the script itself ended the game.
LAST_MOVE = "last move"
DECIDED = "the outcome"
# A variable of a script: the function of the selected engine that replaces `Interpreter.decide`.
JUDGE = "who tells the outcome"


class Interpreter(Scripted, Chancing):
    """A program as functions: initial_state, legal, apply, outcome, choose, evaluate."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._listed = 0

    def legal(self, state: State) -> tuple[Steps, ...]:
        """Return the legal moves in order; none when the game is over. Raises LimitError."""
        if self.decide(state) is not None:
            return ()
        return self.possible(state, state.side)

    def legal_among(self, state: State, origins: int, targets: int) -> tuple[Steps, ...]:
        """Return the legal moves that start and end on the given cells, in order, maybe with
        others.

        Moves without origin or target count. If no other move can matter, others are not generated.
        """
        if not self._are_apart or self.is_chance(state):
            return self.legal(state)
        if self.decide(state) is not None:
            return ()
        for tier in self.program.rules.tiers:
            found = self._distinct(self._tier(state, state.side, tier, origins, targets))
            if found or any(True for _ in self._tier(state, state.side, tier)):
                return tuple((step,) for step in found)
        return ()

    @cached_property
    def _are_apart(self) -> bool:
        return are_apart(self.program.rules, self.program.topology.cells)

    def possible(self, state: State, side: int) -> tuple[Steps, ...]:
        """Return the moves of a side as if it were to move, even if the game is over."""
        if self.is_chance(state):
            return tuple((step,) for step in self.branches(state))
        rules = self.program.rules
        for number, tier in enumerate(rules.tiers):
            first = self._distinct(self._tier(state, side, tier))
            if first:
                moves = self._complete(state, side, first)
                if number not in rules.unranked or not self._is_at_rest(state):
                    moves = self._kept(state, side, moves)
                if len(moves) > MAX_MOVES:
                    raise LimitError(f"more than {MAX_MOVES} moves in a position")
                return moves
        return ()

    def _is_at_rest(self, state: State) -> bool:
        """True if the registers that live for a move have their initial values."""
        starts = self.program.form.starts
        return all(state.registers[slot] == starts[slot] for slot in self._of_moves)

    @cached_property
    def _of_moves(self) -> tuple[int, ...]:
        return self.program.slots_of_moves()

    def decide(self, state: State) -> Decision | None:
        """Return the decision by which the game is over; None while it is not."""
        found = self._holding(state)
        return found and self._decision(self.program.rules.ends[found[0]], state, found[1])

    def ending(self, state: State) -> int | None:
        """Return the index of the end by which the game is over; None while it is not."""
        found = self._holding(state)
        return found and found[0]

    def _holding(self, state: State) -> tuple[int, Frame] | None:
        """Return the index of the first end that holds, and the frame in which it holds."""
        for number, end in enumerate(self.program.rules.ends):
            for side in self._asked(state) if end.each else (state.side,):
                frame = Frame(state, {"player": side})
                if self.ask(end.when, frame):
                    return number, frame
        return None

    def outcome(self, state: State) -> Outcome | None:
        """Return the outcome of a game that is over, else None."""
        decision = self.decide(state)
        if decision is None:
            return None
        return self.told(state, *decision)

    def told(
        self,
        state: State,
        winner: int,
        reason: str,
        scores: Sequence[int],
        payoffs: Sequence[int],
    ) -> Outcome:
        """Return a decision as an outcome with the names of the players."""
        named = [by_name(state, numbers) for numbers in (scores, payoffs)]
        return Outcome(state.player(winner) if winner >= 0 else None, reason, *named)

    def ended(
        self, state: State, number: int, winner: int, scores: Sequence[int]
    ) -> Outcome | None:
        """Return the outcome of an end by its index and winner, as kernels report them."""
        rules = self.program.rules
        end = rules.ends[number]
        if not is_told_by_winner(rules, end):
            return self.outcome(state)
        places = [int(side == winner) for side in range(self.sides)]
        if by_score(end):
            places = standing(rules, end, -1, scores)
        return self.told(state, winner, end.reason, scores, payoffs(places, self.departures(state)))

    def choose(
        self,
        state: State,
        strategy: Strategy,
        values: Mapping[str, Any] = _NONE,
        among: Sequence[Steps] | None = None,
    ) -> Steps | None:
        """Return the move selected by the keys of a strategy; None if there is none.

        `values` are those of the parameters of the strategy. `among` are the candidates, by default
        the legal moves. Raises LimitError.
        """
        if among is None:
            among = () if self.is_chance(state) else self.legal(state)
        return next(iter(self._left(state, among, strategy.keys, values)), None)

    def likely(self, state: State) -> tuple[Steps, ...]:
        """Return the moves that playouts of a search draw from."""
        moves, keys = self.legal(state), self.program.rules.likely
        if not keys or not moves or self.is_chance(state):
            return moves
        return self._left(state, moves, keys)

    def _left(
        self,
        state: State,
        moves: Sequence[Steps],
        keys: Sequence[Key],
        values: Mapping[str, Any] = _NONE,
    ) -> tuple[Steps, ...]:
        """Return the moves that are best by the keys, in lexicographic order of the keys."""
        self._listed = len(moves)
        frames = [(steps, self._considering(state, steps, state.side)) for steps in moves]
        for _, frame in frames:
            frame.variables |= values
        for key in keys:
            if len(frames) > 1:
                frames = self._best(frames, key)
        return tuple(steps for steps, _ in frames)

    def evaluate(self, op: Op, state: State, variables: dict[str, Any], steps: Steps = ()) -> Any:
        """Return the value of an operation of the script."""
        self._listed = 0
        frame = Frame(state, {"player": state.side, **variables}, steps)
        if steps:
            frame.variables |= {"from": steps[0].origin, "to": steps[-1].target}
        return self.ask(op, frame)

    def with_effect(self, state: State, effect: Op, variables: dict[str, Any]) -> State:
        """Return the position after an effect of the script, without a previous move."""
        frame = Frame(state, {"player": state.side, **variables})
        frame.at = Draft(state, self._last_record(frame))
        self.effect(effect, frame)
        after = self._finished(frame.at)
        starts, registers = self.program.form.starts, list(after.registers)
        for at in self._told():
            registers[at] = starts[at]
        return State(after.planes, after.side, tuple(registers), (), after.form, after.seats)

    def _told(self) -> list[int]:
        """Return the slots of registers that depend on earlier moves."""
        program, count = self.program, len(self.program.form.starts)
        last = [slot for name, slot in program.slots if recalled(name)]
        return [*last, *range(count - program.keeps_last - program.keeps_plies, count)]

    def members(self, domain: str, op: Op, state: State, variables: dict[str, Any]) -> list[int]:
        """Return the values of a loop of the script, in order."""
        return list(self.domain(domain, op, Frame(state, {"player": state.side, **variables})))

    def _kept(self, state: State, side: int, moves: tuple[Steps, ...]) -> tuple[Steps, ...]:
        """Return the moves that `keep` selects."""
        keys = self.program.rules.keep
        if not keys or len(moves) == 1:
            return moves
        frames = [(steps, self._considering(state, steps, side)) for steps in moves]
        for key in keys:
            if len(frames) == 1:
                break
            if isinstance(key, OneOfEach):
                frames = self._one_of_each(frames)
            else:
                frames = self._best(frames, key)
        return tuple(steps for steps, _ in frames)

    def _one_of_each(self, frames: list[Considered]) -> list[Considered]:
        """Return the first of the moves that lead to equal states; their histories are equal."""
        found: dict[tuple[object, ...], Considered] = {}
        for steps, frame in frames:
            after = self._result(frame, frame.variables["player"])[0]
            told = after.planes, after.side, after.registers, after.seats
            found.setdefault(told, (steps, frame))
        return list(found.values())

    # ends

    def _asked(self, state: State) -> list[int]:
        """Return the sides in the order of testing an end: the side that moved last comes first."""
        last = (state.side - 1) % self.sides
        if self.program.keeps_last:
            kept = state.registers[-2 if self.program.keeps_plies else -1]
            last = kept if kept >= 0 else last
        return [(last + i) % self.sides for i in range(self.sides)]

    def _decision(self, end: End, state: State, frame: Frame) -> Decision:
        scores = self.scores(state)
        if end.pays:
            pays = self._paid(end.pays, state)
            return _leader(pays), end.reason, tuple(scores), tuple(pays)
        winner = decided = -1
        if end.side is not None:
            winner = decided = self.ask(end.side, frame)
        elif end.result in ("highest", "lowest"):
            winner = _leader(scores if end.result == "highest" else [-s for s in scores])
        rules = self.program.rules
        if ((end.result == "loses") != rules.misere) and winner >= 0:
            winner = 1 - winner if self.sides == 2 else -1
        paid = payoffs(standing(rules, end, decided, scores), self.departures(state))
        return winner, end.reason, tuple(scores), paid

    def _paid(self, number: Op, state: State) -> list[int]:
        """Return the payoff of each side at an end with explicit payoffs."""
        sign = -1 if self.program.rules.misere else 1
        frames = (Frame(state, {"player": side}) for side in range(self.sides))
        return [sign * self.ask(number, frame) for frame in frames]

    def departures(self, state: State) -> tuple[int, ...]:
        """Return the ply at which each side left the game; () if no side ever leaves."""
        if not self.program.rules.outs:
            return ()
        at = self.slots[OUT]
        return state.registers[at : at + self.sides]

    def scores(self, state: State) -> list[int]:
        """Return the score of each side; [] if the rules have no score."""
        score = self.program.rules.score
        if score is None:
            return []
        return [self.ask(score, Frame(state, {"player": s})) for s in range(self.sides)]

    def number_of(self, op: Op, state: State, side: int) -> int:
        """Return the value of an expression for a side."""
        number: int = self.ask(op, Frame(state, {"player": side}))
        return number

    # operations that read moves and outcomes

    def op_can_move(self, op: Op, frame: Frame) -> int:
        side = self.player(self.value(op.args[0], frame), "`can_move`")
        at = frame.at if isinstance(frame.at, State) else self._finished(frame.at)
        for tier in self.program.rules.tiers:
            groups = tuple(group for group in tier if group.kind != "pass")
            if any(True for _ in self._tier(at, side, groups)):
                return 1
        return 0

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

    def _decided(self, frame: Frame) -> Decision | None:
        """Return the decision of the game, which a forfeit in a script overrides."""
        forfeit: Decision | None = frame.variables.get(DECIDED)
        judge: Callable[[State], Decision | None] = frame.variables.get(JUDGE, self.decide)
        return forfeit or judge(self._state(frame))

    def op_record(self, op: Op, frame: Frame) -> int:
        if isinstance(frame.at, Draft):
            return int(getattr(frame.at, str(op.value)))
        if not frame.step:
            return int(getattr(self._last_record(frame), str(op.value)))
        side = frame.variables["player"]
        return int(getattr(self._result(frame, side)[1], str(op.value)))

    def _last_record(self, frame: Frame) -> Record:
        """Return the record of the last move of the script; empty before the first."""
        if LAST_MOVE not in frame.variables:
            return Record()
        before, steps = frame.variables[LAST_MOVE]
        return self.play(before, steps, before.side)[1]

    def op_once(self, op: Op, frame: Frame) -> Any:
        """Return a loop-invariant operand, evaluated once; see `memo.marked`."""
        kept: dict[int, Any] = frame.variables[KEPT]
        if id(op) not in kept:
            kept[id(op)] = self.value(op.args[0], frame)
        return kept[id(op)]

    def op_after(self, op: Op, frame: Frame) -> Any:
        side = self.player(self.value(op.args[0], frame), "`after`")
        return self.ask(op.args[1], frame.on(self._result(frame, side)[0]))

    def op_replies(self, op: Op, frame: Frame) -> Any:
        state = self._state(frame)
        moves = self.legal(state)
        self._listed += len(moves)
        if self._listed > MAX_CHOICE_STEPS:
            raise LimitError(f"a choice looks at more than {MAX_CHOICE_STEPS} steps: look less far")
        body = op.args[0]

        def at(steps: Steps) -> Any:
            return self.ask(body, frame.on(self.apply(state, steps)))

        return _over_replies(str(op.value), moves, at, lambda: self.value(body, frame))

    def _state(self, frame: Frame) -> State:
        assert isinstance(frame.at, State)
        return frame.at

    def _result(self, frame: Frame, side: int) -> tuple[State, Record]:
        """Return the state and record after the current move, made by a side."""
        if side not in frame.results:
            frame.results[side] = self.play(self._state(frame), frame.step, side)
        return frame.results[side]

    # choices

    def _considering(self, state: State, steps: Steps, side: int) -> Frame:
        last = steps[-1]
        variables = {"player": side, "from": steps[0].origin, "to": last.target}
        variables |= {"choice": last.choice, GROUP: last.group}
        return Frame(state, variables, steps)

    def _best(self, frames: list[Considered], key: Key) -> list[Considered]:
        values = [self.ask(key.value, frame) for _, frame in frames]
        best = max(values) if key.order == "most" else min(values)
        return [pair for pair, value in zip(frames, values, strict=True) if value == best]


def _leader(scores: list[int]) -> int:
    """Return the side with the highest score, or -1 if it is shared."""
    best = max(scores, default=0)
    return scores.index(best) if scores.count(best) == 1 else -1


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
