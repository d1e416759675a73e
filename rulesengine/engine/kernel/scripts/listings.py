"""Kernel code that prints a text for each legal move."""

from functools import partial

from rulesengine.engine.kernel.code.form import Type, Value
from rulesengine.engine.kernel.emit.move_choice import for_side, position_of, with_moves
from rulesengine.engine.kernel.emit.move_list import (
    LIST_TYPES,
    LISTS,
    word_of,
)
from rulesengine.engine.kernel.emit.move_sets import ListedMoves, MoveSet, MovesInSets
from rulesengine.engine.kernel.emit.outcomes import is_over
from rulesengine.engine.kernel.emit.state_values import Environment
from rulesengine.engine.kernel.emit.step_sets import step_of
from rulesengine.engine.kernel.scripts.code import ScriptCode
from rulesengine.engine.kernel.scripts.flow import fixed_text
from rulesengine.engine.kernel.scripts.texts import TextWriter, finish, output_writer
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.language.ir.ops import reads_parts
from rulesengine.language.ir.roles import reads_role
from rulesengine.language.ir.rules import Statement, Template, operations
from rulesengine.state import GOES_ON

_I: Type = "i"
_A: Type = "a"


def print_moves(code: ScriptCode, statement: Statement, end: str) -> None:
    """Print a text for each legal move but passes, in order."""
    *keys, template, between = statement.operands
    separator = end if between is None else fixed_text(between)
    if keys or separator is None or not isinstance(template, Template):
        raise Unsupported("moves in another order, or with a separator that varies")
    if any(reads_parts(op, "future") or reads_role(op, "record") for op in operations(template)):
        raise Unsupported("moves with their results")
    ctx, b = code.ctx, code.ctx.b
    given = code.typed(template, code.variables_of(template, of_move=True))
    names = list(given)[1:]
    extra = tuple(given[name] for name in names)
    types, size = ctx.layout.types, len(LIST_TYPES)
    params = (*LIST_TYPES, *types, _A, _I, *(value.type for value in extra))
    bounds: list[int] = []
    before = {field: code.get(field) for field in ("out", "separator", "printed")}
    writer = output_writer(code)
    args = (*ctx.lists, *code.position().values(), code.memory, code.get("out"), *extra)
    name = f"moves_{code.current}"

    def body(values: tuple[Value, ...]) -> None:
        outer, ctx.lists = ctx.lists, list(values[:LISTS])
        state, rest = values[size : size + len(types)], values[size + len(types) :]
        memory, start, *more = rest
        place, some = b.let(start), b.let(b.f(False))
        none = lambda: b.emit_return(start, b.f(False))  # noqa: E731

        def work(side: Value) -> None:
            at = position_of(ctx, state, side)
            b.when(is_over(ctx, at), none)
            scene = Environment(at, {"player": side, **dict(zip(names, more, strict=True))})
            with_moves(ctx, at, side, partial(use, scene), none)

        def use(scene: Environment, moves: MoveSet) -> None:
            if isinstance(moves, MovesInSets):
                for part in moves.parts:
                    if part.flag is None:
                        ctx.each_cell(
                            part.cells,
                            lambda cell, part=part: put_step(scene, step_of(ctx, part, cell)),  # type: ignore[misc]
                        )
            elif isinstance(moves, ListedMoves):
                raise Unsupported("moves that are no set")

        def put_step(scene: Environment, step) -> None:  # type: ignore[no-untyped-def]
            here = scene.with_(
                from_=step.origin, to=step.target, choice=step.choice, direction=step.direction
            )
            put(here, word_of(ctx, step))

        def put(scene: Environment, word: Value) -> None:
            writer = TextWriter(code, memory, place, lambda op: ctx.value(op, scene), lambda: word)
            b.when(b.get(some), lambda: writer.literal(separator))
            b.set(some, b.f(True))
            writer.template(template)
            bounds.append(writer.bound)

        for_side(ctx, position_of(ctx, state).side, work)
        b.emit_return(b.get(place), b.get(some))
        ctx.lists = outer

    end_of_text, some = code.call(name, params, (_I, "f"), args, body)
    if bounds:
        groups = sum(group.kind != "pass" for group in ctx.rules.groups)
        code.held[name] = max(bounds) * groups * ctx.program.topology.cells
    code.bound += int(str(code.held[name]))
    if code.has_forfeits:
        some = b.op("fand", some, b.op("ieq", code.get("decided"), b.i(GOES_ON)))

    def stop() -> None:
        code.set("out", end_of_text)
        writer.literal(end)

    def undone() -> None:
        for field, value in before.items():
            code.set(field, value)

    b.when(some, stop, undone)
    finish(code, writer)
