"""Kernel code that carries pieces from a stack to others.

It gathers the levels of two cells into words, shifts these and scatters them again.
"""

from collections.abc import Sequence

from rulesengine.engine.kernel.code.form import Table, Type, Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.draft import Draft, with_changes
from rulesengine.engine.kernel.emit.stacks import (
    Piles,
    codes_of,
    not_coverable,
    planes_of,
    stack_form,
)
from rulesengine.engine.kernel.emit.state_values import Environment
from rulesengine.engine.kernel.emit.values import union
from rulesengine.language.ir.ops import Op

_CELLS: Type = "m"
_NUMBER: Type = "i"
_FLAG: Type = "f"


def carry_stack(ctx: Context, op: Op, scene: Environment) -> Draft:
    """Carry so many upper pieces of a cell onto the stack on another cell, or under it."""
    number, origin, target = (ctx.value(arg, scene) for arg in op.args)
    for cell in (origin, target):
        if not ctx.is_on_board(cell):
            ctx.fail_unless(ctx.b.op("ile", ctx.b.i(0), cell))
    is_under = isinstance(op.value, tuple) and op.value[0] == "under"
    name = _carrier(ctx, is_under)
    piles = Piles.of(ctx, scene.at)
    *values, moved, right = ctx.b.call(name, *piles.values(), number, origin, target)
    ctx.fail_unless(right)
    piles = piles.holding(values)
    return piles.on(ctx, with_changes(ctx, scene.at, planes=list(piles.planes), moved=moved))


def sow(ctx: Context, op: Op, scene: Environment) -> Draft:
    """Carry pieces in a direction and lay some on each cell, by the digits of a number."""
    pattern, origin, direction = (ctx.value(arg, scene) for arg in op.args)
    piles = Piles.of(ctx, scene.at)
    *values, moved, right = ctx.b.call(_sower(ctx), *piles.values(), pattern, origin, direction)
    ctx.fail_unless(right)
    piles = piles.holding(values)
    return piles.on(ctx, with_changes(ctx, scene.at, planes=list(piles.planes), moved=moved))


def _types(ctx: Context) -> tuple[Type, ...]:
    stacks = stack_form(ctx)
    bits = stacks.height.bits + sum(level.bits for level in stacks.levels)
    return (_CELLS,) * (len(ctx.layout.planes) + bits)


def _form_of(ctx: Context, values: Sequence[Value]) -> Piles:
    """Return the stacks of the parameters of a function."""
    stacks, count = stack_form(ctx), len(ctx.layout.planes)
    planes, rest = list(values[:count]), iter(values[count:])
    height = [next(rest) for _ in range(stacks.height.bits)]
    levels = [[next(rest) for _ in range(level.bits)] for level in stacks.levels]
    return Piles(planes, height, levels)


def _carrier(ctx: Context, is_under: bool) -> str:
    """Return the name of the function that carries pieces from a cell to another.

    It returns the stacks, the target if pieces have moved, and a flag, true if all is possible.
    """
    name = "carry_under" if is_under else "carry_onto"
    if name in ctx.b.module.functions:
        return name
    types = (*_types(ctx), _NUMBER, _NUMBER, _NUMBER)
    results = (*_types(ctx), _CELLS, _FLAG)
    with ctx.b.function(name, types, results, pure=True) as values:
        *state, number, origin, target = values
        piles = _form_of(ctx, state)
        right = _CarryEmitter(ctx, piles, number, origin, target, is_under).emit()
        ctx.b.emit_return(*piles.values(), *right)
    return name


class _CarryEmitter:
    """The code that carries pieces between two cells; it changes `piles`."""

    def __init__(
        self,
        ctx: Context,
        piles: Piles,
        number: Value,
        origin: Value,
        target: Value,
        is_under: bool,
    ) -> None:
        self.ctx, self.b, self.piles, self.is_under = ctx, ctx.b, piles, is_under
        b = self.b
        self.heights = [self._height(cell) for cell in (origin, target)]
        self.number = b.op("imin", b.op("imax", number, b.i(0)), self.heights[0])
        self.wrong = b.op("ilt", number, b.i(0))
        moves = b.op(
            "fand", b.op("ilt", b.i(0), self.number), b.op("fnot", b.op("ieq", origin, target))
        )
        self.number = b.op("pick", moves, self.number, b.i(0))
        self.start = b.op("pick", moves, b.op("mcell", origin), b.m(0))
        self.end = b.op("pick", moves, b.op("mcell", target), b.m(0))
        self.cells = (origin, target)

    def emit(self) -> tuple[Value, Value]:
        """Emit the changes; return the target if pieces move, and a flag: all is possible."""
        b, piles = self.b, self.piles
        from_height, to_height = self.heights
        has_pieces = b.op("ilt", b.i(0), to_height)
        left = b.op("isub", from_height, self.number)
        total = b.op("iadd", to_height, self.number)
        words, onto = (self._words(cell) for cell in self.cells)
        self._check(has_pieces, total)
        rest = [b.op("ishr", word, self.number) for word in words]
        pairs = zip(words, onto, strict=True)
        joined = [self._joined(word, other, to_height) for word, other in pairs]
        self._set_planes(rest, left, has_pieces)
        self._set_heights(left, total)
        for place, level in enumerate(piles.levels):
            for bit, mask in enumerate(level):
                level[bit] = self._placed(mask, rest[bit], joined[bit], place + 1)
        return self.end, b.op("fnot", self.wrong)

    def _joined(self, word: Value, onto: Value, height: Value) -> Value:
        """Return the codes of the new stack on the target."""
        b = self.b
        low = b.op("isub", b.op("ishl", b.i(1), self.number), b.i(1))
        lifted = b.op("iand", word, low)
        if self.is_under:
            return b.op("ior", onto, b.op("ishl", lifted, height))
        # The new height is 62 at most where this is possible.
        return b.op("ior", b.op("ishl", onto, self.number), lifted)

    def _check(self, has_pieces: Value, total: Value) -> None:
        """Note that a stack becomes too high, or that a piece cannot be covered."""
        b, ctx = self.b, self.ctx
        planes = union(ctx, not_coverable(ctx, self.piles.planes))
        covered = b.op("mand", planes, self.start if self.is_under else self.end)
        wrong = b.op("fand", has_pieces, b.op("many", covered))
        too_high = b.op("ilt", b.i(stack_form(ctx).height.high), total)
        too_high = b.op("fand", too_high, b.op("many", self.end))
        self.wrong = b.op("for", self.wrong, b.op("for", wrong, too_high))

    def _set_planes(self, rest: Sequence[Value], left: Value, has_pieces: Value) -> None:
        b, planes = self.b, self.piles.planes
        shown = b.op("pick", b.op("ilt", b.i(0), left), self.start, b.m(0))
        codes = [self._bit(word, 0, shown) for word in rest]
        below = planes_of(self.ctx, codes, shown)
        both = b.op("mor", self.start, self.end)
        stays = b.op("fand", has_pieces, b.f(self.is_under))
        for i, plane in enumerate(planes):
            came = b.op("many", b.op("mand", plane, self.start))
            new = b.op("pick", came, self.end, b.m(0))
            new = b.op("pick", stays, b.op("mand", plane, self.end), new)
            planes[i] = b.op("mor", b.op("mless", plane, both), b.op("mor", new, below[i]))

    def _set_heights(self, left: Value, total: Value) -> None:
        for i, mask in enumerate(self.piles.height):
            self.piles.height[i] = self._placed(mask, left, total, i)

    def _placed(self, mask: Value, first: Value, second: Value, place: int) -> Value:
        """Return a mask with a bit of a word at the origin, and of another at the target."""
        b, both = self.b, self.b.op("mor", self.start, self.end)
        bits = b.op("mor", self._bit(first, place, self.start), self._bit(second, place, self.end))
        return b.op("mor", b.op("mless", mask, both), bits)

    def _bit(self, word: Value, place: int, cell: Value) -> Value:
        """Return a cell if a bit of a word is set, else no cell."""
        b = self.b
        is_set = b.op("ieq", b.op("iand", b.op("ishr", word, b.i(place)), b.i(1)), b.i(1))
        return b.op("pick", is_set, cell, b.m(0))

    def _height(self, cell: Value) -> Value:
        return self._word(cell, self.piles.height)

    def _words(self, cell: Value) -> list[Value]:
        """Return the codes of a stack bit by bit, the upper piece in the lowest bits."""
        upper = codes_of(self.ctx, self.piles.planes)
        levels = self.piles.levels
        return [
            self._word(cell, [first, *(level[bit] for level in levels)])
            for bit, first in enumerate(upper)
        ]

    def _word(self, cell: Value, masks: Sequence[Value]) -> Value:
        b, total = self.b, self.b.i(0)
        for i, mask in enumerate(masks):
            bit = b.op("fint", b.op("mhas", mask, cell))
            total = b.op("ior", total, b.op("ishl", bit, b.i(i)))
        return total


def _sower(ctx: Context) -> str:
    """Return the name of the function that lays pieces in a direction, by digits of a number."""
    name = "sow"
    if name in ctx.b.module.functions:
        return name
    carrier = _carrier(ctx, False)
    types, results = (*_types(ctx), _NUMBER, _NUMBER, _NUMBER), (*_types(ctx), _CELLS, _FLAG)
    with ctx.b.function(name, types, results, pure=True) as values:
        *state, pattern, origin, direction = values
        b, targets = ctx.b, ctx.shape.targets
        steps = Table("i", tuple(target for row in targets for target in row))
        left, top, right = _digits(ctx, pattern)
        stacks = [b.let(value) for value in state]
        cell, moved, good = b.let(origin), b.let(b.m(0)), b.let(right)
        left_, top_, rest = b.let(left), b.let(top), b.let(pattern)

        def step() -> None:
            unit, now = b.get(top_), b.get(cell)
            done = b.op("for", b.op("ilt", unit, b.i(1)), b.op("fnot", b.get(good)))
            b.when(done, b.leave)
            is_there = b.op("fand", b.op("ile", b.i(0), now), b.op("ile", b.i(0), direction))
            place = b.op("iadd", b.op("imul", direction, b.i(ctx.shape.cells)), now)
            place = b.op("pick", is_there, place, b.i(0))
            to = b.op("pick", is_there, b.op("ilook", place, detail=steps), b.i(-1))
            on_board = b.op("ile", b.i(0), to)
            to = b.op("imax", to, b.i(0))
            number = b.get(left_)
            carried = b.call(carrier, *map(b.get, stacks), number, b.op("imax", now, b.i(0)), to)
            for var, value in zip(stacks, carried, strict=False):
                b.set(var, value)
            b.set(moved, b.op("mor", b.get(moved), carried[-2]))
            b.set(good, b.op("fand", on_board, carried[-1]))
            digit = b.op("cdiv", b.get(rest), unit)
            b.set(rest, b.op("cmod", b.get(rest), unit))
            b.set(left_, b.op("isub", number, digit))
            b.set(top_, b.op("cdiv", unit, b.i(10)))
            b.set(cell, to)

        b.loop(step)
        b.emit_return(*map(b.get, stacks), b.get(moved), b.get(good))
    return name


def _digits(ctx: Context, pattern: Value) -> tuple[Value, Value, Value]:
    """Return the sum of the digits, the unit of the first one, and a flag: none is 0."""
    b = ctx.b
    left, total, unit = b.let(pattern), b.let(b.i(0)), b.let(b.i(1))
    right = b.let(b.op("ilt", b.i(0), pattern))

    def digit() -> None:
        now = b.get(left)
        b.when(b.op("ilt", now, b.i(1)), b.leave)
        last = b.op("cmod", now, b.i(10))
        b.set(total, b.op("iadd", b.get(total), last))
        b.set(right, b.op("fand", b.get(right), b.op("ilt", b.i(0), last)))
        rest = b.op("cdiv", now, b.i(10))
        more = b.op("ilt", b.i(0), rest)
        b.set(unit, b.op("pick", more, b.op("imul", b.get(unit), b.i(10)), b.get(unit)))
        b.set(left, rest)

    b.loop(digit)
    return b.get(total), b.get(unit), b.get(right)
