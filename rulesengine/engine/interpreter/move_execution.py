"""Application of moves: steps, effects, the end of the turn, and the initial state."""

from rulesengine.engine.interpreter.effects import EffectExecutor
from rulesengine.engine.interpreter.evaluator import Evaluator
from rulesengine.engine.interpreter.frame import Draft, Frame
from rulesengine.language.ir.rules import BY_CHANCE
from rulesengine.language.ir.stack_text import read_columns
from rulesengine.state import Record, State, Step, compared

Steps = tuple[Step, ...]


class MoveExecutor:
    """Applies moves to states, and steps to drafts."""

    def __init__(self, evaluator: Evaluator, effects: EffectExecutor) -> None:
        self.program = evaluator.program
        self.effects = effects
        self.evaluate = evaluator.evaluate
        self._evaluator = evaluator
        self._groups = evaluator.program.rules.groups

    def initial_state(self) -> State:
        """Return the state before the first move."""
        rules, form = self.program.rules, self.program.form
        planes = (0,) * len(form.symbols)
        state = State(planes, 0, form.starts, (), form)
        if rules.diagram and form.stacks:
            return self._from_stacks(state, rules.diagram)
        if rules.diagram:
            return self._from_diagram(state, rules.diagram)
        draft = Draft.of(state)
        frame = Frame(draft, {"player": 0})
        for effect in rules.start:
            self.effects.execute(effect, frame)
        return self.finished(draft)

    def apply(self, state: State, steps: Steps) -> State:
        """Return the state after a move."""
        return self.play(state, steps, state.side)[0]

    def play(self, at: State | Draft, steps: Steps, side: int) -> tuple[State, Record]:
        """Return the state after steps by a side, and the record of their changes."""
        draft = Draft.of(at)
        frame = Frame(draft, {"player": side})
        for step in steps:
            self.carry_out(step, frame)
        for effect in self.program.rules.effects:
            self.effects.execute(effect, frame)
        record = draft.record()
        self._end_turn(at, draft, frame)
        return self.finished(draft), record

    def carry_out(self, step: Step, frame: Frame) -> None:
        """Apply a step with its effects to the draft of a frame."""
        self.begin(step, frame)
        for effect in self._groups[step.group].effects:
            self.effects.execute(effect, frame)

    def begin(self, step: Step, frame: Frame) -> None:
        """Bind the variables of a step and place or move its piece, before its effects."""
        group = self._groups[step.group]
        frame.variables |= {"direction": step.direction, "from": step.origin, "to": step.target}
        frame.variables |= {"choice": step.choice, BY_CHANCE: int(group.weight is not None)}
        if group.kind == "place" and group.piece and group.side:
            kind, side = self.evaluate(group.piece, frame), self.evaluate(group.side, frame)
            self.effects.put(frame, kind, side, 1 << step.target)
        elif group.kind == "move":
            self.effects.carry(frame, step.origin, step.target)
        elif group.kind == "swap":
            self._swap(frame)

    def finished(self, draft: Draft) -> State:
        """Return the state of a draft."""
        form = self.program.form
        return State(
            tuple(draft.planes),
            draft.side,
            tuple(draft.registers),
            draft.history,
            form,
            draft.seats,
        )

    def _swap(self, frame: Frame) -> None:
        """Exchange the sides of the two players; original seats are ()."""
        draft = frame.at
        assert isinstance(draft, Draft)
        draft.seats = () if draft.seats else (1, 0)

    def _end_turn(self, before: State | Draft, draft: Draft, frame: Frame) -> None:
        """Update registers, history and the side to move after the last effect."""
        program, by_chance = self.program, frame.variables[BY_CHANCE]
        waits = self._waits(frame)
        swapped = draft.seats != before.seats
        following = before.side if swapped else self.evaluate(program.rules.next, frame)
        self._evaluator.player(following, "`turn`")
        if program.keeps_history:
            position = compared(program.form, before.planes, before.registers)
            draft.history = (*before.history, (position, before.side))
        for register in program.rules.registers:
            over = following != before.side or (register.lives == "move" and not by_chance)
            if register.lives != "game" and over and not waits:
                at = self._evaluator.slots[register.name]
                end = at + register.slots(self._evaluator.sides)
                draft.registers[at:end] = program.form.starts[at:end]
        if program.keeps_last and not (by_chance or waits):
            draft.registers[-2 if program.keeps_plies else -1] = before.side
        if program.keeps_plies and not (waits or (by_chance and program.rules.has_free_chance)):
            draft.registers[-1] += 1
        draft.side = following

    def _waits(self, frame: Frame) -> bool:
        """True if a move was a choice that is not carried out yet: the round goes on."""
        together = self.program.rules.together
        return bool(together and together.pending and self.evaluate(together.pending, frame))

    def _from_diagram(self, state: State, rows: tuple[str, ...]) -> State:
        planes = list(state.planes)
        for cells, row in zip(state.form.lines, rows, strict=True):
            for cell, symbol in zip(cells, row, strict=True):
                if symbol != state.form.empty:
                    planes[state.form.symbols.index(symbol)] |= 1 << cell
        return State(tuple(planes), 0, state.registers, (), state.form)

    def _from_stacks(self, state: State, rows: tuple[str, ...]) -> State:
        """Return the state of a drawing with stacks."""
        planes, registers, stacks = list(state.planes), list(state.registers), state.form.stacks
        assert stacks is not None
        for cell, column in read_columns(state.form, rows):
            planes[column[-1]] |= 1 << cell
            stacks.write(registers, cell, column)
        return State(tuple(planes), 0, tuple(registers), (), state.form)
