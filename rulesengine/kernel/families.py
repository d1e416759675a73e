"""Sets and flags of all candidates at once: what follows if a piece is placed on each of them.

Placing changes a set at one cell alone, so that the sets of all candidates are one (`Family`),
and so are those made of them cell by cell. Connected parts change more; where they may, and
where else nothing is known, a candidate is doubtful, and what is said here is not said of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from rulesengine.ir.ops import Op
from rulesengine.kernel.asking import lifted
from rulesengine.kernel.cells import image
from rulesengine.kernel.code import Value
from rulesengine.kernel.context import Context
from rulesengine.kernel.making import remembered
from rulesengine.kernel.position import Position, Scene
from rulesengine.kernel.values import union

_NOWHERE = Value("m", -1, 0)
_MANY_PIECES = 24  # where neighbours lie in more ways than this, they are not counted


class Undecided(Exception):
    """What is not known how to ask of all candidates at once."""


@dataclass(frozen=True, slots=True)
class Family:
    """A set for each candidate: `rest` at all other cells, and the candidate if it is in `here`.

    Of candidates in `vague` only the latter is known, and that the set is not empty if in `some`.
    """

    rest: Value
    here: Value
    vague: Value = _NOWHERE
    some: Value = _NOWHERE


@dataclass(slots=True, eq=False)
class Candidates:
    """The cells `to` that are asked about, the state before, and the states after, as families.

    The planes of `rest` and of `here` make families; `doubts` are sets of doubtful candidates.
    """

    cells: Value
    before: Scene
    rest: Position
    here: Position
    doubts: list[Value] = field(default_factory=list)
    made: dict[int, Family] = field(default_factory=dict)

    def after(self, rest: Position, here: Position) -> "Candidates":
        """The same candidates after a further change."""
        return Candidates(self.cells, self.before, rest, here, self.doubts)


def flag_of(ctx: Context, op: Op, at: Candidates) -> Value:
    """The candidates for which a flag holds."""
    b = ctx.b
    match op.name:
        case "both" | "either":
            parts = [flag_of(ctx, arg, at) for arg in op.args]
            result = parts[0]
            for part in parts[1:]:
                result = b.op("mand" if op.name == "both" else "mor", result, part)
            return result
        case "deny":
            return b.op("mnot", flag_of(ctx, op.args[0], at))
        case "any" | "none":
            some = _some(ctx, family(ctx, op.args[0], at), at)
            return some if op.name == "any" else b.op("mnot", some)
        case "less" | "at_most" | "equal" if op.args[0].type == "number":
            name = {"less": "ilt", "at_most": "ile", "equal": "ieq"}[op.name]
            flag = b.op(name, *(_number(ctx, arg, at) for arg in op.args))
            return b.op("pick", flag, b.m(b.full), b.m(0))
    if ctx.facts.is_fixed(op):
        asked = lifted(ctx, op, "to", at.before)
        if asked is not None:
            return asked
    raise Undecided


def _some(ctx: Context, cells: Family, at: Candidates) -> Value:
    """The candidates whose set has any cell."""
    _doubt_in(ctx, cells.rest, at)
    sure = ctx.b.op("mor", cells.here, cells.some)
    _doubt_in(ctx, ctx.b.op("mless", cells.vague, sure), at)
    some = ctx.b.op("many", cells.rest)
    others = ctx.b.op("pick", some, ctx.b.m(ctx.b.full), ctx.b.m(0))
    return ctx.b.op("mor", others, sure)


def _doubt_in(ctx: Context, cells: Value, at: Candidates) -> None:
    """Doubt the candidates in a set."""
    at.doubts.append(ctx.b.op("mand", at.cells, cells))


def _number(ctx: Context, op: Op, at: Candidates) -> Value:
    """A number that is the same for all candidates."""
    if op.name == "repeats":
        return _repeats(ctx, at)
    if is_constant(ctx, op):
        return ctx.value(op, at.before)
    raise Undecided


def _repeats(ctx: Context, at: Candidates) -> Value:
    """0, and doubt unless no earlier position had as many pieces."""
    b, before = ctx.b, at.before.at
    counts = []
    for rest, here in zip(at.rest.planes, at.here.planes, strict=True):
        if here.known not in (0, b.full):
            raise Undecided
        _doubt_in(ctx, rest, at)
        count = b.op("mcount", rest)
        counts.append(b.op("iadd", count, b.i(1)) if here.known else count)
    met = b.result("met", "f", remembered(ctx, before), *counts)
    at.doubts.append(b.op("pick", met, b.m(b.full), b.m(0)))
    return b.i(0)


def is_constant(ctx: Context, op: Op) -> bool:
    fixed = ctx.facts.is_fixed(op) and "to" not in ctx.facts.variables(op)
    return fixed and not ctx.facts.may_fail(op)


def family(ctx: Context, op: Op, at: Candidates) -> Family:
    """The sets of all candidates; raises `Undecided` where they are no family."""
    if id(op) not in at.made:
        at.made[id(op)] = _family(ctx, op, at)
    return at.made[id(op)]


def _family(ctx: Context, op: Op, at: Candidates) -> Family:
    b = ctx.b
    if is_constant(ctx, op):
        value = ctx.value(op, at.before)
        return Family(value, value)
    match op.name:
        case "single" if op.args[0].name == "variable" and op.args[0].value == "to":
            return Family(b.m(0), b.m(b.full))
        case "owned" | "of_kind" | "empty" if all(map(partial(is_constant, ctx), op.args)):
            rest, here = (at.before.on(state) for state in (at.rest, at.here))
            return Family(ctx.value(op, rest), ctx.value(op, here))
        case "and" | "or" | "minus" | "not":
            return _joined(ctx, op, at)
        case "fill":
            return _filled(ctx, op, at)
    raise Undecided


def _joined(ctx: Context, op: Op, at: Candidates) -> Family:
    """Sets made cell by cell of others."""
    parts = [family(ctx, arg, at) for arg in op.args]
    name = {"and": "mand", "or": "mor", "minus": "mless", "not": "mnot"}[op.name]
    vague = union(ctx, [part.vague for part in parts])
    if name == "mnot":
        rest, here = (ctx.b.op(name, cells) for cells in (parts[0].rest, parts[0].here))
        return Family(rest, here, vague)
    rest, here = parts[0].rest, parts[0].here
    for part in parts[1:]:
        rest, here = ctx.b.op(name, rest, part.rest), ctx.b.op(name, here, part.here)
    return Family(rest, here, vague, _not_empty(ctx, op, parts, at))


def _not_empty(ctx: Context, op: Op, parts: Sequence[Family], at: Candidates) -> Value:
    """Candidates whose joined set surely has a cell: such as take from a set's parts."""
    if op.name == "or":
        return union(ctx, [part.some for part in parts])
    if op.name == "minus" and op.args[1].name == "fill":
        if parts[0] == known_family(ctx, op.args[1].args[1], at):
            return parts[1].vague
    return _NOWHERE


def known_family(ctx: Context, op: Op, at: Candidates) -> Family:
    """The sets of all candidates; those that are not known as a whole are doubted."""
    found = family(ctx, op, at)
    _doubt_in(ctx, found.vague, at)
    return Family(found.rest, found.here)


def _filled(ctx: Context, op: Op, at: Candidates) -> Family:
    """The connected parts of a set beside another that candidates are taken from.

    A part is beside it as before unless the candidate is all of it that the part is beside.
    A candidate that joins the set joins the parts around it.
    """
    b, beside = ctx.b, ctx.shape.beside
    within = known_family(ctx, op.args[1], at)
    free = _beside(ctx, op.args[0], within, at)
    joins = within.here.known == b.full
    if free.here.known != 0 or len(beside.deltas) > _MANY_PIECES:
        raise Undecided
    if not joins and within.here.known != 0:
        raise Undecided
    cells, near = within.rest, image(ctx, free.rest, beside)
    _doubt_in(ctx, cells, at)
    sure, rest, last = _parts_beside(ctx, cells, free.rest, near)
    found = b.op("mor", sure, rest)
    if not joins:
        return Family(found, b.m(0), last)
    at.doubts.append(b.op("mless", at.cells, free.rest))
    here = b.op("mor", near, image(ctx, sure, beside))
    return Family(found, here, b.op("mless", last, here))


def _beside(ctx: Context, start: Op, within: Family, at: Candidates) -> Family:
    """The set whose neighbours within another one are a start."""
    found = None
    for part in start.args if start.name == "and" else (start,):
        if part.name == "neighbours" and len(part.args) == 1 and found is None:
            found = known_family(ctx, part.args[0], at)
        elif known_family(ctx, part, at) != within:
            raise Undecided
    if found is None:
        raise Undecided
    return found


def _parts_beside(
    ctx: Context, cells: Value, free: Value, near: Value
) -> tuple[Value, Value, Value]:
    """Connected parts beside several cells of `free`, those beside one, and these single cells.

    A part that has a cell with two neighbours in `free` need not be looked at by itself.
    """
    b, beside = ctx.b, ctx.shape.beside
    once, twice = b.m(0), b.m(0)
    for piece in ctx.shape.pieces:
        moved = image(ctx, free, piece)
        twice = b.op("mor", twice, b.op("mand", once, moved))
        once = b.op("mor", once, moved)
    wide = b.op("mfill", b.op("mand", twice, cells), cells, detail=beside)
    others = b.op("mand", b.op("mless", cells, wide), near)
    single = b.op("mless", others, image(ctx, cells, beside))
    left = b.let(b.op("mless", others, single))
    sure, rest = b.let(wide), b.let(single)
    last = b.let(b.op("mand", image(ctx, single, beside), free))

    def one() -> None:
        now = b.get(left)
        b.when(b.op("fnot", b.op("many", now)), b.leave)
        part = b.op("mfill", b.op("mpick", now, b.i(0)), cells, detail=beside)
        met = b.op("mand", free, image(ctx, part, beside))
        alone = b.op("ieq", b.op("mcount", met), b.i(1))
        grows = (
            (sure, b.op("pick", alone, b.m(0), part)),
            (rest, b.op("pick", alone, part, b.m(0))),
            (last, b.op("pick", alone, met, b.m(0))),
        )
        for var, more in grows:
            b.set(var, b.op("mor", b.get(var), more))
        b.set(left, b.op("mless", now, part))

    b.loop(one)
    return b.get(sure), b.get(rest), b.get(last)
