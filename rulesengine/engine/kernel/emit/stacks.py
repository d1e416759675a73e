"""Kernel code for stacks of pieces: upper pieces in planes, the others bit-sliced by level.

Effects on sets of cells shift the levels of all of them at once. See decision 163.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.draft import Draft, with_changes
from rulesengine.engine.kernel.emit.occupancy import content_of
from rulesengine.engine.kernel.emit.piece_effects import of_others
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.engine.kernel.emit.values import union
from rulesengine.language.ir.ops import Op
from rulesengine.state import StackForm


@dataclass(slots=True)
class Piles:
    """The stacks of a position: `planes` of the upper pieces, bits of the height.

    `levels[n]` has the bits of the codes of the pieces n + 1 places below the upper ones.
    """

    planes: list[Value]
    height: list[Value]
    levels: list[list[Value]]

    @classmethod
    def of(cls, ctx: Context, at: Position) -> "Piles":
        stacks = stack_form(ctx)
        height = at.registers[stacks.height.first : stacks.height.first + stacks.height.bits]
        levels = [list(at.registers[n.first : n.first + n.bits]) for n in stacks.levels]
        return cls(list(at.planes), list(height), levels)

    def values(self) -> list[Value]:
        return [*self.planes, *self.height, *(bit for level in self.levels for bit in level)]

    def holding(self, values: Sequence[Value]) -> "Piles":
        """Return stacks of the same form with other values."""
        rest = iter(values)
        planes, height = ([next(rest) for _ in part] for part in (self.planes, self.height))
        return Piles(planes, height, [[next(rest) for _ in level] for level in self.levels])

    def on(self, ctx: Context, at: Position) -> Position:
        """Return a position with these stacks; the contents of cells are no longer known."""
        stacks, registers = stack_form(ctx), list(at.registers)
        first = stacks.height.first
        bits = self.values()[len(self.planes) :]
        registers[first : first + len(bits)] = bits
        content: MappingProxyType[Value, int] = MappingProxyType({})
        return replace(at, planes=tuple(self.planes), registers=tuple(registers), content=content)


def lay(ctx: Context, op: Op, scene: Environment) -> Draft:
    """Put a piece on each of some cells, on top or under the stack there."""
    kind, side, cells = (ctx.value(arg, scene) for arg in op.args)
    b, at, piles = ctx.b, scene.at, Piles.of(ctx, scene.at)
    is_vacant = content_of(ctx, op.args[2], scene) == 1 << len(at.planes)
    is_under = isinstance(op.value, tuple) and op.value[0] == "under"
    chosen = _chosen_planes(ctx, kind, side, cells)
    if not is_vacant:
        occupied = b.op("mand", cells, union(ctx, piles.planes))
        _require(ctx, b.op("mand", _full(ctx, piles), cells))
        if is_under:
            _require(ctx, b.op("mand", occupied, union(ctx, not_coverable(ctx, chosen))))
            _lay_under(ctx, piles, occupied, codes_of(ctx, chosen))
            chosen = [b.op("mless", plane, occupied) for plane in chosen]
        else:
            _require(ctx, b.op("mand", occupied, union(ctx, not_coverable(ctx, piles.planes))))
            _shift_down(ctx, piles, occupied)
            piles.planes = [b.op("mless", plane, occupied) for plane in piles.planes]
    piles.planes = [b.op("mor", p, new) for p, new in zip(piles.planes, chosen, strict=True)]
    _grow(ctx, piles, cells, is_vacant)
    placed = with_changes(ctx, at, planes=list(piles.planes), placed=cells)
    return piles.on(ctx, placed)


def unstack(ctx: Context, op: Op, scene: Environment) -> Draft:
    """Remove so many upper pieces of each stack on some cells."""
    number, cells = (ctx.value(arg, scene) for arg in op.args)
    b, at, piles = ctx.b, scene.at, Piles.of(ctx, scene.at)
    some = b.op("ile", b.i(1), number)
    b.when(b.op("ilt", number, b.i(0)), b.fail)
    cells = b.op("pick", some, cells, b.m(0))
    mover, removed, captured = scene.variables["player"], b.m(0), b.m(0)
    for number_of, plane in zip(ctx.layout.planes, piles.planes, strict=True):
        taken = b.op("mand", plane, cells)
        removed = b.op("mor", removed, taken)
        captured = b.op("mor", captured, of_others(ctx, number_of, mover, taken))
    _take_off(ctx, piles, number, cells)
    planes = list(piles.planes)
    return piles.on(ctx, with_changes(ctx, at, planes=planes, removed=removed, captured=captured))


def op_below(ctx: Context, op: Op, scene: Environment) -> Value:
    """Return a value in the position without so many upper pieces of each stack."""
    number, piles = ctx.value(op.args[0], scene), Piles.of(ctx, scene.at)
    _take_off(ctx, piles, ctx.b.op("imax", number, ctx.b.i(0)), ctx.b.m(ctx.b.full))
    at = piles.on(ctx, scene.at)
    return ctx.value(op.args[1], Environment(at, scene.variables))


def stack_form(ctx: Context) -> StackForm:
    stacks = ctx.program.form.stacks
    assert stacks is not None
    return stacks


def _require(ctx: Context, none: Value) -> None:
    """Fail if there are cells at which an effect is impossible."""
    if none.constant != 0:
        ctx.b.when(ctx.b.op("many", none), ctx.b.fail)


def _chosen_planes(ctx: Context, kind: Value, side: Value, cells: Value) -> list[Value]:
    """Return the cells for each plane: all in the plane of the piece, else none."""
    b, planes, known = ctx.b, [], ctx.b.f(False)
    for number in ctx.layout.planes:
        k, owner = divmod(number, ctx.sides + 1)
        is_piece = b.op("fand", b.op("ieq", kind, b.i(k)), b.op("ieq", side, b.i(owner)))
        known = b.op("for", known, is_piece)
        planes.append(b.op("pick", is_piece, cells, b.m(0)))
    if known.constant != 1:
        b.when(b.op("fand", b.op("many", cells), b.op("fnot", known)), b.fail)
    return planes


def not_coverable(ctx: Context, planes: Sequence[Value]) -> list[Value]:
    """Return the planes of pieces on which no piece may be."""
    codes = stack_form(ctx).codes
    numbered = zip(ctx.layout.planes, planes, strict=True)
    return [plane for number, plane in numbered if number not in codes]


def codes_of(ctx: Context, planes: Sequence[Value]) -> list[Value]:
    """Return the bits of the codes of pieces in planes."""
    stacks, by_number = stack_form(ctx), dict(zip(ctx.layout.planes, planes, strict=True))
    bits = stacks.levels[0].bits if stacks.levels else 0
    numbered = list(enumerate(stacks.codes))
    return [
        union(ctx, [by_number[plane] for code, plane in numbered if code >> bit & 1])
        for bit in range(bits)
    ]


def planes_of(ctx: Context, codes: Sequence[Value], cells: Value) -> list[Value]:
    """Return the planes of pieces on cells from the bits of their codes."""
    stacks, planes = stack_form(ctx), dict[int, Value]()
    for code, plane in enumerate(stacks.codes):
        here = cells
        for bit, mask in enumerate(codes):
            here = ctx.b.op("mand" if code >> bit & 1 else "mless", here, mask)
        planes[plane] = here
    return [planes.get(number, ctx.b.m(0)) for number in ctx.layout.planes]


def _full(ctx: Context, piles: Piles) -> Value:
    """Return the cells with stacks of the greatest height."""
    return _with_height(ctx, piles, stack_form(ctx).height.high)


def _with_height(ctx: Context, piles: Piles, number: int) -> Value:
    cells = ctx.b.m(ctx.b.full)
    for i, plane in enumerate(piles.height):
        cells = ctx.b.op("mand" if number >> i & 1 else "mless", cells, plane)
    return cells


def _higher(ctx: Context, piles: Piles, number: int) -> Value:
    """Return the cells with more pieces than a number."""
    b, more, same = ctx.b, ctx.b.m(0), ctx.b.m(ctx.b.full)
    if number >> len(piles.height):
        return more
    for i in reversed(range(len(piles.height))):
        plane = piles.height[i]
        if number >> i & 1:
            same = b.op("mand", same, plane)
        else:
            more = b.op("mor", more, b.op("mand", same, plane))
            same = b.op("mless", same, plane)
    return more


def _grow(ctx: Context, piles: Piles, cells: Value, is_vacant: bool) -> None:
    """Add 1 to the heights of cells."""
    b, carried = ctx.b, cells
    for i, plane in enumerate(piles.height):
        piles.height[i] = b.op("mor" if is_vacant else "mxor", plane, carried)
        if is_vacant:
            return
        carried = b.op("mand", plane, carried)


def _shift_down(ctx: Context, piles: Piles, cells: Value) -> None:
    """Move all pieces of stacks down by a level, as a piece comes on top."""
    b = ctx.b
    above = codes_of(ctx, piles.planes)
    for level in piles.levels:
        before = list(level)
        for bit, mask in enumerate(before):
            moved = b.op("mand", above[bit], cells)
            level[bit] = b.op("mor", b.op("mless", mask, cells), moved)
        above = before


def _lay_under(ctx: Context, piles: Piles, cells: Value, codes: Sequence[Value]) -> None:
    """Set the lowest level of stacks to the codes of pieces that come under them."""
    for number, level in enumerate(piles.levels, start=1):
        here = ctx.b.op("mand", cells, _with_height(ctx, piles, number))
        for bit, mask in enumerate(level):
            level[bit] = ctx.b.op("mor", mask, ctx.b.op("mand", here, codes[bit]))


def _take_off(ctx: Context, piles: Piles, number: Value, cells: Value) -> None:
    """Take so many upper pieces off the stacks on cells; the number is 0 or more."""
    b, most = ctx.b, stack_form(ctx).height.high
    if number.constant is not None and number.constant >= most:
        for masks in (piles.planes, piles.height, *piles.levels):
            masks[:] = [b.op("mless", mask, cells) for mask in masks]
        return
    number = b.op("imin", number, b.i(most))
    for bit in range(most.bit_length()):
        is_set = b.op("ieq", b.op("iand", b.op("ishr", number, b.i(bit)), b.i(1)), b.i(1))
        if is_set.constant != 0:
            _take_constant(ctx, piles, 1 << bit, b.op("pick", is_set, cells, b.m(0)))


def _take_constant(ctx: Context, piles: Piles, number: int, cells: Value) -> None:
    """Take a constant number of upper pieces off the stacks on cells."""
    b, left = ctx.b, _higher(ctx, piles, number)
    zero = [b.m(0)] * (len(piles.levels[0]) if piles.levels else 0)
    below = piles.levels[number - 1] if number <= len(piles.levels) else zero
    shown = planes_of(ctx, below, b.op("mand", left, cells))
    pairs = zip(piles.planes, shown, strict=True)
    piles.planes = [b.op("mor", b.op("mless", old, cells), new) for old, new in pairs]
    for place, level in enumerate(piles.levels):
        source = piles.levels[place + number] if place + number < len(piles.levels) else zero
        for bit, mask in enumerate(level):
            moved = b.op("mand", source[bit], cells)
            level[bit] = b.op("mor", b.op("mless", mask, cells), moved)
    _shrink(ctx, piles, number, cells, left)


def _shrink(ctx: Context, piles: Piles, number: int, cells: Value, left: Value) -> None:
    """Subtract a number from the heights of cells, down to 0 where none are left."""
    b, borrowed = ctx.b, ctx.b.m(0)
    for i, plane in enumerate(piles.height):
        one = cells if number >> i & 1 else b.m(0)
        new = b.op("mxor", b.op("mxor", plane, one), borrowed)
        sure = b.op("mand", b.op("mand", plane, one), borrowed)
        lacking = b.op("mless", b.op("mor", one, borrowed), plane)
        borrowed = b.op("mor", lacking, sure)
        piles.height[i] = b.op("mless", new, b.op("mless", cells, left))
