"""Choices of a round: the steps that players have chosen and that are not carried out yet.

See decision 161.
"""

from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.step_fields import Fields
from rulesengine.language.ir.rules import CHOSEN, CHOSEN_GROUP, Rules
from rulesengine.language.ir.steps import StepMaker
from rulesengine.notation.move_text import Writer
from rulesengine.state import Move, State, Step


class Rounds:
    """The choices in states of one game; `machine.derived(Rounds)` is the cached one."""

    def __init__(self, machine: Interpreter) -> None:
        self.program = machine.program
        self._machine = machine
        self._slots = dict(machine.program.slots)
        self._maker = StepMaker(machine.program.rules)
        self._writer = Writer(machine.program, Fields(machine.program).value)

    def chosen(self, state: State) -> tuple[tuple[int, Step], ...]:
        """Return the sides that have chosen in this round, in order, with their steps."""
        sides = range(len(self.program.rules.players) if CHOSEN_GROUP in self._slots else 0)
        steps = ((side, self._step(state, side)) for side in sides)
        return tuple((side, step) for side, step in steps if step is not None)

    def completed(self, before: State, move: Move) -> tuple[tuple[int, Step], ...]:
        """Return all steps of a round if a move is its last choice, else ()."""
        if not is_choice(self.program.rules, move.steps[0]) or self._machine.is_free(before):
            return ()
        return tuple(sorted((*self.chosen(before), (before.side, move.steps[0]))))

    def text(self, step: Step) -> str:
        """Return the notation of a choice."""
        return self._writer.text((step,), takes=False)

    def _step(self, state: State, side: int) -> Step | None:
        """Return the step that a side has chosen."""
        number = state.registers[self._slots[CHOSEN_GROUP] + side]
        if number < 0:
            return None
        group = self.program.rules.groups[number]
        direction = self._part("direction", state, side) if group.along is not None else -1
        origin = self._part("from", state, side) if group.origin is not None else -1
        target = self._part("to", state, side) if group.target is not None else -1
        choice = self._part(f"choice {group.choice[0].type}", state, side) if group.choice else -1
        return self._maker.step(number, direction, origin, target, choice)

    def _part(self, name: str, state: State, side: int) -> int:
        return state.registers[self._slots[f"{CHOSEN}{name}"] + side]


def is_choice(rules: Rules, step: Step) -> bool:
    """True if a step is chosen in a round, to be carried out after the last choice."""
    return rules.groups[step.group].name.startswith(CHOSEN)
