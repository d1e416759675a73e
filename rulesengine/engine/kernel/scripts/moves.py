"""The notation of moves of one step without choices, as kernel code."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rulesengine.engine.interpreter.step_fields import Fields
from rulesengine.engine.kernel.code.form import Table, Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.move_list import origin_in, target_in
from rulesengine.engine.kernel.scripts.words import begins, key_at, keys_of
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.engine.moves import shows_captures
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import Group
from rulesengine.language.ir.steps import StepMaker
from rulesengine.notation.move_text import Writer
from rulesengine.support.words import GROUPS

_MOST = 1 << 14

Parts = tuple[str, ...]  # `{from}`, `{to}` or a literal text


@dataclass(frozen=True, slots=True)
class NotedMove:
    """A move as its notation needs it: the encoded step, and a flag that is true if it captures."""

    word: Value
    takes: Value


def require_plain_moves(ctx: Context) -> None:
    """Raise Unsupported unless each move is one step, by its group, origin and target alone."""
    if any(g.choice or g.choices or g.then or g.weight for g in ctx.rules.groups):
        raise Unsupported("moves of several steps, choices or chance")
    if has_origins(ctx):
        if any(group.written for group in ctx.rules.groups):
            raise Unsupported("groups with a notation of their own")
    elif len(ctx.rules.groups) * (ctx.program.topology.cells + 1) > _MOST:
        raise Unsupported("too many moves for a table")


def has_origins(ctx: Context) -> bool:
    """True if some moves are not placements."""
    return any(g.origin or g.along for g in ctx.rules.groups)


def is_pass(ctx: Context, word: Value) -> Value:
    """Return a flag that is true if an encoded step is a pass."""
    b = ctx.b
    passes, number = b.f(False), b.op("iand", word, b.i(GROUPS))
    for at, group in enumerate(ctx.rules.groups):
        if group.kind == "pass":
            passes = b.op("for", passes, b.op("ieq", number, b.i(at)))
    return passes


def move_texts(ctx: Context) -> tuple[str, ...]:
    """Return the notation of each placement; see `text_number` for their order."""
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
    """Return the number of the notation of an encoded placement."""
    b = ctx.b
    group = b.op("iand", step, b.i(GROUPS))
    line = b.op("imul", group, b.i(ctx.program.topology.cells + 1))
    return b.op("iadd", line, b.op("iadd", target_in(ctx, step), b.i(1)))


def parts_of(ctx: Context, number: int, takes: bool = False) -> Parts:
    """Return the notation of a group's steps, or of those that capture."""
    group, notation = ctx.rules.groups[number], ctx.rules.notation
    match group.step_kind:
        case "pass":
            return (notation.pass_,)
        case "swap":
            return (notation.swap,)
        case "move":
            return _split(notation.capture if takes else notation.move, group)
    return _split(notation.place, group)


def takes_in(ctx: Context, record: Mapping[str, Value]) -> Value:
    """Return a flag that is true if the notation of a move with this record shows a capture."""
    if not any(shows_captures(ctx.rules)):
        return ctx.b.f(False)
    return ctx.b.op("many", ctx.b.op("mand", record["captured"], record["removed"]))


def _split(form: str, group: Group) -> Parts:
    """Return the parts of a form, in their order."""
    names = [name for name in ("{from}", "{to}") if name != "{from}" or group.step_kind == "move"]
    places = {at: name for name in names for at in _places(form, name)}
    ends = [0, *sorted(at for start, name in places.items() for at in (start, start + len(name)))]
    pieces = (form[start:end] for start, end in pairwise([*ends, len(form)]))
    return tuple(filter(None, pieces))


def _places(form: str, name: str) -> list[int]:
    return [at for at in range(len(form)) if form.startswith(name, at)]


def each_notation(ctx: Context, move: NotedMove, use: Callable[[Parts], None]) -> None:
    """Emit code for the notation of a move, with a branch for each notation."""
    b, count = ctx.b, len(ctx.rules.groups)
    every = [parts_of(ctx, number, takes) for takes in (False, True) for number in range(count)]
    forms = list(dict.fromkeys(every))
    numbers = Table("i", tuple(map(forms.index, every)))

    def choose(left: Sequence[int], number: Value) -> None:
        first, *rest = left
        if not rest:
            use(forms[first])
            return
        is_first = b.op("ieq", number, b.i(first))
        b.when(is_first, lambda: use(forms[first]), lambda: choose(rest, number))

    group = b.op("iand", move.word, b.i(GROUPS))
    line = b.op("imul", b.op("fint", move.takes), b.i(count))
    choose(range(len(forms)), b.op("ilook", b.op("iadd", line, group), detail=numbers))


def is_written(ctx: Context, memory: Value, word: Value, parts: Parts, text: list[Value]) -> Value:
    """Return a flag that is true if a text in memory, an offset and a size, denotes a step."""
    b, names = ctx.b, ctx.program.form.cells
    start, size = text
    keys = Table("i", keys_of(names))
    sizes = Table("i", tuple(map(len, names)))
    good, place = b.f(True), start
    for part in parts:
        if part not in ("{from}", "{to}"):
            good = b.op("fand", good, begins(b, memory, place, part))
            place = b.op("iadd", place, b.i(len(part.encode())))
            continue
        cell = origin_in(ctx, word) if part == "{from}" else target_in(ctx, word)
        length = b.op("ilook", cell, detail=sizes)
        same = b.op("ieq", key_at(b, memory, place, length), b.op("ilook", cell, detail=keys))
        good = b.op("fand", good, same)
        place = b.op("iadd", place, length)
    return b.op("fand", good, b.op("ieq", place, b.op("iadd", start, size)))
