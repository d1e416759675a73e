"""Kernel code for captures, threats and null moves of a state, from the tactics of a program."""

from dataclasses import replace

from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.move_list import target_in
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.language.ir.ops import make
from rulesengine.support.words import GROUPS


def is_capture(ctx: Context, at: Position, word: Value) -> Value:
    """Implement `SearchFunctions.captures` for the first word of a move's first step."""
    b, tactics = ctx.b, ctx.tactics
    if tactics is None:
        return b.f(False)
    group = b.op("iand", word, b.i(GROUPS))

    def is_onto_piece() -> Value:
        occupied = ctx.value(make("not", make("empty")), Environment(at, {}))
        return b.op("many", b.op("mand", occupied, b.op("mcell", target_in(ctx, word))))

    onto = b.choose(_is_in(ctx, group, tactics.onto), is_onto_piece, lambda: b.f(False))
    return b.op("for", _is_in(ctx, group, tactics.always), onto)


def is_threatened(ctx: Context, at: Position) -> Value:
    """Implement `SearchFunctions.threatened` for a state with a constant side to move."""
    if ctx.tactics is None or ctx.tactics.ban is None:
        return ctx.b.f(False)
    ban = ctx.rules.groups[ctx.tactics.banned].forbid or ctx.tactics.ban
    return ctx.value(ban, Environment(at, {"player": at.side}))


def risk(ctx: Context, at: Position, cell: Value) -> Value:
    """Implement `SearchFunctions.risk` for a state with a constant side to move."""
    if ctx.risk is None:
        return ctx.b.i(0)
    owner = ctx.b.op("isub", ctx.b.i(1), at.side)
    return ctx.value(ctx.risk, Environment(at, {"player": owner, "to": cell}))


def may_pass(ctx: Context, at: Position) -> Value:
    """Implement `SearchFunctions.may_pass` for a state with a constant side to move."""
    if ctx.null_moves is None:
        return ctx.b.f(False)
    return ctx.b.op("many", ctx.value(ctx.null_moves.pieces, Environment(at, {"player": at.side})))


def passed(ctx: Context, at: Position) -> Position:
    """Implement `SearchFunctions.passed`: the state after a null move."""
    if ctx.null_moves is None:
        return at
    b, registers = ctx.b, list(at.registers)
    for slot, number in ctx.null_moves.resets:
        registers[slot] = b.i(number)
    return replace(at, side=b.op("isub", b.i(1), at.side), registers=tuple(registers))


def _is_in(ctx: Context, group: Value, groups: int) -> Value:
    """Emit a flag that is true if a group is in a mask of groups."""
    b, flag = ctx.b, ctx.b.f(False)
    for number in range(len(ctx.rules.groups)):
        if groups >> number & 1:
            flag = b.op("for", flag, b.op("ieq", group, b.i(number)))
    return flag
