"""Drafts of states in kernel code: begun, recorded on, known of, and one chosen of two."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from rulesengine.kernel.code.form import Instr, Value
from rulesengine.kernel.emit.context import Context
from rulesengine.kernel.emit.scene import RECORDS, Position

Draft = Position


def drafted(ctx: Context, at: Position) -> Draft:
    """A draft of a state, with nothing changed so far."""
    nothing = dict.fromkeys(RECORDS, ctx.b.m(0))
    return replace(at, record=MappingProxyType(nothing))


def recorded(ctx: Context, at: Draft, *, planes: list[Value], **changed: Value) -> Draft:
    """A draft with new planes, and what has changed added to its record."""
    assert at.record is not None
    record = {
        name: ctx.b.op("mor", cells, changed[name]) if name in changed else cells
        for name, cells in at.record.items()
    }
    return replace(at, planes=tuple(planes), record=MappingProxyType(record))


def known_after(ctx: Context, at: Draft, cells: Value, before: int, after: int) -> Draft:
    """A draft of which is known what is on these cells now."""
    content = {}
    for other, may in at.content.items():
        content[other] = may if not may & before else may | after
    if cells.known != 0:
        content[cells] = after
    return replace(at, content=MappingProxyType(content))


def either_draft(
    ctx: Context, flag: Value, then: Callable[[], Draft], other: Callable[[], Draft]
) -> Draft:
    """One of two drafts."""
    if flag.known is not None:
        return then() if flag.known else other()
    drafts: list[Draft] = []
    blocks = [ctx.b.inside(lambda f=f: drafts.append(f())) for f in (then, other)]  # type: ignore[misc]
    first, second = ([*_parts(draft)] for draft in drafts)
    merged: list[Value] = []
    before: list[Instr] = []
    after: list[Instr] = []
    for a, b in zip(first, second, strict=True):
        if a == b:
            merged.append(a)
            continue
        var, out = ctx.b.var(a.type), ctx.b.new(a.type)
        before.append(Instr("let", (ctx.b.const(a.type, 0),), (var,)))
        blocks[0].append(Instr("set", (var, a)))
        blocks[1].append(Instr("set", (var, b)))
        after.append(Instr("get", (var,), (out,)))
        merged.append(out)
    for instr in (*before, Instr("if", (flag,), (), None, (blocks[0], blocks[1])), *after):
        ctx.b.add(instr)
    return _rebuilt(drafts[0], merged, _common(drafts[0].content, drafts[1].content))


def _parts(at: Draft) -> list[Value]:
    assert at.record is not None
    return [*at.values(), *at.record.values()]


def _rebuilt(form: Draft, parts: list[Value], content: Mapping[Value, int]) -> Draft:
    """A draft of the form of another."""
    assert form.record is not None
    planes, registers = len(form.planes), len(form.registers)
    rest = parts[planes + 1 + registers :]
    seats = rest.pop(0) if form.seats is not None else None
    history = rest.pop(0) if form.history is not None else None
    kept = tuple(rest.pop(0) for _ in form.kept)
    record = dict(zip(form.record, rest, strict=True))
    return replace(
        form,
        planes=tuple(parts[:planes]),
        side=parts[planes],
        registers=tuple(parts[planes + 1 : planes + 1 + registers]),
        seats=seats,
        history=history,
        kept=kept,
        record=MappingProxyType(record),
        content=MappingProxyType(dict(content)),
    )


def _common(a: Mapping[Value, int], b: Mapping[Value, int]) -> dict[Value, int]:
    return {cells: a[cells] | b[cells] for cells in a if cells in b}
