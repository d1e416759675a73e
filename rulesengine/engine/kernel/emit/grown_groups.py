"""Kernel code for conditions on some group that did not hold before the last move.

Only a group that has grown can satisfy a condition on the group alone. See decision 179.
"""

from collections.abc import Callable
from dataclasses import dataclass

from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.loops import each_group, least_size
from rulesengine.engine.kernel.emit.provenance import added_cells
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.roles import (
    constant,
    domain_type,
    has_role,
    is_reflexive,
    loop_function,
)

# More rounds cost more than a fill.
_MOST_ROUNDS = 4


def value_after(ctx: Context, op: Op, scene: Environment, before: Position | None) -> Value:
    """Return a condition that is known to be false in the state before, if there is one."""
    if before is None or ctx.facts.may_fail(op):
        return ctx.value(op, scene)
    if has_role(op, "join"):
        return _first_true(ctx, op.args, scene, before)
    grown = _in_grown_group(ctx, op, scene, before)
    return ctx.value(op, scene) if grown is None else grown


def _first_true(ctx: Context, parts: tuple[Op, ...], scene: Environment, before: Position) -> Value:
    """Return a flag for any of several conditions, tested in their order."""
    first = value_after(ctx, parts[0], scene, before)
    if len(parts) == 1:
        return first
    rest = parts[1:]
    return ctx.b.choose(first, lambda: ctx.b.f(True), lambda: _first_true(ctx, rest, scene, before))


def _in_grown_group(ctx: Context, op: Op, scene: Environment, before: Position) -> Value | None:
    """Return a flag for a group with new cells that satisfies a condition; None if unsupported.

    A number of groups has reached a bound only if such a group contains no earlier one that
    satisfied the condition. The groups are counted only then.
    """
    loop = _counted_groups(op)
    if domain_type(loop) != "groups" or loop_function(loop) not in ("any", "count"):
        return None
    domain, body = loop.args
    assert isinstance(loop.value, tuple)
    name = str(loop.value[1])
    if not ctx.facts.is_fixed(body) or ctx.facts.variables(body) - {name, "player"}:
        return None
    cells, old = ctx.value(domain, scene), ctx.value(domain, scene.on(before))
    more = added_cells(ctx, cells, old)
    if more is None:
        return None
    if more.constant == 0:
        return ctx.b.f(False)
    b, least = ctx.b, least_size(body, name) * (1 if loop is op else _least_count(op))
    enough = b.op("ile", b.i(least), b.op("mcount", cells)) if least else b.f(True)

    def satisfies(group: Value) -> Value:
        return ctx.value(body, scene.with_(**{name: group}))

    # A group has so many cells if that many are within reach of one of them.
    rounds = least_size(body, name) - 1 if has_role(body, "order") else -1
    groups = _Groups(ctx, satisfies, rounds if 0 <= rounds <= _MOST_ROUNDS else None)

    def search_groups() -> Value:
        is_new = groups.has_new(more, cells, None if loop is op else old)
        if loop is op:
            return is_new
        return b.choose(is_new, lambda: ctx.value(op, scene), lambda: b.f(False))

    return b.choose(enough, search_groups, lambda: b.f(False))


@dataclass(frozen=True, slots=True)
class _Groups:
    """Groups that may satisfy a condition; with `rounds`, the cells near one cell decide it."""

    ctx: Context
    satisfies: Callable[[Value], Value]
    rounds: int | None

    def has_new(self, more: Value, cells: Value, old: Value | None) -> Value:
        """Return a flag for a group with new cells that satisfies the condition.

        With the cells before, no earlier group inside the new one may satisfy it.
        """
        b, is_new = self.ctx.b, self.ctx.b.let(self.ctx.b.f(False))
        alone = b.operands_of("mpick", more) is not None

        def test(group: Value) -> None:
            def accept() -> None:
                new = b.f(True) if old is None else self._has_none(group, more, old)
                b.when(new, lambda: b.set(is_new, b.f(True)))

            b.when(self.satisfies(group), accept)

        if alone:
            test(self._around(more, cells))
        else:
            grown = b.op("mfill", more, cells, detail=self.ctx.shape.adjacency)
            each_group(self.ctx, grown, test)
        return b.get(is_new)

    def _around(self, cell: Value, cells: Value) -> Value:
        """Return the group of a cell, or as much of it as the condition needs."""
        b, adjacency = self.ctx.b, self.ctx.shape.adjacency
        if self.rounds is None:
            return b.op("mfill", cell, cells, detail=adjacency)
        for _ in range(self.rounds):
            cell = b.op("mor", cell, b.op("mand", b.op("mmove", cell, detail=adjacency), cells))
        return cell

    def _has_none(self, group: Value, more: Value, old: Value) -> Value:
        """Return a flag that is true if no old group inside a new one satisfies the condition."""
        b, none = self.ctx.b, self.ctx.b.let(self.ctx.b.f(True))
        adjacent = b.op("mmove", more, detail=self.ctx.shape.adjacency)
        left = b.let(b.op("mand", b.op("mand", group, adjacent), old))

        def reject() -> None:
            b.set(none, b.f(False))
            b.leave()

        def one() -> None:
            now = b.get(left)
            b.when(b.op("fnot", b.op("many", now)), b.leave)
            part = self._around(b.op("mpick", now, b.i(0)), old)
            b.when(self.satisfies(part), reject)
            b.set(left, b.op("mless", now, part))

        b.loop(one)
        return b.get(none)


def _least_count(op: Op) -> int:
    """Return the number of groups that a condition with a constant lower bound needs."""
    bound = constant(op.args[0])
    assert bound is not None
    return max(bound if is_reflexive(op) else bound + 1, 0)


def _counted_groups(op: Op) -> Op:
    """Return the number that has a constant lower bound in a condition, else the condition."""
    if has_role(op, "order") and constant(op.args[0]) is not None:
        return op.args[1]
    return op
