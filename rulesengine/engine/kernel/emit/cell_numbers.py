"""Kernel code for numbers at cells, bit-sliced: bit i of all of them is one set of cells.

A query by value takes as many set operations as a number has bits, for any board size (the
"vertical counters" of bit-slice arithmetic). See decision 025.
"""

from dataclasses import replace

from rulesengine.engine.kernel.analysis.facts import inside
from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.cells import is_between
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.draft import Draft
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.language.ir.ops import Op
from rulesengine.state import CellNumbers


def op_number_at(ctx: Context, op: Op, scene: Environment) -> Value:
    cell = ctx.value(op.args[0], scene)
    if not ctx.is_on_board(cell):
        ctx.fail_unless(ctx.b.op("ile", ctx.b.i(0), cell))
    return number_of(ctx, _numbers(ctx, op), scene.at, cell)


def number_of(ctx: Context, numbers: CellNumbers, at: Position, cell: Value) -> Value:
    """Return the number at a cell."""
    b = ctx.b
    parts = [b.op("fint", b.op("mhas", plane, cell)) for plane in _planes(numbers, at)]
    return _weighed(ctx, numbers, parts, b.i(1))


def op_total(ctx: Context, op: Op, scene: Environment) -> Value:
    numbers, b = _numbers(ctx, op), ctx.b
    cells = ctx.value(op.args[0], scene)
    parts = [b.op("mcount", b.op("mand", cells, plane)) for plane in _planes(numbers, scene.at)]
    return _weighed(ctx, numbers, parts, b.op("mcount", cells))


def _weighed(ctx: Context, numbers: CellNumbers, parts: list[Value], times: Value) -> Value:
    """Return the sum of the parts, weighted by their bits, plus `times` the least number."""
    total = ctx.b.op("imul", ctx.b.i(numbers.low), times)
    for i, part in enumerate(parts):
        total = ctx.b.op("iadd", total, ctx.b.op("ishl", part, ctx.b.i(i)))
    return total


def op_cells_with(ctx: Context, op: Op, scene: Environment) -> Value:
    numbers, b = _numbers(ctx, op), ctx.b
    planes = _planes(numbers, scene.at)
    low, high = (ctx.value(arg, scene) for arg in op.args)
    if low == high and low.constant is not None:
        return _equal(ctx, planes, low.constant - numbers.low)
    # Clamp to one beyond the range on either side, which prevents overflow.
    least = b.op("isub", _clamped(ctx, numbers, low), b.i(numbers.low))
    past = b.op("isub", _clamped(ctx, numbers, high, -1), b.i(numbers.low - 1))
    return b.op("mless", _at_least(ctx, planes, least), _at_least(ctx, planes, past))


def _clamped(ctx: Context, numbers: CellNumbers, value: Value, below: int = 0) -> Value:
    """Clamp a number to the range, or to the next number on either side."""
    value = ctx.b.op("imax", value, ctx.b.i(numbers.low + below))
    return ctx.b.op("imin", value, ctx.b.i(numbers.high + 1 + below))


def _equal(ctx: Context, planes: tuple[Value, ...], number: int) -> Value:
    if not 0 <= number < 1 << len(planes):
        return ctx.b.m(0)
    matching = ctx.b.m(ctx.b.full)
    for i, plane in enumerate(planes):
        matching = ctx.b.op("mand" if number >> i & 1 else "mless", matching, plane)
    return matching


def _at_least(ctx: Context, planes: tuple[Value, ...], least: Value) -> Value:
    """Return the cells with at least a number, compared bit by bit from the highest."""
    b = ctx.b
    greater, same = b.m(0), b.m(b.full)
    for i in range(len(planes), -1, -1):
        plane = planes[i] if i < len(planes) else b.m(0)
        is_set = b.op("ieq", b.op("iand", b.op("ishr", least, b.i(i)), b.i(1)), b.i(1))
        more = b.op("mand", same, plane)
        greater = b.op("pick", is_set, greater, b.op("mor", greater, more))
        same = b.op("pick", is_set, more, b.op("mless", same, plane))
    return b.op("mor", greater, same)


def set_at(ctx: Context, op: Op, scene: Environment) -> Draft:
    """Emit the effect that sets all cells of a set to one number."""
    numbers, b, at = _numbers(ctx, op), ctx.b, scene.at
    value, cells = (ctx.value(arg, scene) for arg in op.args)
    if not inside(ctx.facts.range(op.args[0]), (numbers.low, numbers.high)):
        fits = is_between(ctx, value, numbers.low, numbers.high)
        b.when(b.op("fand", b.op("many", cells), b.op("fnot", fits)), b.fail)
    value = b.op("isub", value, b.i(numbers.low))
    registers = list(at.registers)
    for i, plane in enumerate(_planes(numbers, at)):
        is_set = b.op("ieq", b.op("iand", b.op("ishr", value, b.i(i)), b.i(1)), b.i(1))
        one, none = b.op("mor", plane, cells), b.op("mless", plane, cells)
        registers[numbers.first + i] = b.op("pick", is_set, one, none)
    return replace(at, registers=tuple(registers))


def _numbers(ctx: Context, op: Op) -> CellNumbers:
    name = op.value[0] if isinstance(op.value, tuple) else op.value
    return next(n for n in ctx.program.form.numbers if n.name == name)


def _planes(numbers: CellNumbers, at: Position) -> tuple[Value, ...]:
    return at.registers[numbers.first : numbers.first + numbers.bits]
