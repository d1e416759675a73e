"""A move effect by effect: what each reads, what it changes, and the position after it."""

from collections.abc import Iterator
from types import MappingProxyType

from rulesengine.engine.interpreter.frame import Draft, Frame
from rulesengine.engine.interpreter.machine import Interpreter
from rulesengine.language.ir.ops import Op, Type, bound, reads
from rulesengine.language.ir.rules import BY_CHANCE
from rulesengine.state import Record, State, Step
from rulesengine.support.frozen import record

# What the variable of a loop is, by its domain.
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
class Bound:
    """A variable, its type and its value."""

    name: str
    type: Type
    value: int


@record
class Change:
    """One thing that a move does.

    `step` counts the steps of the move, `group` is the number of its group, -1 for what follows
    every move. `effect` is None for the step itself and the end of the turn. `tests` are the
    conditions around the effect with their values, `variables` what the loops around it have
    bound, `sets` the sets of cells that it reads, worked out before it. `record` holds what it
    adds to the record of the move.
    """

    step: int
    group: int
    effect: Op | None
    tests: tuple[tuple[Op, bool], ...]
    variables: tuple[Bound, ...]
    sets: tuple[tuple[Op, int], ...]
    before: State
    after: State
    record: Record


def trace(machine: Interpreter, state: State, steps: tuple[Step, ...]) -> tuple[Change, ...]:
    """What a move does, in order; the last change is the end of the turn."""
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
    """The piece that a step puts or carries."""
    before, record_before = _seen(machine, frame)
    machine.begin(step, frame)
    after, record_after = _seen(machine, frame)
    gained = _gained(record_before, record_after)
    return Change(number, step.group, None, (), (), (), before, after, gained)


def _one(
    machine: Interpreter,
    effect: Op,
    place: tuple[int, int],
    frame: Frame,
    tests: tuple[tuple[Op, bool], ...] = (),
    variables: tuple[Bound, ...] = (),
) -> Iterator[Change]:
    """An effect, or those that it is made of as it turns out."""
    if any(a.type == "effect" for a in effect.args):
        if effect.name == "when" and not reads(effect.args[0], "variable", BY_CHANCE):
            tests = (*tests, (effect.args[0], bool(machine.ask(effect.args[0], frame))))
        for inner, at in machine.inside(effect, frame):
            now = (*variables, *_bound(effect, at))
            yield from _one(machine, inner, place, at, tests, now)
        return
    if effect.name == "ensure":
        machine.effect(effect, frame)
        return
    sets = tuple((a, machine.ask(a, frame)) for a in effect.args if a.type == "cells")
    before, record_before = _seen(machine, frame)
    machine.effect(effect, frame)
    after, record_after = _seen(machine, frame)
    gained = _gained(record_before, record_after)
    yield Change(*place, effect, tests, variables, sets, before, after, gained)


def _bound(effect: Op, frame: Frame) -> tuple[Bound, ...]:
    """The variable that an effect binds for those that it is made of."""
    name = bound(effect)
    if not name:
        return ()
    assert isinstance(effect.value, tuple)
    type = effect.args[0].type if effect.name == "bind" else _TYPES[effect.value[2]]
    return (Bound(name, type, frame.variables[name]),)


def _last(machine: Interpreter, state: State, steps: tuple[Step, ...], frame: Frame) -> Change:
    """The end of the turn: the next side, and registers that go back to their start."""
    before, _ = _seen(machine, frame)
    return Change(len(steps), -1, None, (), (), (), before, machine.apply(state, steps), Record())


def _seen(machine: Interpreter, frame: Frame) -> tuple[State, Record]:
    """The position now, and the record so far."""
    draft = frame.at
    assert isinstance(draft, Draft)
    return machine._finished(draft), draft.record()


def _gained(before: Record, after: Record) -> Record:
    """What is new in a record."""
    return Record(
        after.placed & ~before.placed,
        after.moved & ~before.moved,
        after.flipped & ~before.flipped,
        after.removed & ~before.removed,
        after.captured & ~before.captured,
    )
