"""Kernel code that plays moves: by a condition, passes, and by strategies."""

from collections.abc import Callable, Sequence
from functools import partial

from rulesengine.engine.kernel.code.form import Type, Value
from rulesengine.engine.kernel.emit.lifted_queries import emit_cells_where
from rulesengine.engine.kernel.emit.make_move import StepValue, make_move, memoise_result
from rulesengine.engine.kernel.emit.move_choice import for_side, list_best, position_of, with_moves
from rulesengine.engine.kernel.emit.move_list import (
    LIST_TYPES,
    LISTS,
    listed_move_result,
    make_listed_move,
    origin_in,
    target_in,
    word_of,
)
from rulesengine.engine.kernel.emit.move_sets import ListedMoves, MoveSet, MovesInSets
from rulesengine.engine.kernel.emit.outcomes import is_over
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.engine.kernel.emit.step_sets import StepSet, step_of
from rulesengine.engine.kernel.scripts.code import ScriptCode, reads_cell
from rulesengine.engine.kernel.scripts.moves import is_pass, require_plain_moves, takes_in
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.roles import is_constant
from rulesengine.language.ir.rules import ExactChoice, Statement, StrategyWithArguments
from rulesengine.state import GOES_ON
from rulesengine.support.limits import INTEGER_MAX, MAX_PLIES

_I: Type = "i"
_F: Type = "f"
Continuation = Callable[[], None]
Steps = Callable[[StepValue], None]
InSets = Callable[[MovesInSets, tuple[Value, ...], Steps], None]
IsListed = Callable[[ListedMoves, Value, Value, tuple[Value, ...]], Value]


def play_where(
    code: ScriptCode, statement: Statement, then: Continuation, other: Continuation
) -> None:
    """Play the first legal move that fulfils a condition; passes do not count."""
    test = statement.operands[0]
    assert isinstance(test, Op)
    typed = code.typed(test, code.variables_of(test, ("from", "to")))
    names = [name for name in typed if name != "player"]
    extra = tuple(typed[name] for name in names)
    ctx = code.ctx

    def scene_of(at: Position, side: Value, values: tuple[Value, ...]) -> Environment:
        variables = dict(zip(names, values, strict=True))
        for name in names:
            if reads_cell(test, name):
                ctx.cells_on_board.add(variables[name])
        return Environment(at, {"player": side, **variables})

    def in_sets(moves: MovesInSets, values: tuple[Value, ...], play: Steps) -> None:
        for part in moves.parts:
            if part.flag is not None:
                continue
            scene = scene_of(moves.at, moves.side, values)
            plain = scene.with_(from_=ctx.b.i(-1), choice=ctx.b.i(-1), direction=ctx.b.i(-1))
            cells = None
            if part.path is None:
                cells = emit_cells_where(ctx, test, "to", plain)
            if cells is not None:
                first = ctx.b.op("mand", part.cells, cells)
                ctx.b.when(
                    ctx.b.op("many", first),
                    lambda part=part, first=first: play(  # type: ignore[misc]
                        step_of(ctx, part, ctx.b.op("mfirst", first))
                    ),
                )
                continue

            def test_cell(cell: Value, part: StepSet = part, scene: Environment = scene) -> None:
                step = step_of(ctx, part, cell)
                result = memoise_result(ctx, partial(make_move, ctx, moves.at, (step,)))
                here = Environment(scene.at, scene.variables, result).with_(
                    from_=step.origin, to=step.target, choice=step.choice, direction=step.direction
                )
                ctx.b.when(ctx.value(test, here), lambda: play(step))

            ctx.each_cell(part.cells, test_cell)

    def is_listed(moves: ListedMoves, start: Value, end: Value, values: tuple[Value, ...]) -> Value:
        first, last = ends_of(code, start, end)
        scene = scene_of(moves.at, moves.side, values)
        result = listed_move_result(ctx, moves.at, moves.side, ctx.lists[1], start, end)
        here = Environment(scene.at, scene.variables, result).with_(
            from_=origin_in(ctx, first), to=target_in(ctx, last)
        )
        good = ctx.value(test, here)
        return ctx.b.op("fand", good, ctx.b.op("fnot", is_pass(ctx, first)))

    play_first(code, extra, in_sets, is_listed, then, other)


def play_pass(
    code: ScriptCode, statement: Statement, then: Continuation, other: Continuation
) -> None:
    """Play a pass, if it is legal."""
    ctx = code.ctx

    def in_sets(moves: MovesInSets, values: tuple[Value, ...], play: Steps) -> None:
        for part in moves.parts:
            if part.flag is not None and ctx.rules.groups[part.group].kind == "pass":
                step = step_of(ctx, part, ctx.b.i(-1))
                ctx.b.when(part.flag, lambda step=step: play(step))  # type: ignore[misc]

    def is_listed(moves: ListedMoves, start: Value, end: Value, values: tuple[Value, ...]) -> Value:
        return is_pass(ctx, ends_of(code, start, end)[0])

    play_first(code, (), in_sets, is_listed, then, other)


def ends_of(code: ScriptCode, start: Value, end: Value) -> tuple[Value, Value]:
    """Return the words of the first and the last step of a listed move."""
    b, steps = code.ctx.b, code.ctx.lists[1]
    first = b.result("item", "i", steps, start)
    return first, b.result("item", "i", steps, b.op("isub", end, b.i(2)))


def play_first(
    code: ScriptCode,
    extra: tuple[Value, ...],
    in_sets: InSets,
    is_listed: IsListed,
    then: Continuation,
    other: Continuation,
) -> None:
    """Play the first wanted move, or go on with `other` if there is none."""
    ctx, b = code.ctx, code.ctx.b
    require_representable(code)
    types, lists = ctx.layout.types, len(LIST_TYPES)
    params = (*LIST_TYPES, *types, *(value.type for value in extra))

    def body(values: tuple[Value, ...]) -> None:
        outer, ctx.lists = ctx.lists, list(values[:LISTS])
        state, more = values[lists : lists + len(types)], values[lists + len(types) :]
        nothing = (b.f(False), *state, b.i(0), b.i(-1), b.i(-1))

        def work(side: Value) -> None:
            at = position_of(ctx, state, side)
            b.when(is_over(ctx, at), lambda: b.emit_return(*nothing))

            def use_step(step: StepValue) -> None:
                after, record = make_move(ctx, at, (step,), side)
                takes = b.op("fint", takes_in(ctx, record))
                b.emit_return(b.f(True), *after.values(), takes, word_of(ctx, step), step.choice)

            def use(moves: MoveSet) -> None:
                if isinstance(moves, MovesInSets):
                    in_sets(moves, more, use_step)
                elif isinstance(moves, ListedMoves):
                    moves.each_bounds(partial(listed, moves))

            def listed(moves: ListedMoves, start: Value, end: Value) -> None:
                def make() -> None:
                    after, record = make_listed_move(ctx, at, ctx.lists[1], start, end, side)
                    steps, takes = ctx.lists[1], b.op("fint", takes_in(ctx, record))
                    choice = b.result("item", "i", steps, b.op("iadd", start, b.i(1)))
                    word = b.result("item", "i", steps, start)
                    b.emit_return(b.f(True), *after.values(), takes, word, choice)

                b.when(is_listed(moves, start, end, more), make)

            ctx.listed = b.let(b.i(0))
            with_moves(ctx, at, side, use, lambda: b.emit_return(*nothing))
            ctx.listed = None

        for_side(ctx, position_of(ctx, state).side, work)
        b.emit_return(*nothing)
        ctx.lists = outer

    args = (*ctx.lists, *code.position().values(), *extra)
    is_played, *rest = code.call(
        f"play_{code.current}", params, (_F, *types, _I, _I, _I), args, body
    )
    _cut_lists(code)
    _commit(code, is_played, rest, then, other)


def _commit(
    code: ScriptCode, is_played: Value, rest: list[Value], then: Continuation, other: Continuation
) -> None:
    """Continue with the position after a move, if there is one."""
    b = code.ctx.b
    if code.has_forfeits:
        is_played = b.op("fand", is_played, b.op("ieq", code.get("decided"), b.i(GOES_ON)))

    def played() -> None:
        plies = b.op("iadd", code.get("plies"), b.i(1))
        code.leave_if(b.op("ilt", b.i(MAX_PLIES), plies))
        _move_to(code, rest, plies)
        then()

    def failed() -> None:
        code.here = None
        other()

    b.when(is_played, played, failed)


def _move_to(code: ScriptCode, results: Sequence[Value], plies: Value) -> None:
    """Assign the results of a function that plays: the position, and the move before it."""
    b = code.ctx.b
    *after, takes, word, choice = results
    code.move_to(tuple(after))
    for name, value in (("plies", plies), ("takes", takes), ("step", word), ("choice", choice)):
        code.set(name, value)
    code.set("moves", b.op("iadd", code.get("moves"), b.i(1)))
    code.set("from", origin_in(code.ctx, word))
    code.set("to", target_in(code.ctx, word))


def _cut_lists(code: ScriptCode) -> None:
    for list_ in code.ctx.lists:
        code.ctx.b.effect("cut", list_, code.ctx.b.i(0))


def require_representable(code: ScriptCode) -> None:
    """Raise Unsupported unless the last move is known by its step, and chance makes no moves."""
    if code.ctx.rules.chance is not None:
        raise Unsupported("moves of chance")
    require_plain_moves(code.ctx)
    if code.cached_facts.get("records"):
        raise Unsupported("the record of an earlier move")


def play_by(code: ScriptCode, statement: Statement, times: Value) -> None:
    """Play moves of a strategy until there is none, or for a number of times."""
    ctx, b = code.ctx, code.ctx.b
    require_representable(code)
    number = _strategy(code, statement)
    types, lists = ctx.layout.types, len(LIST_TYPES)
    params = (*LIST_TYPES, *types)

    def body(values: tuple[Value, ...]) -> None:
        outer, ctx.lists = ctx.lists, list(values[:LISTS])
        state = values[lists:]
        nothing = (b.f(False), *state, b.i(0), b.i(-1), b.i(-1))

        def work(side: Value) -> None:
            at = position_of(ctx, state, side)
            list_best(ctx, at, number, ())
            size = b.result("size", "i", ctx.lists[2])
            b.when(b.op("ieq", size, b.i(0)), lambda: b.emit_return(*nothing))
            end = b.result("item", "i", ctx.lists[2], b.i(0))
            word = b.result("item", "i", ctx.lists[1], b.i(0))
            choice = b.result("item", "i", ctx.lists[1], b.i(1))
            after, record = make_listed_move(ctx, at, ctx.lists[1], b.i(0), end, side)
            takes = b.op("fint", takes_in(ctx, record))
            b.emit_return(b.f(True), *after.values(), takes, word, choice)

        for_side(ctx, position_of(ctx, state).side, work)
        b.emit_return(*nothing)
        ctx.lists = outer

    left = b.let(times)

    def one() -> None:
        code.here = None
        b.when(b.op("ile", b.get(left), b.i(0)), b.leave)
        args = (*ctx.lists, *code.position().values())
        is_played, *rest = code.call(
            f"best_by_{number}", params, (_F, *types, _I, _I, _I), args, body
        )
        _cut_lists(code)
        b.set(left, b.op("isub", b.get(left), b.i(1)))
        if code.has_forfeits:
            is_played = b.op("fand", is_played, b.op("ieq", code.get("decided"), b.i(GOES_ON)))

        b.when(b.op("fnot", is_played), b.leave)
        plies = b.op("iadd", code.get("plies"), b.i(1))
        b.when(b.op("ilt", b.i(MAX_PLIES), plies), b.fail)
        b.when(b.op("ilt", b.i(MAX_PLIES), plies), b.leave)
        _move_to(code, rest, plies)

    b.loop(one)
    code.here = None


def times_of(code: ScriptCode, statement: Statement) -> Value:
    """Return the number of moves that a statement plays."""
    match statement.name:
        case "play_one":
            return code.ctx.b.i(1)
        case "play_all":
            return code.ctx.b.i(INTEGER_MAX)
    return code.number(statement.operands[1])


def _strategy(code: ScriptCode, statement: Statement) -> int:
    chosen, name = statement.operands[0], statement.words[-1]
    if isinstance(chosen, ExactChoice):
        raise Unsupported("a strategy that solves")
    if isinstance(chosen, StrategyWithArguments):
        raise Unsupported("a strategy with parameters")
    if isinstance(chosen, Op):
        if not is_constant(chosen):
            raise Unsupported("a strategy by its name")
        name = str(chosen.value)
    names = [strategy.name for strategy in code.ctx.rules.strategies]
    if name not in names or code.ctx.rules.strategies[names.index(name)].search is not None:
        raise Unsupported("a strategy that searches")
    return names.index(name)
