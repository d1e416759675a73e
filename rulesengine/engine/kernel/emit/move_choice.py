"""Kernel code for legal moves by tier, and for choices among them: `keep`, replies, strategies.

See decision 056.
"""

from collections.abc import Callable, Sequence

from rulesengine.engine.kernel.code.form import Odds, Type, Value
from rulesengine.engine.kernel.emit.chance import is_chance, with_branches
from rulesengine.engine.kernel.emit.choice_sets import moves_with_choices
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.continuations import single_steps
from rulesengine.engine.kernel.emit.counted_targets import counted_moves, counted_sets
from rulesengine.engine.kernel.emit.generation import list_tier
from rulesengine.engine.kernel.emit.move_filters import filter_by_key, filter_duplicates
from rulesengine.engine.kernel.emit.move_list import (
    LIST_TYPES,
    LISTS,
    push_step,
)
from rulesengine.engine.kernel.emit.move_parts import count_parts, uses_parts, with_parts
from rulesengine.engine.kernel.emit.move_prefixes import uses_prefixes, with_prefixed_moves
from rulesengine.engine.kernel.emit.move_sets import (
    ListedMoves,
    MoveSet,
    MovesInSets,
    NumberedMoves,
)
from rulesengine.engine.kernel.emit.outcomes import is_over
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.engine.kernel.emit.step_origins import has_step
from rulesengine.engine.kernel.emit.step_sets import (
    StepSet,
    any_of,
    count_of_all,
    step_of,
    step_sets_of_group,
    step_sets_of_tier,
)
from rulesengine.engine.kernel.emit.values import type_of
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.rules import Group, Key, OneOfEach
from rulesengine.support.limits import MAX_CHOICE_STEPS


def with_moves(
    ctx: Context,
    at: Position,
    side: Value,
    use: Callable[[MoveSet], None],
    none: Callable[[], None],
) -> None:
    """Call `use` with the moves of a side, or `none` if there are none.

    If chance is to move, the moves are its branches.
    """
    _tier_by_tier(
        ctx, at, side, use, none, lambda tier, other: _in_lists(ctx, at, side, tier, use, other)
    )


def with_numbered_moves(
    ctx: Context,
    at: Position,
    side: Value,
    use: Callable[[NumberedMoves], None],
    none: Callable[[], None],
) -> None:
    """Do the same with moves that are only selected by number, which may need no list."""

    def find(tier: int, other: Callable[[], None]) -> None:
        has_prefixes = uses_prefixes(ctx, tier)
        chosen = None if has_prefixes else moves_with_choices(ctx, at, side, tier)
        if chosen is not None:
            ctx.b.when(chosen.exist, lambda: use(chosen), other)
            return
        if uses_parts(ctx, at, side):
            with_parts(ctx, at, side, use, other)
            return

        counted = counted_moves(ctx, at, side, tier) if _keeps_all(ctx, tier) else None
        if counted is not None:
            exist = ctx.b.op("ilt", ctx.b.i(0), counted.count)
            ctx.b.when(exist, lambda: use(counted), other)
            return

        def list_all() -> None:
            enumerate_moves = with_prefixed_moves if has_prefixes else _in_lists
            enumerate_moves(ctx, at, side, tier, use, other)

        single = single_steps(ctx, at, side, tier)
        if single is None:
            list_all()
        else:
            parts = single.parts
            ctx.b.when(
                single.are_moves,
                lambda: use(counted_sets(ctx, at, side, parts)),
                list_all,
                "often",
            )

    _tier_by_tier(ctx, at, side, use, none, find)


def _tier_by_tier(
    ctx: Context,
    at: Position,
    side: Value,
    use: Callable[[MovesInSets | ListedMoves], None],
    none: Callable[[], None],
    find: Callable[[int, Callable[[], None]], None],
) -> None:
    """Do the same as `by_tiers`, with the branches of chance if chance is to move."""
    by_chance = is_chance(ctx, at, side)
    ctx.b.when(
        by_chance,
        lambda: with_branches(ctx, at, side, use),
        lambda: by_tiers(ctx, at, side, use, none, find),
    )


def by_tiers(
    ctx: Context,
    at: Position,
    side: Value,
    use: Callable[[MovesInSets], None],
    none: Callable[[], None],
    find: Callable[[int, Callable[[], None]], None],
) -> None:
    """Use the moves of the first tier that has any: as sets, or else by `find`.

    The parameters of `find` are a tier, and the continuation if the tier has no moves.
    """

    def try_tiers(tiers: Sequence[int]) -> None:
        if not tiers:
            none()
            return
        tier = ctx.rules.tiers[tiers[0]]
        if ctx.rules.keep and _keeps_all(ctx, tiers[0]):
            ctx.fail_unless(_is_reset(ctx, at))
        parts = step_sets_of_tier(ctx, at, side, tier) if _keeps_all(ctx, tiers[0]) else None
        if parts is not None:
            odds = _odds_of_moves(ctx, tiers[1:])
            _in_parts(ctx, at, side, parts, use, lambda: try_tiers(tiers[1:]), odds)
            return
        some = _has_moves(ctx, at, side, tier) if len(tiers) > 1 else None
        if some is None:
            find(tiers[0], lambda: try_tiers(tiers[1:]))
        else:
            ctx.b.when(some, lambda: find(tiers[0], ctx.b.fail), lambda: try_tiers(tiers[1:]))

    try_tiers(range(len(ctx.rules.tiers)))


def _has_moves(ctx: Context, at: Position, side: Value, tier: Sequence[Group]) -> Value | None:
    """Return a flag that is true if a tier has moves; None if sets do not decide it."""
    some = ctx.b.f(False)
    for group in tier:
        flag = has_step(ctx, at, side, group)
        if flag is None:
            return None
        some = ctx.b.op("for", some, flag)
    return some


def _odds_of_moves(ctx: Context, after: Sequence[int]) -> Odds | None:
    """Return the branch probability of a tier with moves: high, if all later tiers only pass."""
    groups = (group for tier in after for group in ctx.rules.tiers[tier])
    return "often" if all(group.kind == "pass" for group in groups) else None


def _keeps_all(ctx: Context, tier: int) -> bool:
    """True if `keep` drops no move of a tier."""
    return not ctx.rules.keep or tier in ctx.rules.unranked


def _is_reset(ctx: Context, at: Position) -> Value:
    """Return a flag that is true if registers with the lifetime of a move are at their start
    values.

    A caller may set up a position where they are not.
    """
    rests = ctx.b.f(True)
    for slot in ctx.program.slots_of_moves():
        value = at.registers[slot]
        start = ctx.b.const(value.type, ctx.program.form.starts[slot])
        same = ctx.b.op("meq" if value.type == "m" else "ieq", value, start)
        rests = ctx.b.op("fand", rests, same)
    return rests


def compute_forbid_early(ctx: Context, at: Position, side: Value, *, counts: bool) -> None:
    """Compute the result of `forbid` before the ends that depend on the moves, if it is a set.

    With `counts`, moves that are counted by parts are counted.
    """
    if counts and uses_parts(ctx, at, side):
        count_parts(ctx, at, side)
        return
    scene = Environment(at, {"player": side})
    for group in ctx.rules.tiers[0]:
        if group.decided is not None:
            step_sets_of_group(ctx, scene, group)


def _in_parts(
    ctx: Context,
    at: Position,
    side: Value,
    parts: list[StepSet],
    use: Callable[[MovesInSets], None],
    other: Callable[[], None],
    odds: Odds | None,
) -> None:
    def with_count() -> None:
        use(MovesInSets(ctx, at, side, parts, count_of_all(ctx, parts)))

    ctx.b.when(any_of(ctx, parts), with_count, other, odds)


def _in_lists(
    ctx: Context,
    at: Position,
    side: Value,
    tier: int,
    use: Callable[[ListedMoves], None],
    other: Callable[[], None],
) -> None:
    base = ctx.b.result("size", "i", ctx.lists[1])
    first = ctx.b.result("size", "i", ctx.lists[2])
    ctx.b.call(_lister(ctx, tier, side), *ctx.lists, *at.values())
    count = ctx.b.op("isub", ctx.b.result("size", "i", ctx.lists[2]), first)
    passes = any(group.kind == "pass" for group in ctx.rules.tiers[tier])
    moves = ListedMoves(ctx, at, side, base, first, count, passes)
    ctx.b.when(ctx.b.op("ilt", ctx.b.i(0), count), lambda: use(moves), other)


def _lister(ctx: Context, tier: int, side: Value) -> str:
    """Return the name of the function that lists the moves of a tier."""
    name = ctx.named(f"list_{tier}_{side.constant}")
    if name in ctx.b.module.functions:
        return name
    types = (*LIST_TYPES, *ctx.layout.types)
    outer = ctx.lists
    with ctx.b.function(name, types, ()) as values:
        ctx.lists = list(values[:LISTS])
        at = Position.of(ctx.layout, values[LISTS:])
        base = ctx.b.result("size", "i", ctx.lists[1])
        first = ctx.b.result("size", "i", ctx.lists[2])
        list_tier(ctx, at, side, ctx.rules.tiers[tier])
        for key in () if _keeps_all(ctx, tier) else ctx.rules.keep:
            if isinstance(key, OneOfEach):
                filter_duplicates(ctx, at, side, base, first)
            else:
                filter_by_key(ctx, at, side, base, first, key)
        ctx.b.emit_return()
    ctx.lists = outer
    return name


def for_side(ctx: Context, side: Value, work: Callable[[Value], None]) -> None:
    """Call `work` for the side; if it is not constant, emit a branch for each side."""
    if side.constant is not None:
        work(side)
        return

    def chain(number: int) -> None:
        if number == ctx.sides - 1:
            work(ctx.b.i(number))
            return
        is_side = ctx.b.op("ieq", side, ctx.b.i(number))
        ctx.b.when(is_side, lambda: work(ctx.b.i(number)), lambda: chain(number + 1))

    chain(0)


def position_of(ctx: Context, values: tuple[Value, ...], side: Value | None = None) -> Position:
    return Position.of(ctx.layout, values, side)


def list_legal(ctx: Context, at: Position) -> None:
    """List the legal moves of a game that is not over."""
    b = ctx.b

    def use(moves: MoveSet) -> None:
        if not isinstance(moves, MovesInSets):
            return
        for part in moves.parts:

            def push(cell: Value, part: StepSet = part) -> None:
                push_step(ctx, ctx.lists[1], step_of(ctx, part, cell))
                b.effect("push", ctx.lists[2], b.result("size", "i", ctx.lists[1]))

            if part.flag is not None:
                none = b.i(-1)
                b.when(part.flag, lambda push=push, none=none: push(none))  # type: ignore[misc]
            else:
                ctx.each_cell(part.cells, push)

    with_moves(ctx, at, at.side, use, lambda: None)


def filter_best(
    ctx: Context,
    at: Position,
    side: Value,
    base: Value,
    first: Value,
    keys: Sequence[Key],
    job_block: Value | None = None,
) -> None:
    """Filter the listed moves to the best ones by some keys, one key after the other."""
    b = ctx.b
    ctx.listed = b.let(b.op("isub", b.result("size", "i", ctx.lists[2]), first))
    for key in keys:
        filter_by_key(ctx, at, side, base, first, key, job_block)
    ctx.listed = None


def op_replies(ctx: Context, op: Op, scene: Environment) -> Value:
    """Fold a value over the states after each reply; use the state itself if there are none."""
    b, function, at = ctx.b, str(op.value), scene.at
    body = op.args[0]
    kind = type_of(body)
    flags = function in ("any", "every")
    result: Type = "f" if flags else "i"
    total = b.let(b.const(result, int(function == "every")))
    some = b.let(b.f(False))

    def take(state: Position) -> None:
        value = ctx.value(body, scene.on(state))
        old = b.get(total)
        if flags:
            new = b.op("for" if function == "any" else "fand", old, value)
        elif function == "count":
            new = b.op("iadd", old, b.op("fint", value))
        else:
            value = b.op("fint", value) if kind == "f" else value
            better = b.op("imin" if function == "least" else "imax", old, value)
            new = b.op("pick", b.get(some), better, value)
        b.set(total, new)
        b.set(some, b.f(True))

    def emit_value() -> None:
        value = ctx.value(body, scene)
        if not flags and value.type == "f":
            value = b.op("fint", value)
        b.set(total, value)

    def replies(side: Value) -> None:
        def use(moves: MoveSet) -> None:
            _add_listed(ctx, moves.count)
            moves.for_each(lambda state, _: take(state))
            if isinstance(moves, ListedMoves):
                moves.drop()

        b.when(is_over(ctx, at), emit_value, lambda: with_moves(ctx, at, side, use, emit_value))

    for_side(ctx, at.side, replies)
    value = b.get(total)
    return b.op("ieq", value, b.i(1)) if op.type == "flag" and not flags else value


def _add_listed(ctx: Context, count: Value) -> None:
    if ctx.listed is None:
        raise Unsupported("replies outside a choice")
    b = ctx.b
    total = b.op("iadd", b.get(ctx.listed), count)
    b.set(ctx.listed, total)
    b.when(b.op("ilt", b.i(MAX_CHOICE_STEPS), total), b.fail)


def list_best(ctx: Context, at: Position, number: int, job_block: Sequence[Value]) -> None:
    """List the best legal moves by a strategy; `job_block` may be empty."""
    name = _strategy_function(ctx, number, at.side, bool(job_block))
    ctx.b.call(name, *ctx.lists, *at.values(), *job_block)


def _strategy_function(ctx: Context, number: int, side: Value, polls: bool) -> str:
    name = ctx.named(f"best_{number}_{side.constant}")
    if name in ctx.b.module.functions:
        return name
    b, outer = ctx.b, ctx.lists
    state = LISTS + len(ctx.layout.types)
    with b.function(name, (*LIST_TYPES, *ctx.layout.types, *"a" * polls), ()) as values:
        ctx.lists = list(values[:LISTS])
        at = position_of(ctx, values[LISTS:state], side)
        job_block = values[state] if polls else None
        base, first = b.result("size", "i", ctx.lists[1]), b.result("size", "i", ctx.lists[2])
        b.when(is_over(ctx, at), b.emit_return)
        b.when(is_chance(ctx, at, side), b.emit_return)
        list_legal(ctx, at)
        filter_best(ctx, at, side, base, first, ctx.rules.strategies[number].keys, job_block)
        b.emit_return()
    ctx.lists = outer
    return name
