"""Pieces in hand: registers that count the pieces of a kind that a side may place.

They are found by the rules alone. With one more in a register, a side may place a piece of a kind;
the move takes the one away again. See decision 159.
"""

from collections.abc import Iterator

from rulesengine.engine.evaluation.material import Material, planes_of, without_bans
from rulesengine.engine.interpreter import Interpreter
from rulesengine.errors import EvaluationError
from rulesengine.language.ir.ops import Op, literal, make
from rulesengine.state import State, Step
from rulesengine.support.frozen import replace


def reserve_terms(machine: Interpreter, material: Material) -> Iterator[Op]:
    """Yield the value of the pieces in hand of `player`, by register."""
    player = make("variable", value="player", type="side")
    for name, kind in reserves(machine):
        number = make("register", player, value=name, type="number")
        yield make("multiply", number, literal("number", material.values[kind]), value=0)


def reserves(machine: Interpreter) -> Iterator[tuple[str, int]]:
    """Yield the registers that count pieces in hand, each with the kind that it counts."""
    program = machine.program
    rules, sides = program.rules, len(program.rules.players)
    if not any(group.kind == "place" for group in rules.groups):
        return
    free, slots = without_bans(program), dict(program.slots)
    start = machine.initial_state()
    bare = replace(start, planes=(0,) * len(start.planes), history=())
    for register in rules.registers:
        if register.type == "number" and register.each == "player" and register.name in slots:
            kinds = {
                _placed(free, bare, slots[register.name] + side, side) for side in range(sides)
            }
            if len(kinds) == 1 and -1 not in kinds:
                yield register.name, kinds.pop()


def _placed(machine: Interpreter, bare: State, slot: int, side: int) -> int:
    """Return the kind that a side may place with one more in a register; -1 if none is certain."""
    less = replace(bare, side=side)
    registers = tuple(number + (at == slot) for at, number in enumerate(bare.registers))
    more = replace(less, registers=registers)
    before, kinds = set(_placements(machine, less)), set[int]()
    for step in _placements(machine, more):
        if step not in before:
            try:
                after = machine.apply(more, (step,))
            except EvaluationError:
                return -1
            if after.registers[slot] != less.registers[slot]:
                return -1
            kinds.add(_kind_on(machine, after, step.target, side))
    return kinds.pop() if len(kinds) == 1 else -1


def _placements(machine: Interpreter, state: State) -> Iterator[Step]:
    """Yield the placements of a position; a group whose rules fail has no further ones."""
    for tier in machine.program.rules.tiers:
        for group in tier:
            if group.kind == "place":
                try:
                    yield from machine.tier(state, state.side, (group,))
                except EvaluationError:
                    continue


def _kind_on(machine: Interpreter, state: State, cell: int, side: int) -> int:
    """Return the kind of the piece of a side on a cell; -1 if there is none."""
    kinds = range(len(machine.program.rules.kinds))
    on_cell = (k for k in kinds if state.planes[planes_of(machine.program, k)[side]] >> cell & 1)
    return next(on_cell, -1)
