"""The notation of moves of one step without choices, as tables for kernel code."""

from rulesengine.engine.interpreter.step_fields import Fields
from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.move_list import target_in
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.steps import StepMaker
from rulesengine.notation.move_text import Writer
from rulesengine.support.words import GROUPS

_MOST = 1 << 14


def require_plain_moves(ctx: Context) -> None:
    """Raise Unsupported unless each move is one step, by its group and target alone."""
    groups = ctx.rules.groups
    if any(g.origin or g.along or g.choice or g.then or g.weight for g in groups):
        raise Unsupported("moves that are not one placement")
    if len(groups) * (ctx.program.topology.cells + 1) > _MOST:
        raise Unsupported("too many moves for a table")


def move_texts(ctx: Context) -> tuple[str, ...]:
    """Return the notation of each move; see `text_number` for their order."""
    require_plain_moves(ctx)
    return ctx.analysis(_texts)


def _texts(program: Program) -> tuple[str, ...]:
    writer, maker = Writer(program, Fields(program).value), StepMaker(program.rules)
    cells = range(-1, program.topology.cells)
    return tuple(
        writer.text((maker.step(group, -1, -1, target, -1),), False)
        for group in range(len(program.rules.groups))
        for target in cells
    )


def text_number(ctx: Context, step: Value) -> Value:
    """Return the number of the notation of an encoded step."""
    b = ctx.b
    group = b.op("iand", step, b.i(GROUPS))
    line = b.op("imul", group, b.i(ctx.program.topology.cells + 1))
    return b.op("iadd", line, b.op("iadd", target_in(ctx, step), b.i(1)))
