"""A trace of a move, effect by effect: its inputs, its changes, and the position after it."""

from collections.abc import Iterator
from types import MappingProxyType

from rulesengine.engine.interpreter.frame import Draft, Frame
from rulesengine.engine.interpreter.machine import Interpreter
from rulesengine.language.ir.ops import Op, Type, bound, is_loop
from rulesengine.language.ir.roles import domain_type, has_role, reads_variable
from rulesengine.language.ir.rules import BY_CHANCE
from rulesengine.state import Record, State, Step
from rulesengine.support.frozen import record

# The type of the variable of a loop, by its domain.
_TYPES: MappingProxyType[str, Type] = MappingProxyType(
    {
        "cells": "cell",
        "track": "cell",
        "groups": "cells",
        "directions": "direction",
        "sides": "side",
        "numbers": "number",
    }
)


@record
class Binding:
    """A variable, its type and its value."""

    name: str
    type: Type
    value: int


@record
class Change:
    """A change of a move.

    - `step` is the index of the step within the move.
    - `group` is the number of its group, -1 for the effects after every move.
    - `effect` is None for the step itself and for the end of the turn.
    - `tests` are the conditions around the effect, with their values.
    - `variables` are those bound by the loops around the effect.
    - `sets` are the sets of cells that the effect reads, evaluated before it.
    - `before` and `after` are the positions around the change.
    - `record` has the additions to the record of the move.
    """

    step: int
    group: int
    effect: Op | None
    tests: tuple[tuple[Op, bool], ...]
    variables: tuple[Binding, ...]
    sets: tuple[tuple[Op, int], ...]
    before: State
    after: State
    record: Record


def trace(machine: Interpreter, state: State, steps: tuple[Step, ...]) -> tuple[Change, ...]:
    """Return the changes of a move in order; the last one is the end of the turn."""
    return tuple(_changes(machine, state, steps))


def _changes(machine: Interpreter, state: State, steps: tuple[Step, ...]) -> Iterator[Change]:
    draft = Draft.of(state)
    frame = Frame(draft, {"player": state.side})
    for number, step in enumerate(steps):
        yield _first(machine, step, number, frame)
        for effect in machine.program.rules.groups[step.group].effects:
            yield from _one(machine, effect, (number, step.group), frame)
    for effect in machine.program.rules.effects:
        yield from _one(machine, effect, (len(steps) - 1, -1), frame)
    yield _last(machine, state, steps, frame)


def _first(machine: Interpreter, step: Step, number: int, frame: Frame) -> Change:
    """Apply the step itself and return its change."""
    before, record_before = _snapshot(machine, frame)
    machine.executor.begin(step, frame)
    after, record_after = _snapshot(machine, frame)
    gained = _gained(record_before, record_after)
    return Change(number, step.group, None, (), (), (), before, after, gained)


def _one(
    machine: Interpreter,
    effect: Op,
    place: tuple[int, int],
    frame: Frame,
    tests: tuple[tuple[Op, bool], ...] = (),
    variables: tuple[Binding, ...] = (),
) -> Iterator[Change]:
    """Execute an effect and yield its change, or those of the effects inside it."""
    if any(a.type == "effect" for a in effect.args):
        if has_role(effect, "selection") and not reads_variable(effect.args[0], BY_CHANCE):
            tests = (*tests, (effect.args[0], bool(machine.evaluate_in(effect.args[0], frame))))
        for inner, at in machine.effects.inside(effect, frame):
            now = (*variables, *_bound(effect, at))
            yield from _one(machine, inner, place, at, tests, now)
        return
    if has_role(effect, "assertion"):
        machine.effects.execute(effect, frame)
        return
    sets = tuple((a, machine.evaluate_in(a, frame)) for a in effect.args if a.type == "cells")
    before, record_before = _snapshot(machine, frame)
    machine.effects.execute(effect, frame)
    after, record_after = _snapshot(machine, frame)
    gained = _gained(record_before, record_after)
    yield Change(*place, effect, tests, variables, sets, before, after, gained)


def _bound(effect: Op, frame: Frame) -> tuple[Binding, ...]:
    """Return the variable that an effect binds for the effects inside it."""
    name = bound(effect)
    if not name:
        return ()
    assert isinstance(effect.value, tuple)
    type = _TYPES[domain_type(effect)] if is_loop(effect) else effect.args[0].type
    return (Binding(name, type, frame.variables[name]),)


def _last(machine: Interpreter, state: State, steps: tuple[Step, ...], frame: Frame) -> Change:
    """Return the change at the end of the turn: the next side, and registers that are reset."""
    before, _ = _snapshot(machine, frame)
    return Change(len(steps), -1, None, (), (), (), before, machine.apply(state, steps), Record())


def _snapshot(machine: Interpreter, frame: Frame) -> tuple[State, Record]:
    """Return the current position and the record so far."""
    draft = frame.at
    assert isinstance(draft, Draft)
    return machine.finished(draft), draft.record()


def _gained(before: Record, after: Record) -> Record:
    """Return the additions to a record."""
    return Record(
        after.placed & ~before.placed,
        after.moved & ~before.moved,
        after.flipped & ~before.flipped,
        after.removed & ~before.removed,
        after.captured & ~before.captured,
    )
