"""Kernel code for ends and lookahead: the winner, available moves, the state after a move."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from rulesengine.engine.kernel.code.form import Odds, Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.fill_growth import has_grown, without_grown
from rulesengine.engine.kernel.emit.grown_groups import value_after
from rulesengine.engine.kernel.emit.make_move import StepValue
from rulesengine.engine.kernel.emit.move_parts import known_count
from rulesengine.engine.kernel.emit.occupancy import planes_within
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.engine.kernel.emit.step_origins import has_step
from rulesengine.engine.kernel.emit.step_sets import is_computed
from rulesengine.engine.kernel.emit.steps import each_step
from rulesengine.engine.kernel.emit.values import case_value, checked_player, next_side, type_of
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.language.ir.ops import OPS, Op, bound, walk
from rulesengine.language.ir.roles import has_role, role_of
from rulesengine.language.ir.rules import ANSWERS, End
from rulesengine.state import GOES_ON, WINNERS


@dataclass(frozen=True, slots=True)
class EndSearch:
    """A search for the first end that holds.

    - `value_of`: the value of an end that holds.
    - `goes_on`: the value if none holds.
    - `ends`: the ends to test, in their order.
    - `odds`: the probability that an end holds; None if the caller only needs a flag.
    """

    value_of: Callable[[End, Environment], Value]
    goes_on: Value
    ends: tuple[End, ...]
    odds: Odds | None = None


def decide(
    ctx: Context,
    at: Position,
    before: Position | None = None,
    ends: tuple[End, ...] | None = None,
) -> Value:
    """Return the winner's number, -1 for a draw, `GOES_ON` if the game is not over.

    If the state `before` the last move is given, the game was not over there. Ends that only read
    unchanged values are then skipped. `ends` restricts the ends that are tested.
    """
    tested = ctx.rules.ends if ends is None else ends
    search = EndSearch(partial(_winner, ctx), ctx.b.i(GOES_ON), tested, "seldom")
    return first_end(ctx, at, before, search)


def ending(ctx: Context, at: Position) -> Value:
    """Return the number of the end times `WINNERS`, plus the winner's number plus one.

    The result is `GOES_ON` if the game is not over.
    """

    def value_of(end: End, scene: Environment) -> Value:
        number = ctx.b.i(ctx.rules.ends.index(end) * WINNERS + 1)
        return ctx.b.op("iadd", number, ctx.b.op("imax", _winner(ctx, end, scene), ctx.b.i(-1)))

    return first_end(ctx, at, None, EndSearch(value_of, ctx.b.i(GOES_ON), ctx.rules.ends))


def is_over(ctx: Context, at: Position, before: Position | None = None) -> Value:
    def ended(end: End, scene: Environment) -> Value:
        risky = end.side is not None and ctx.facts.may_fail(end.side)
        if risky or _scores_fail(ctx):
            _winner(ctx, end, scene)
        return ctx.b.f(True)

    return first_end(ctx, at, before, EndSearch(ended, ctx.b.f(False), ctx.rules.ends))


def _scores_fail(ctx: Context) -> bool:
    return ctx.rules.score is not None and ctx.facts.may_fail(ctx.rules.score)


def first_end(ctx: Context, at: Position, before: Position | None, search: EndSearch) -> Value:
    """Return the value of the first end that holds, in the order of ends and sides."""
    last = _last_mover(ctx, at)
    if last.constant is not None or not any(end.each for end in search.ends):
        return _first_of(ctx, at, before, last, search)
    cases = [lambda s=s: _first_of(ctx, at, before, ctx.b.i(s), search) for s in range(ctx.sides)]
    return case_value(ctx, last, cases, None, search.goes_on.type)


def _first_of(
    ctx: Context, at: Position, before: Position | None, last: Value, search: EndSearch
) -> Value:
    tests = []
    for end in search.ends:
        sides = [next_side(ctx, last, i) for i in range(ctx.sides)] if end.each else [at.side]
        for side in sides:
            scene = Environment(at, {"player": side})
            changed = ctx.b.f(True)
            if before is not None and end.each:
                changed = _end_changed(ctx, end.when, scene, before)
            if changed.constant != 0:
                tests.append((end, scene, changed))

    def test(number: int) -> Value:
        if number == len(tests):
            return search.goes_on
        end, scene, changed = tests[number]
        ctx.b.note(f"end, {end.result}: {end.reason}")
        known = before if end.each else None
        holds = ctx.b.choose(
            changed,
            lambda: value_after(ctx, end.when, scene, known),
            lambda: ctx.b.f(False),
        )
        return ctx.b.choose(
            holds, lambda: search.value_of(end, scene), lambda: test(number + 1), search.odds
        )

    return test(0)


def _end_changed(ctx: Context, when: Op, scene: Environment, before: Position) -> Value:
    """Return a flag that is false if an end cannot hold, since no value that it reads has changed.

    An end that otherwise reads only unchanged values holds only if one of its fills has grown.
    """
    plain = without_grown(ctx, when, scene)
    if plain == when or "player" in loop_variables(when):
        return ctx.b.f(not is_unchanged(ctx, when, scene, before))
    if not is_unchanged(ctx, plain, scene, before):
        return ctx.b.f(True)
    changed = ctx.b.f(False)
    for op in walk(when):
        changed = ctx.b.op("for", changed, has_grown(ctx, op, scene) or ctx.b.f(False))
    return changed


def is_unchanged(ctx: Context, when: Op, scene: Environment, before: Position) -> bool:
    """True if all values that an end reads are the same as in the state before."""
    planes, after = before.planes, scene.at.planes
    for op in walk(when):
        reads = OPS[op.name].reads
        match role_of(op):
            case "pieces":
                # Only for the player of the end: a loop over sides reads other sides.
                if op.args[0].type == "side" and not has_role(
                    op.args[0], "variable", "constant", "successor"
                ):
                    return False
                if loop_variables(when) & ctx.facts.variables(op):
                    return False
                covered = planes_within(ctx, op, scene)
                if not covered:
                    return False
                if any(covered >> i & 1 and planes[i] != after[i] for i in range(len(planes))):
                    return False
            case _ if "elsewhere" in OPS[op.name].laws:
                if planes != after or _stacks_differ(ctx, scene.at, before):
                    return False
            case _ if "registers" in reads and op.type != "effect":
                name = op.value[0] if isinstance(op.value, tuple) else op.value
                at = ctx.slots[str(name)]
                end = at + ctx.facts.registers[str(name)].slots(ctx.sides)
                if before.registers[at:end] != scene.at.registers[at:end]:
                    return False
            case _ if not reads <= {"pieces", "variables"}:
                # Every move may change it.
                return False
            case _ if "pieces" in reads and planes != after:
                return False
    return True


def _stacks_differ(ctx: Context, at: Position, before: Position) -> bool:
    """True if the heights or the lower pieces of stacks may differ in two positions."""
    stacks = ctx.program.form.stacks
    slots = stacks.slots if stacks else ()
    return any(at.registers[slot] != before.registers[slot] for slot in slots)


def _last_mover(ctx: Context, at: Position) -> Value:
    """Return the side that moved last, which is tested first."""
    last = next_side(ctx, at.side, ctx.sides - 1)
    if ctx.program.keeps_last:
        register = at.registers[-2 if ctx.program.keeps_plies else -1]
        last = ctx.b.op("pick", ctx.b.op("ile", ctx.b.i(0), register), register, last)
    return last


def _winner(ctx: Context, end: End, scene: Environment) -> Value:
    winner = ctx.b.i(-1)
    score = ctx.rules.score
    if _scores_fail(ctx):
        # An outcome includes the scores, for any end.
        _leading_side(ctx, score, False, scene.at)
    if end.pays is not None:
        return _leading_side(ctx, end.pays, ctx.rules.misere, scene.at)
    if end.side is not None:
        winner = ctx.value(end.side, scene)
    elif end.result in ("highest", "lowest"):
        winner = _leading_side(ctx, score, end.result == "lowest", scene.at)
    if (end.result == "loses") != ctx.rules.misere:
        if ctx.sides != 2:
            return ctx.b.i(-1)
        there = ctx.b.op("ile", ctx.b.i(0), winner)
        other = ctx.b.op("isub", ctx.b.i(1), winner)
        winner = ctx.b.op("pick", there, other, winner)
    return winner


def _leading_side(ctx: Context, number: Op | None, lowest: bool, at: Position) -> Value:
    """Return the side with the highest or lowest number, -1 for a tie."""
    if number is None:
        return ctx.b.i(-1)
    scores = [ctx.value(number, Environment(at, {"player": ctx.b.i(s)})) for s in range(ctx.sides)]
    best, leader = scores[0], ctx.b.i(0)
    for side, value in enumerate(scores[1:], start=1):
        better = ctx.b.op("ilt", value, best) if lowest else ctx.b.op("ilt", best, value)
        tied = ctx.b.op("ieq", value, best)
        leader = ctx.b.op("pick", tied, ctx.b.i(-1), leader)
        leader = ctx.b.op("pick", better, ctx.b.i(side), leader)
        best = ctx.b.op("pick", better, value, best)
    return leader


# operations that query moves and outcomes


def op_can_move(ctx: Context, op: Op, scene: Environment) -> Value:
    return _query_steps(ctx, op, scene, passes=False)


def op_can_act(ctx: Context, op: Op, scene: Environment) -> Value:
    return _query_steps(ctx, op, scene, passes=True)


def _query_steps(ctx: Context, op: Op, scene: Environment, passes: bool) -> Value:
    side = checked_player(ctx, ctx.value(op.args[0], scene))
    at = scene.at.settled()
    test = partial(can_answer if op.value == ANSWERS else can_move, passes=passes)
    if side.constant is None:
        cases = [lambda s=s: test(ctx, at, ctx.b.i(s)) for s in range(ctx.sides)]
        return case_value(ctx, side, cases, None, "f")
    return test(ctx, at, side)


def can_answer(ctx: Context, at: Position, side: Value, passes: bool = False) -> Value:
    """Return a flag that is true if a side has an answer to a move that `forbid` tries."""
    with ctx.answering():
        return can_move(ctx, at, side, passes)


def can_move(ctx: Context, at: Position, side: Value, passes: bool = False) -> Value:
    """Return a flag that is true if a side has a step, tier by tier; passes count if `passes`.

    Moves that are counted already include no pass.
    """
    count = known_count(ctx, at, side)
    if count is not None:
        return ctx.b.op("ilt", ctx.b.i(0), count)

    def any_tier(tiers: Sequence[int]) -> Value:
        if not tiers:
            return ctx.b.f(False)
        some = _some_step(ctx, at, side, tiers[0], passes)
        return ctx.b.choose(some, lambda: ctx.b.f(True), lambda: any_tier(tiers[1:]))

    return any_tier(range(len(ctx.rules.tiers)))


def _some_step(ctx: Context, at: Position, side: Value, tier: int, passes: bool) -> Value:
    groups = [g for g in ctx.rules.tiers[tier] if passes or g.kind != "pass"]
    some = ctx.b.f(False)
    for group in groups:
        number, flag = ctx.rules.groups.index(group), None
        is_known = not ctx.answers and is_computed(ctx, number, side, at.values())
        if ctx.ban(number) is None or is_known:
            flag = has_step(ctx, at, side, group)
        if flag is not None:
            some = ctx.b.op("for", some, flag)
        else:
            some = ctx.b.choose(
                some,
                lambda: ctx.b.f(True),
                lambda n=number: _any_step(ctx, at, side, n),  # type: ignore[misc]
            )
    return some


def _any_step(ctx: Context, at: Position, side: Value, number: int) -> Value:
    """Call a function that returns true at the first step of a group."""
    word = "answer" if ctx.answers else "some"
    name = ctx.named(f"{word}_{number}_{side.constant if side.constant is not None else 'any'}")
    if name in ctx.open_functions:
        raise Unsupported("rules where `can_move` depends on itself")
    if name not in ctx.b.module.functions:
        ctx.open_functions.add(name)
        with ctx.b.function(name, ctx.layout.types, ("f",), pure=True) as values:
            inner = Position.of(ctx.layout, values)

            def emit_true(step: StepValue) -> None:
                ctx.b.emit_return(ctx.b.f(True))

            each_step(ctx, Environment(inner, {"player": side}), number, emit_true)
            ctx.b.emit_return(ctx.b.f(False))
        ctx.open_functions.discard(name)
    return ctx.b.call(name, *at.values())[0]


def op_winner(ctx: Context, op: Op, scene: Environment) -> Value:
    return ctx.b.op("imax", decide(ctx, scene.at), ctx.b.i(-1))


def op_over(ctx: Context, op: Op, scene: Environment) -> Value:
    return is_over(ctx, scene.at)


def op_drawn(ctx: Context, op: Op, scene: Environment) -> Value:
    return ctx.b.op("ieq", decide(ctx, scene.at), ctx.b.i(-1))


def op_record(ctx: Context, op: Op, scene: Environment) -> Value:
    name = str(op.value)
    if scene.at.record is not None:
        return scene.at.record[name]
    if scene.result is None:
        raise Unsupported("a record without a move")
    return scene.result(scene.variables["player"])[1][name]


def op_after(ctx: Context, op: Op, scene: Environment) -> Value:
    if scene.result is None:
        raise Unsupported("`after` without a move")
    result = scene.result

    def after(side: Value) -> Value:
        return ctx.value(op.args[1], scene.on(result(side)[0]))

    side = checked_player(ctx, ctx.value(op.args[0], scene))
    if side.constant is not None:
        return after(side)
    cases = [lambda s=s: after(ctx.b.i(s)) for s in range(ctx.sides)]
    return case_value(ctx, side, cases, None, type_of(op))


def loop_variables(op: Op) -> frozenset[str]:
    """Return the names of the variables bound by loops inside an operation."""
    return frozenset(filter(None, map(bound, walk(op))))
