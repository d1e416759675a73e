"""Kernel code for values of a state, a function for each operation; see the interpreter."""

from collections.abc import Callable, Sequence
from types import MappingProxyType

from rulesengine.engine.kernel.code.form import Type, Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.language.ir.ops import Op

_PLAIN = MappingProxyType({"number": "i", "flag": "f", "cells": "m"})


def type_of(op: Op) -> Type:
    return _PLAIN.get(op.type, "i")  # type: ignore[return-value]


def op_literal(ctx: Context, op: Op, scene: Environment) -> Value:
    if isinstance(op.value, str):
        return ctx.b.i(ctx.text_number(op.value))
    assert isinstance(op.value, int)
    return ctx.b.const(type_of(op), op.value)


def op_variable(ctx: Context, op: Op, scene: Environment) -> Value:
    if op.value not in scene.variables:
        raise Unsupported(f"`{op.value}` has no value there")
    value = scene.variables[str(op.value)]
    return _as_type(ctx, op, value) if value.type == "i" else value


def op_mover(ctx: Context, op: Op, scene: Environment) -> Value:
    return scene.at.side


def op_empty(ctx: Context, op: Op, scene: Environment) -> Value:
    return ctx.b.op("mnot", union(ctx, scene.at.planes))


def union(ctx: Context, masks: Sequence[Value]) -> Value:
    result = ctx.b.m(0)
    for mask in masks:
        result = ctx.b.op("mor", result, mask)
    return result


def op_owned(ctx: Context, op: Op, scene: Environment) -> Value:
    return owned(ctx, scene.at, ctx.value(op.args[0], scene))


def owned(ctx: Context, at: Position, side: Value) -> Value:
    """Return the cells with pieces of a side; a side out of range owns none."""
    by_owner = [_planes_of(ctx, at, owner) for owner in range(ctx.sides + 1)]
    known = side.constant
    if known is not None:
        return by_owner[known] if 0 <= known <= ctx.sides else ctx.b.m(0)
    return _pick(ctx, side, by_owner, ctx.b.m(0))


def _planes_of(ctx: Context, at: Position, owner: int) -> Value:
    planes = zip(ctx.layout.planes, at.planes, strict=True)
    return union(ctx, [mask for number, mask in planes if number % (ctx.sides + 1) == owner])


def _pick(ctx: Context, index: Value, values: Sequence[Value], other: Value) -> Value:
    """Return the value of an index, `other` if it is out of range."""
    result = other
    for i, value in enumerate(values):
        result = ctx.b.op("pick", ctx.b.op("ieq", index, ctx.b.i(i)), value, result)
    return result


def op_of_kind(ctx: Context, op: Op, scene: Environment) -> Value:
    kind = ctx.value(op.args[0], scene)
    by_kind = []
    for k in range(len(ctx.rules.kinds)):
        planes = zip(ctx.layout.planes, scene.at.planes, strict=True)
        by_kind.append(union(ctx, [m for n, m in planes if n // (ctx.sides + 1) == k]))
    if kind.constant is not None:
        return by_kind[kind.constant] if kind.constant >= 0 else ctx.b.m(0)
    return _pick(ctx, kind, by_kind, ctx.b.m(0))


def op_register(ctx: Context, op: Op, scene: Environment) -> Value:
    slot = ctx.slots[str(op.value)]
    values = scene.at.registers[slot:]
    if not op.args:
        return _as_type(ctx, op, values[0])
    side = checked_player(ctx, ctx.value(op.args[0], scene))
    if side.constant is not None:
        return _as_type(ctx, op, scene.at.registers[slot + side.constant])
    return _as_type(ctx, op, _pick(ctx, side, values[: ctx.sides - 1], values[ctx.sides - 1]))


def _as_type(ctx: Context, op: Op, value: Value) -> Value:
    return ctx.b.op("ieq", value, ctx.b.i(1)) if op.type == "flag" else value


def op_owner(ctx: Context, op: Op, scene: Environment) -> Value:
    def owner(plane: int) -> int:
        side = plane % (ctx.sides + 1)
        return -1 if side == ctx.sides else side

    return _content(ctx, op.args[0], scene, owner)


def op_kind_at(ctx: Context, op: Op, scene: Environment) -> Value:
    return _content(ctx, op.args[0], scene, lambda plane: plane // (ctx.sides + 1))


def _content(
    ctx: Context, cell: Op, scene: Environment, property_of: Callable[[int], int]
) -> Value:
    """Return a property of the plane of the piece on a cell, -1 without a piece."""
    at = ctx.value(cell, scene)
    mask = ctx.b.op("mcell", at)
    result = ctx.b.i(-1)
    for plane, cells in zip(ctx.layout.planes, scene.at.planes, strict=True):
        on = ctx.b.op("many", ctx.b.op("mand", cells, mask))
        result = ctx.b.op("pick", on, ctx.b.i(property_of(plane)), result)
    return result


def op_plies(ctx: Context, op: Op, scene: Environment) -> Value:
    return scene.at.registers[-1]


def op_repeats(ctx: Context, op: Op, scene: Environment) -> Value:
    return _query_history(ctx, scene, str(op.value))


def op_age(ctx: Context, op: Op, scene: Environment) -> Value:
    return _query_history(ctx, scene, "age")


def _query_history(ctx: Context, scene: Environment, quantity: str) -> Value:
    history = scene.at.history
    assert history is not None
    side = () if quantity == "board" else (position_word(ctx, scene.at),)
    return ctx.b.result("recall", "i", history, *side, *scene.at.planes, detail=quantity)


def position_word(ctx: Context, at: Position) -> Value:
    """Return the side to move and the compared registers, hashed into one non-negative word.

    Without such registers it is the side alone, as in `drivers.history`.
    """
    slots = ctx.program.form.compared
    if not slots:
        return at.side
    b = ctx.b
    word = b.op("ufold", b.op("ubits", b.i(0)), at.side)
    for slot in slots:
        value = at.registers[slot]
        word = b.op("ufoldm" if value.type == "m" else "ufold", word, value)
    return b.op("usign", b.op("ushr", word, b.i(1)))


def op_next(ctx: Context, op: Op, scene: Environment) -> Value:
    return next_side(ctx, checked_player(ctx, ctx.value(op.args[0], scene)))


def checked_player(ctx: Context, side: Value) -> Value:
    """Return a side that must be a player; fail for no player."""
    if side.constant is None:
        inside = ctx.b.op("ile", ctx.b.i(0), side)
        last = ctx.b.i(ctx.sides - 1)
        ctx.fail_unless(ctx.b.op("fand", inside, ctx.b.op("ile", side, last)))
    elif not 0 <= side.constant < ctx.sides:
        ctx.b.fail()
        return ctx.b.i(0)
    return side


def next_side(ctx: Context, side: Value, steps: int = 1) -> Value:
    """Return the side a number of places further in the order of play."""
    if side.constant is not None:
        return ctx.b.i((side.constant + steps) % ctx.sides)
    if ctx.sides == 2 and steps == 1:
        return ctx.b.op("isub", ctx.b.i(1), side)
    on = ctx.b.op("iadd", side, ctx.b.i(steps))
    past = ctx.b.op("ile", ctx.b.i(ctx.sides), on)
    return ctx.b.op("pick", past, ctx.b.op("isub", on, ctx.b.i(ctx.sides)), on)


def op_by_side(ctx: Context, op: Op, scene: Environment) -> Value:
    side = ctx.value(op.args[0], scene)
    values = op.args[1:]
    other = values[-1] if len(values) > ctx.sides else None
    return case_value(
        ctx,
        side,
        [lambda v=v: ctx.value(v, scene) for v in values[: ctx.sides]],  # type: ignore[misc]
        (lambda: ctx.value(other, scene)) if other else None,
        type_of(op),
    )


def op_by_kind(ctx: Context, op: Op, scene: Environment) -> Value:
    kind, count = ctx.value(op.args[0], scene), len(ctx.rules.kinds)
    cases = [lambda v=v: ctx.value(v, scene) for v in op.args[1:]]
    other = cases[count] if len(cases) > count else None
    return case_value(ctx, kind, cases[:count], other, type_of(op))


def op_before(ctx: Context, op: Op, scene: Environment) -> Value:
    before = scene.at.before
    if before is None:
        raise Unsupported("`before` in a move of several steps")
    return ctx.value(op.args[0], Environment(before, scene.variables))


def op_chosen(ctx: Context, op: Op, scene: Environment) -> Value:
    place = ctx.value(op.args[0], scene)
    *cases, last = [lambda v=v: ctx.value(v, scene) for v in op.args[1:]]
    return case_value(ctx, place, cases, last, type_of(op))


def case_value(
    ctx: Context,
    index: Value,
    cases: Sequence[Callable[[], Value]],
    other: Callable[[], Value] | None,
    type: Type,
) -> Value:
    """Return the value of the case of an index; without `other`, fail out of range."""
    if index.constant is not None and 0 <= index.constant < len(cases):
        return cases[index.constant]()

    def failed() -> Value:
        ctx.b.fail()
        return ctx.b.const(type, 0)

    def chain(i: int) -> Value:
        if i == len(cases):
            return (other or failed)()
        flag = ctx.b.op("ieq", index, ctx.b.i(i))
        return ctx.b.choose(flag, cases[i], lambda: chain(i + 1))

    return chain(0)
