"""The move generator: steps, moves of several steps, and turns."""

from collections.abc import Iterator

from rulesengine.board.geometry import bits
from rulesengine.engine.interpreter.effects import Changer
from rulesengine.engine.interpreter.frame import Draft, Frame
from rulesengine.errors import EvaluationError, LimitError
from rulesengine.language.ir.ops import Op, reads
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import BY_CHANCE, Group, operations
from rulesengine.language.ir.steps import StepMaker
from rulesengine.state import Record, State, Step, compared
from rulesengine.support.limits import MAX_CHAIN_STEPS, MAX_MOVE_STEPS

Steps = tuple[Step, ...]


class Mover(Changer):
    """Generates the steps of groups, joins them to moves, and applies moves."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._groups = program.rules.groups
        self.maker = StepMaker(program.rules)
        self._has_chains = any(group.then for group in self._groups)
        self._chained = 0

    def initial_state(self) -> State:
        """Return the state before the first move."""
        rules, form = self.program.rules, self.program.form
        planes = (0,) * len(form.symbols)
        state = State(planes, 0, form.starts, (), form)
        if rules.diagram:
            return self._from_diagram(state, rules.diagram)
        draft = Draft.of(state)
        frame = Frame(draft, {"player": 0})
        for effect in rules.start:
            self.effect(effect, frame)
        return self._finished(draft)

    def apply(self, state: State, steps: Steps) -> State:
        """Return the state after a move."""
        return self.play(state, steps, state.side)[0]

    def play(self, state: State, steps: Steps, side: int) -> tuple[State, Record]:
        """Return the state after a move by a side, and the record of its changes."""
        return self._made(state, steps, side)

    def _made(self, at: State | Draft, steps: Steps, side: int) -> tuple[State, Record]:
        draft = Draft.of(at)
        frame = Frame(draft, {"player": side})
        for step in steps:
            self._carry_out(step, frame)
        for effect in self.program.rules.effects:
            self.effect(effect, frame)
        record = draft.record()
        self._end_turn(at, draft, frame)
        return self._finished(draft), record

    # legal steps

    def _tier(
        self,
        state: State,
        side: int,
        tier: tuple[Group, ...],
        origins: int = -1,
        targets: int = -1,
    ) -> Iterator[Step]:
        for group in sorted(tier, key=lambda group: group.kind == "pass"):
            frame = Frame(state, {"player": side})
            yield from self._steps(frame, self._groups.index(group), origins, -1, targets)

    def _steps(
        self,
        frame: Frame,
        number: int,
        origins: int = -1,
        directions: int = -1,
        targets: int = -1,
    ) -> Iterator[Step]:
        """Yield the steps of a group from and to the given cells along the given directions."""
        group = self._groups[number]
        for direction in self._each_of(group.along, frame, "direction", directions):
            for origin in self._each_of(group.origin, frame, "from", origins):
                for target in self._each_of(group.target, frame, "to", targets):
                    for choice in self._choices(group, frame):
                        step = self.maker.step(number, direction, origin, target, choice)
                        if self._allowed(group, frame, step):
                            yield step

    def _each_of(self, op: Op | None, frame: Frame, name: str, among: int) -> Iterator[int]:
        """Bind a variable to each member of a set in turn; once to -1 if there is no set."""
        for value in bits(self.ask(op, frame) & among) if op else (-1,):
            frame.variables[name] = value
            yield value

    def _choices(self, group: Group, frame: Frame) -> Iterator[int]:
        """Bind `choice` to each possible value; once to -1 if there is no choice."""
        for op in group.choice or (None,):
            frame.variables["choice"] = self.ask(op, frame) if op else -1
            yield frame.variables["choice"]

    def _allowed(self, group: Group, frame: Frame, step: Step) -> bool:
        if group.when and not self.ask(group.when, frame):
            return False
        if group.forbid is None or self._surely_allowed(group, frame, step):
            return True
        if group.decided and not self.ask(group.decided.doubtful, frame) >> step.target & 1:
            return False
        side = frame.variables["player"]
        result = self._tried(frame.at, step, side)
        seen = Frame(result[0], dict(frame.variables), (step,), {side: result})
        return not self.ask(group.forbid, seen)

    def _tried(self, at: State | Draft, step: Step, side: int) -> tuple[State, Record]:
        """Return the state after a step, for `forbid`; a failure names the step."""
        try:
            return self._made(at, (step,), side)
        except EvaluationError as error:
            shown, player = self._shown(step), self.program.rules.players[side].name
            raise EvaluationError(
                f"{error}, while `forbid` tries the step `{shown}` of {player}:"
                " `when` keeps a step from being tried"
            ) from error

    def _surely_allowed(self, group: Group, frame: Frame, step: Step) -> bool:
        """True if a program analysis has proved that the target is not forbidden."""
        decided = group.decided
        return decided is not None and bool(self.ask(decided.allowed, frame) >> step.target & 1)

    # moves of several steps

    def _complete(self, state: State, side: int, first: list[Step]) -> tuple[Steps, ...]:
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
        self._carry_out(steps[-1], frame)
        following, optional = self._following(steps[-1], frame)
        if not following or optional:
            moves.append(steps)
        self._chained += len(following)
        if self._chained > MAX_CHAIN_STEPS:
            raise self._endless(steps[-1], f"more than {MAX_CHAIN_STEPS} steps of such moves")
        for step in following:
            after = Frame(Draft.of(frame.at), {"player": frame.variables["player"]})
            self._extend((*steps, step), after, moves)

    def _endless(self, step: Step, what: str) -> LimitError:
        """Return the error of too long a chain, or too many chains; it names the group."""
        site = self._groups[step.group].site
        place = f"{site.file}:{site.line}:{site.column}"
        return LimitError(f"{place}: {what}: let a `when` in `then` end them")

    def _following(self, step: Step, frame: Frame) -> tuple[list[Step], bool]:
        """Return the steps that may follow an applied step, and if the move may end here."""
        then = self._groups[step.group].then
        if then is None or (then.when and not self.ask(then.when, frame)):
            return [], False
        origins = self.ask(then.origin, frame) if then.origin else -1
        directions = self.ask(then.along, frame) if then.along else -1
        number = next(i for i, g in enumerate(self._groups) if g.name == then.step)
        inner = Frame(frame.at, {"player": frame.variables["player"]})
        return self._distinct(self._steps(inner, number, origins, directions)), then.optional

    def _distinct(self, steps: Iterator[Step]) -> list[Step]:
        """Remove duplicate steps. Raises EvaluationError for a step with two meanings."""
        found: dict[Step, Step] = {}
        for step in steps:
            first = found.setdefault(step, step)
            if first is not step and not self._same(first, step):
                site = self._groups[step.group].site
                raise EvaluationError(
                    f"{site.file}:{site.line}:{site.column}: two groups give the step"
                    f" `{self._shown(step)}` different effects"
                )
        return list(found)

    def _shown(self, step: Step) -> str:
        """Return the cells of a step, or its kind if it has none."""
        names = self.program.topology.names
        return "-".join(names[c] for c in (step.origin, step.target) if c >= 0) or step.kind

    def _same(self, a: Step, b: Step) -> bool:
        """True if two equal steps have equal effects that do not depend on different directions."""
        first, second = self._groups[a.group], self._groups[b.group]
        said = [(g.piece, g.side, g.effects, g.then) for g in (first, second)]
        if said[0] != said[1]:
            return False
        read = any(reads(op, "variable", "direction") for op in operations(said[0]))
        return not read or a.direction == b.direction

    # moves and turns

    def _carry_out(self, step: Step, frame: Frame) -> None:
        self.begin(step, frame)
        for effect in self._groups[step.group].effects:
            self.effect(effect, frame)

    def begin(self, step: Step, frame: Frame) -> None:
        """Bind the variables of a step and place or move its piece, before its effects."""
        group = self._groups[step.group]
        frame.variables |= {"direction": step.direction, "from": step.origin, "to": step.target}
        frame.variables |= {"choice": step.choice, BY_CHANCE: int(group.weight is not None)}
        if group.kind == "place" and group.piece and group.side:
            kind, side = self.ask(group.piece, frame), self.ask(group.side, frame)
            self.put(frame, kind, side, 1 << step.target)
        elif group.kind == "move":
            self.carry(frame, step.origin, step.target)
        elif group.kind == "swap":
            self._swap(frame)

    def _swap(self, frame: Frame) -> None:
        """Exchange the sides of the two players; original seats are ()."""
        draft = frame.at
        assert isinstance(draft, Draft)
        draft.seats = () if draft.seats else (1, 0)

    def _end_turn(self, before: State | Draft, draft: Draft, frame: Frame) -> None:
        """Update registers, history and the side to move after the last effect."""
        program, by_chance = self.program, frame.variables[BY_CHANCE]
        swapped = draft.seats != before.seats
        following = before.side if swapped else self.ask(program.rules.next, frame)
        self.player(following, "`turn`")
        if program.keeps_history:
            position = compared(program.form, before.planes, before.registers)
            draft.history = (*before.history, (position, before.side))
        for register in program.rules.registers:
            over = following != before.side or (register.lives == "move" and not by_chance)
            if register.lives != "game" and over:
                at = self.slots[register.name]
                end = at + register.slots(self.sides)
                draft.registers[at:end] = program.form.starts[at:end]
        if program.keeps_last and not by_chance:
            draft.registers[-2 if program.keeps_plies else -1] = before.side
        if program.keeps_plies and not (by_chance and program.rules.has_free_chance):
            draft.registers[-1] += 1
        draft.side = following

    def _finished(self, draft: Draft) -> State:
        form = self.program.form
        return State(
            tuple(draft.planes),
            draft.side,
            tuple(draft.registers),
            draft.history,
            form,
            draft.seats,
        )

    def _from_diagram(self, state: State, rows: tuple[str, ...]) -> State:
        planes = list(state.planes)
        for cells, row in zip(state.form.lines, rows, strict=True):
            for cell, symbol in zip(cells, row, strict=True):
                if symbol != state.form.empty:
                    planes[state.form.symbols.index(symbol)] |= 1 << cell
        return State(tuple(planes), 0, state.registers, (), state.form)
