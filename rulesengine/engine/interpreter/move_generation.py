"""The move generator: legal steps, and moves of several steps."""

from collections.abc import Iterator
from functools import cached_property

from rulesengine.board.geometry import bits
from rulesengine.engine.interpreter.evaluator import Evaluator
from rulesengine.engine.interpreter.frame import Draft, Frame
from rulesengine.engine.interpreter.move_execution import MoveExecutor, Steps
from rulesengine.errors import EvaluationError, LimitError
from rulesengine.language.ir.answers import answer_bans
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.roles import alternatives, reads_variable
from rulesengine.language.ir.rules import Group, operations
from rulesengine.language.ir.steps import StepMaker
from rulesengine.state import Record, State, Step
from rulesengine.support.limits import MAX_CHAIN_STEPS, MAX_MOVE_STEPS


class MoveGenerator:
    """Generates the steps of groups and joins them to moves."""

    def __init__(self, evaluator: Evaluator, executor: MoveExecutor) -> None:
        self.program = program = evaluator.program
        self.executor = executor
        self.maker = StepMaker(program.rules)
        self.evaluate = evaluator.evaluate
        self.value = evaluator.value
        self._groups = program.rules.groups
        self._has_chains = any(group.then for group in self._groups)
        self._chained = 0
        # The bans of steps: those of answers while answers are generated.
        self._bans = self._all_bans = tuple(group.forbid for group in self._groups)

    # legal steps

    def has_answer(self, state: State, side: int, tier: tuple[Group, ...]) -> bool:
        """True if a side has a first step of a tier, where no ban reads mobility."""
        self._bans = self._answer_bans
        try:
            return any(True for _ in self.tier(state, side, tier))
        finally:
            self._bans = self._all_bans

    @cached_property
    def _answer_bans(self) -> tuple[Op | None, ...]:
        return answer_bans(self.program.rules)

    def tier(
        self,
        state: State,
        side: int,
        tier: tuple[Group, ...],
        origins: int = -1,
        targets: int = -1,
    ) -> Iterator[Step]:
        """Yield the legal first steps of a tier, passes last, from and to the given cells."""
        for group in sorted(tier, key=lambda group: group.kind == "pass"):
            frame = Frame(state, {"player": side})
            yield from self.steps(frame, self._groups.index(group), origins, -1, targets)

    def steps(
        self,
        frame: Frame,
        number: int,
        origins: int = -1,
        directions: int = -1,
        targets: int = -1,
    ) -> Iterator[Step]:
        """Yield the steps of a group from and to the given cells along the given directions."""
        group = self._groups[number]
        if group.narrowed is not None:
            yield from self._covering(group, number, frame, directions, targets)
            return
        first = self.choices(group, frame) if group.chooses_first else (None,)
        for chosen in first:
            for direction in self._each_of(group.along, frame, "direction", directions):
                for origin in self._each_of(group.origin, frame, "from", origins):
                    for target in self._each_of(group.target, frame, "to", targets):
                        known = (chosen,) if chosen is not None else self.choices(group, frame)
                        for choice in known:
                            step = self.maker.step(number, direction, origin, target, choice)
                            if self.allows(group, frame, step):
                                yield step

    def _covering(
        self, group: Group, number: int, frame: Frame, directions: int, targets: int
    ) -> Iterator[Step]:
        """Yield the steps that cover tiles; the sets of all forms share their parts."""
        assert group.narrowed is not None
        sets = alternatives(group.narrowed.target)
        shared: dict[int, Frame] = {}
        for choice, cells in enumerate(sets):
            frame.variables["choice"] = choice
            for direction in self._each_of(group.along, frame, "direction", directions):
                inner = shared.setdefault(direction, frame.with_empty_cache())
                for cell in bits(self.value(cells, inner) & targets):
                    frame.variables["to"] = cell
                    step = self.maker.step(number, direction, -1, cell, choice)
                    if self._passes(group, group.narrowed.when, frame, step):
                        yield step

    def _each_of(self, op: Op | None, frame: Frame, name: str, among: int) -> Iterator[int]:
        """Bind a variable to each member of a set in turn; once to -1 if there is no set."""
        for value in bits(self.evaluate(op, frame) & among) if op else (-1,):
            frame.variables[name] = value
            yield value

    def choices(self, group: Group, frame: Frame) -> Iterator[int]:
        """Bind `choice` to each possible value; once to -1 if there is no choice."""
        for op in group.choice or (None,):
            frame.variables["choice"] = self.evaluate(op, frame) if op else -1
            yield frame.variables["choice"]

    def allows(self, group: Group, frame: Frame, step: Step) -> bool:
        """True if `when` and `forbid` of a group allow a step."""
        return self._passes(group, group.when, frame, step)

    def _passes(self, group: Group, when: Op | None, frame: Frame, step: Step) -> bool:
        """True if a condition and the `forbid` of a group allow a step."""
        if when and not self.evaluate(when, frame):
            return False
        ban = self._bans[step.group]
        if ban is None or self._surely_allowed(group, frame, step):
            return True
        if group.decided and not self.evaluate(group.decided.doubtful, frame) >> step.target & 1:
            return False
        side = frame.variables["player"]
        result = self._state_after(frame.at, step, side)
        seen = Frame(result[0], dict(frame.variables), (step,), {side: result})
        return not self.evaluate(ban, seen)

    def _state_after(self, at: State | Draft, step: Step, side: int) -> tuple[State, Record]:
        """Return the state after a step, for `forbid`; a failure names the step."""
        try:
            return self.executor.play(at, (step,), side)
        except EvaluationError as error:
            shown, player = self._step_text(step), self.program.rules.players[side].name
            raise EvaluationError(
                f"{error}, while `forbid` tries the step `{shown}` of {player}:"
                " `when` keeps a step from being tried"
            ) from error

    def _surely_allowed(self, group: Group, frame: Frame, step: Step) -> bool:
        """True if a program analysis has proved that the target is not forbidden."""
        decided = group.decided
        return decided is not None and bool(
            self.evaluate(decided.allowed, frame) >> step.target & 1
        )

    # moves of several steps

    def complete(self, state: State, side: int, first: list[Step]) -> tuple[Steps, ...]:
        """Return the moves that begin with these steps, in the order of their steps."""
        if not self._has_chains:
            return tuple((step,) for step in first)
        self._chained = len(first)
        moves: list[Steps] = []
        for step in first:
            self._extend((step,), Frame(Draft.of(state), {"player": side}), moves)
        return tuple(moves)

    def _extend(self, steps: Steps, frame: Frame, moves: list[Steps]) -> None:
        """Add the moves that begin with `steps`; the last step has not been applied yet."""
        if self._groups[steps[-1].group].then is None:
            moves.append(steps)
            return
        if len(steps) > MAX_MOVE_STEPS:
            raise self._endless(steps[-1], f"a move of more than {MAX_MOVE_STEPS} steps")
        self.executor.carry_out(steps[-1], frame)
        following, optional = self._following(steps[-1], frame)
        if not following or optional:
            moves.append(steps)
        self._chained += len(following)
        if self._chained > MAX_CHAIN_STEPS:
            raise self._endless(steps[-1], f"more than {MAX_CHAIN_STEPS} steps of such moves")
        for step in following:
            after = Frame(Draft.of(frame.at), {"player": frame.variables["player"]})
            self._extend((*steps, step), after, moves)

    def _endless(self, step: Step, reason: str) -> LimitError:
        """Return the error of too long a chain, or too many chains; it names the group."""
        site = self._groups[step.group].site
        place = f"{site.file}:{site.line}:{site.column}"
        return LimitError(f"{place}: {reason}: let a `when` in `then` end them")

    def _following(self, step: Step, frame: Frame) -> tuple[list[Step], bool]:
        """Return the steps that may follow an applied step, and if the move may end here."""
        then = self._groups[step.group].then
        if then is None or (then.when and not self.evaluate(then.when, frame)):
            return [], False
        origins = self.evaluate(then.origin, frame) if then.origin else -1
        directions = self.evaluate(then.along, frame) if then.along else -1
        number = next(i for i, g in enumerate(self._groups) if g.name == then.step)
        inner = Frame(frame.at, {"player": frame.variables["player"]})
        return self.distinct(self.steps(inner, number, origins, directions)), then.optional

    def distinct(self, steps: Iterator[Step]) -> list[Step]:
        """Remove duplicate steps. Raises EvaluationError for a step with two meanings."""
        steps_by_key: dict[Step, Step] = {}
        for step in steps:
            first = steps_by_key.setdefault(step, step)
            if first is not step and not self._same(first, step):
                site = self._groups[step.group].site
                raise EvaluationError(
                    f"{site.file}:{site.line}:{site.column}: two groups give the step"
                    f" `{self._step_text(step)}` different effects"
                )
        return list(steps_by_key)

    def _step_text(self, step: Step) -> str:
        """Return the cells of a step, or its kind if it has none."""
        names = self.program.topology.names
        return "-".join(names[c] for c in (step.origin, step.target) if c >= 0) or step.kind

    def _same(self, a: Step, b: Step) -> bool:
        """True if two equal steps have equal effects that do not depend on different directions."""
        first, second = self._groups[a.group], self._groups[b.group]
        consequences = [(g.piece, g.side, g.effects, g.then) for g in (first, second)]
        if consequences[0] != consequences[1]:
            return False
        read = any(reads_variable(op, "direction") for op in operations(consequences[0]))
        return not read or a.direction == b.direction
