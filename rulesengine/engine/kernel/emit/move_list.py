"""Lists of moves in kernel code, with steps encoded as numbers.

Lists by number:

- 0: first steps and continuations
- 1: the steps of moves
- 2: the end of each move in list 1
- 3: the steps of the current move
- 4: values of keys
- 5: a copy of moves

A step is two numbers, laid out as in `support.words`: its components as bit fields, and its choice.
"""

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType

from rulesengine.engine.kernel.code.form import Type, Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.draft import begin_draft
from rulesengine.engine.kernel.emit.make_move import (
    Record,
    StepValue,
    finish_move,
    make_step,
    memoise_result,
)
from rulesengine.engine.kernel.emit.state_values import RECORDS, Environment, Position
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.language.ir.rules import BY_CHANCE
from rulesengine.support.words import CELLS, DIRECTION, DIRECTIONS, GROUPS, ORIGIN, TARGET

STRIDE = 2
LISTS = 6
_LIST: Type = "b"
_CELLS: Type = "m"
LIST_TYPES = (_LIST,) * LISTS


def new_lists(ctx: Context) -> None:
    """Create empty lists at the start of an entry point."""
    ctx.lists = [ctx.b.result("list", "b", detail=number) for number in range(LISTS)]


def push_step(ctx: Context, to: Value, step: StepValue) -> None:
    ctx.b.effect("push", to, word_of(ctx, step))
    ctx.b.effect("push", to, step.choice)


def word_of(ctx: Context, step: StepValue) -> Value:
    """Return the first number of a step."""
    word = ctx.b.i(step.group)
    for value, at in (
        (step.direction, DIRECTION),
        (step.origin, ORIGIN),
        (step.target, TARGET),
    ):
        bits = ctx.b.op("ishl", ctx.b.op("iadd", value, ctx.b.i(1)), ctx.b.i(at))
        word = ctx.b.op("iadd", word, bits)
    return word


def origin_in(ctx: Context, word: Value) -> Value:
    """Return the origin of an encoded step, -1 if it has none."""
    return _in_word(ctx, word, ORIGIN, CELLS)


def target_in(ctx: Context, word: Value) -> Value:
    return _in_word(ctx, word, TARGET, CELLS)


def _in_word(ctx: Context, word: Value, at: int, mask: int) -> Value:
    bits = ctx.b.op("iand", ctx.b.op("ishr", word, ctx.b.i(at)), ctx.b.i(mask))
    return ctx.b.op("isub", bits, ctx.b.i(1))


def read_step(
    ctx: Context, word: Value, choice: Value, groups: list[int], use: Callable[[StepValue], None]
) -> None:
    """Decode a step, with a branch for each possible group."""
    direction = _in_word(ctx, word, DIRECTION, DIRECTIONS)
    origin, target = origin_in(ctx, word), target_in(ctx, word)
    number = ctx.b.op("iand", word, ctx.b.i(GROUPS))

    def go(left: list[int]) -> None:
        group = ctx.rules.groups[left[0]]
        for cell, there in ((origin, group.origin), (target, group.target)):
            if there is not None:
                ctx.cells_on_board.add(cell)
            else:
                ctx.cells_on_board.discard(cell)
        none = ctx.b.i(-1)
        step = StepValue(
            left[0],
            direction if group.along else none,
            origin if group.origin else none,
            target if group.target else none,
            choice if group.choice else none,
        )
        if len(left) == 1:
            use(step)
            return
        is_group = ctx.b.op("ieq", number, ctx.b.i(left[0]))
        ctx.b.when(is_group, lambda: use(step), lambda: go(left[1:]))

    go(groups)


def draft_values(ctx: Context, at: Position) -> list[Value]:
    assert at.record is not None
    return [*at.values(), *at.record.values()]


def draft_types(ctx: Context) -> tuple[Type, ...]:
    return (*ctx.layout.types, *(_CELLS for _ in RECORDS))


def draft_of(ctx: Context, values: tuple[Value, ...], side: Value | None = None) -> Position:
    size = len(ctx.layout.types)
    record = dict(zip(RECORDS, values[size:], strict=False))
    return replace(Position.of(ctx.layout, values[:size], side), record=MappingProxyType(record))


def move_function(ctx: Context, side: Value, legal: bool) -> str:
    """Return the name of the function that makes a listed move; it returns the state and the
    record.
    """
    name = ctx.named(f"{'make' if legal else 'try'}_{side.constant}")
    if name in ctx.b.module.functions:
        return name
    with ctx.trusting(legal):
        _make_player(ctx, name, side)
    return name


def _make_player(ctx: Context, name: str, side: Value) -> None:
    results = (*ctx.layout.types, *(_CELLS for _ in RECORDS))
    with ctx.b.function(
        name,
        ("b", *ctx.layout.types, "i", "i"),
        results,
        apart=True,
    ) as values:
        steps, start, end = values[0], values[-2], values[-1]
        before = Position.of(ctx.layout, values[1:-2])
        draft = begin_draft(ctx, before)
        state, record = _replayed(ctx, before, draft, steps, start, end, side)
        ctx.b.emit_return(*state.values(), *(record[name] for name in RECORDS))


def _replayed(
    ctx: Context,
    before: Position,
    draft: Position,
    steps: Value,
    start: Value,
    end: Value,
    side: Value,
) -> tuple[Position, Record]:
    """Make the steps in a range of a list one after the other."""
    chains = any(group.then for group in ctx.rules.groups)
    parts = draft_values(ctx, draft)
    vars_ = [ctx.b.let(value) for value in parts]
    last = [ctx.b.let(value) for value in (*[ctx.b.i(-1)] * 4, ctx.b.f(False))]
    index = ctx.b.let(start)

    def one() -> None:
        at = ctx.b.get(index)
        ctx.b.when(ctx.b.op("ile", end, at), ctx.b.leave)
        word = ctx.b.result("item", "i", steps, at)
        choice = ctx.b.result("item", "i", steps, ctx.b.op("iadd", at, ctx.b.i(1)))
        now = draft_of(ctx, tuple(ctx.b.get(v) for v in vars_), draft.side)
        now = replace(now, before=before)

        def make(step: StepValue) -> None:
            scene = make_step(ctx, step, Environment(now, {"player": side}))
            for var, value in zip(vars_, draft_values(ctx, scene.at), strict=True):
                ctx.b.set(var, value)
            by_chance = scene.variables[BY_CHANCE]
            of_step = (step.direction, step.origin, step.target, step.choice, by_chance)
            for var, value in zip(last, of_step, strict=True):
                ctx.b.set(var, value)

        read_step(ctx, word, choice, list(range(len(ctx.rules.groups))), make)
        ctx.b.set(index, ctx.b.op("iadd", at, ctx.b.i(STRIDE)))
        if not chains:
            ctx.b.leave()

    ctx.b.loop(one)
    after = draft_of(ctx, tuple(ctx.b.get(v) for v in vars_), draft.side)
    after = replace(after, before=before)
    direction, origin, target, choice, by_chance = (ctx.b.get(v) for v in last)
    scene = Environment(after, {"player": side, BY_CHANCE: by_chance}).with_(
        direction=direction, from_=origin, to=target, choice=choice
    )
    return finish_move(ctx, before, scene)


def listed_move_result(
    ctx: Context, at: Position, mover: Value | None, steps: Value, start: Value, end: Value
) -> Callable[[Value], tuple[Position, Record]]:
    """Return the result of a listed move as a function of the side; it is legal for the mover."""

    def result(side: Value) -> tuple[Position, Record]:
        return make_listed_move(ctx, at, steps, start, end, side, legal=side == mover)

    return memoise_result(ctx, result)


def make_listed_move(
    ctx: Context,
    at: Position,
    steps: Value,
    start: Value,
    end: Value,
    side: Value,
    *,
    legal: bool = True,
) -> tuple[Position, Record]:
    """Return the state and record after a listed move by a side; `legal` means legal for that
    side.
    """
    if side.constant is None:
        raise Unsupported("a move by a side that is not constant")
    values = ctx.b.call(move_function(ctx, side, legal), steps, *at.values(), start, end)
    size = len(ctx.layout.types)
    record = MappingProxyType(dict(zip(RECORDS, values[size:], strict=True)))
    return Position.of(ctx.layout, values[:size]), record
