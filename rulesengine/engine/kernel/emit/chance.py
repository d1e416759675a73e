"""Kernel code for chance moves: a list of branches, and a weighted draw among them."""

from collections.abc import Callable
from dataclasses import dataclass

from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.make_move import StepValue
from rulesengine.engine.kernel.emit.move_list import LIST_TYPES, LISTS, push_step, read_step
from rulesengine.engine.kernel.emit.move_sets import ListedMoves
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.engine.kernel.emit.steps import each_step
from rulesengine.support.limits import MAX_MOVES, MAX_WEIGHT


def is_chance(ctx: Context, at: Position, side: Value) -> Value:
    """Return a flag that is true if chance is to move, provided that the game is not over."""
    chance = ctx.rules.chance
    if chance is None:
        return ctx.b.f(False)
    return ctx.value(chance.when, Environment(at, {"player": side}))


def takes_no_ply(ctx: Context, at: Position, *, of_chance: bool) -> Value:
    """Return a flag that is true if the moves of a state, those of chance or not, take no ply.

    A choice that is not carried out at once takes none. See decision 161.
    """
    together = ctx.rules.together
    if of_chance or together is None or together.free is None:
        return ctx.b.f(of_chance and ctx.rules.has_free_chance)
    return ctx.value(together.free, Environment(at, {"player": at.side}))


def with_branches(
    ctx: Context, at: Position, side: Value, use: Callable[["Branches"], None]
) -> None:
    """List the branches of chance and use them; the kernel fails if there are none."""
    b = ctx.b
    base, first = b.result("size", "i", ctx.lists[1]), b.result("size", "i", ctx.lists[2])
    b.call(_lister(ctx, side), *ctx.lists, *at.values())
    count = b.op("isub", b.result("size", "i", ctx.lists[2]), first)
    few = b.op("fand", b.op("ilt", b.i(0), count), b.op("ile", count, b.i(MAX_MOVES)))
    ctx.fail_unless(few)
    use(Branches(ctx, at, side, base, first, count, passes=False))


def _lister(ctx: Context, side: Value) -> str:
    """Return the name of the function that lists the branches as one side reads them."""
    name = ctx.named(f"branches_{side.constant}")
    if name in ctx.b.module.functions:
        return name
    outer = ctx.lists
    with ctx.b.function(name, (*LIST_TYPES, *ctx.layout.types), ()) as values:
        ctx.lists = list(values[:LISTS])
        scene = Environment(Position.of(ctx.layout, values[LISTS:], side), {"player": side})
        moves, ends = ctx.lists[1], ctx.lists[2]

        def push(step: StepValue) -> None:
            push_step(ctx, moves, step)
            ctx.b.effect("push", ends, ctx.b.result("size", "i", moves))

        for number in _groups(ctx):
            each_step(ctx, scene, number, push)
        ctx.b.emit_return()
    ctx.lists = outer
    return name


def _groups(ctx: Context) -> list[int]:
    """Return the numbers of the groups of branches."""
    groups, chance = len(ctx.rules.groups), ctx.rules.chance
    assert chance is not None
    return list(range(groups - len(chance.branches), groups))


@dataclass(slots=True)
class Branches(ListedMoves):
    """The branches of chance: moves with weights."""

    def weight(self) -> Value:
        """Return the sum of the weights."""
        b = self.ctx.b
        total = b.let(b.i(0))
        self._each_weight(lambda weight: b.set(total, b.op("iadd", b.get(total), weight)))
        return b.get(total)

    def branch_of(self, number: Value) -> Value:
        """Return the index of the branch drawn by a number below the sum of the weights."""
        b = self.ctx.b
        left, place = b.let(number), b.let(b.i(0))

        def pass_over(weight: Value) -> None:
            less = b.op("isub", b.get(left), weight)
            b.set(left, less)
            b.when(b.op("ilt", less, b.i(0)), b.leave)
            b.set(place, b.op("iadd", b.get(place), b.i(1)))

        self._each_weight(pass_over)
        return b.get(place)

    def share(self, place: Value) -> Value:
        """Return the weight of the branch at an index."""
        b = self.ctx.b
        share, at = b.let(b.i(0)), b.let(b.i(0))

        def test_weight(weight: Value) -> None:
            is_it = b.op("ieq", b.get(at), place)
            b.set(share, b.op("pick", is_it, weight, b.get(share)))
            b.set(at, b.op("iadd", b.get(at), b.i(1)))

        self._each_weight(test_weight)
        return b.get(share)

    def _each_weight(self, use: Callable[[Value], None]) -> None:
        b, steps = self.ctx.b, self.ctx.lists[1]
        weight = b.let(b.i(0))

        def weigh(step: StepValue) -> None:
            b.set(weight, self._weight_of(step))

        def one(start: Value, _: Value) -> None:
            word = b.result("item", "i", steps, start)
            choice = b.result("item", "i", steps, b.op("iadd", start, b.i(1)))
            read_step(self.ctx, word, choice, _groups(self.ctx), weigh)
            use(b.get(weight))

        self.each_bounds(one)

    def _weight_of(self, step: StepValue) -> Value:
        ctx, b = self.ctx, self.ctx.b
        op = ctx.rules.groups[step.group].weight
        assert op is not None
        variables = {"player": self.side, "direction": step.direction, "from": step.origin}
        scene = Environment(self.at, {**variables, "to": step.target, "choice": step.choice})
        weight = ctx.value(op, scene)
        fits = b.op("fand", b.op("ile", b.i(1), weight), b.op("ile", weight, b.i(MAX_WEIGHT)))
        ctx.fail_unless(fits)
        return weight
