"""Drafts in kernel code: states within a move, with a record of changes and known contents."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from rulesengine.engine.kernel.code.form import Instr, Value, Var
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.state_values import RECORDS, Position
from rulesengine.language.ir.ops import OPS, Op, walk

Draft = Position


def begin_draft(ctx: Context, at: Position) -> Draft:
    """Return a draft of a state with an empty record; a draft is returned unchanged."""
    if at.record is not None:
        return at
    nothing = dict.fromkeys(RECORDS, ctx.b.m(0))
    return replace(at, record=MappingProxyType(nothing), before=at)


def with_changes(ctx: Context, at: Draft, *, planes: list[Value], **changed: Value) -> Draft:
    """Return a draft with new planes, and with the changes added to its record."""
    assert at.record is not None
    record = {
        name: ctx.b.op("mor", cells, changed[name]) if name in changed else cells
        for name, cells in at.record.items()
    }
    return replace(at, planes=tuple(planes), record=MappingProxyType(record))


def with_contents(ctx: Context, at: Draft, cells: Value, before: int, after: int) -> Draft:
    """Return a draft with the contents of some cells updated, by masks of
    planes before and after.
    """
    content = {}
    for other, may in at.content.items():
        content[other] = may if not may & before else may | after
    if cells.constant != 0:
        content[cells] = after
    return replace(at, content=MappingProxyType(content))


def select_draft(
    ctx: Context, flag: Value, then: Callable[[], Draft], other: Callable[[], Draft]
) -> Draft:
    """Select one of two drafts by a flag."""
    if flag.constant is not None:
        return then() if flag.constant else other()
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
    return _with_parts(drafts[0], merged, _common(drafts[0].content, drafts[1].content))


class LoopDraft:
    """A draft that a loop changes: the parts that may change are in variables.

    Contents of cells are unknown inside the loop, and after it if pieces may change.
    """

    def __init__(self, ctx: Context, at: Draft, body: Op) -> None:
        self._ctx, self._at = ctx, at
        parts, changes = _parts(at), _changed_parts(ctx, at, body)
        self._vars = {i: ctx.b.let(parts[i]) for i in changes}
        self._now: list[Value] = []
        self._set: set[int] = set()

    def now(self) -> Draft:
        """Return the draft at the start of a round; call it inside the loop."""
        self._now = self._load(self._vars)
        return _with_parts(self._at, self._now, {})

    def store(self, at: Draft) -> None:
        """End a round with this draft."""
        for i, (old, new) in enumerate(zip(self._now, _parts(at), strict=True)):
            if old != new:
                self._ctx.b.set(self._vars[i], new)
                self._set.add(i)

    def after(self) -> Draft:
        """Return the draft after the loop."""
        changed = {i: var for i, var in self._vars.items() if i in self._set}
        return _with_parts(self._at, self._load(changed), {} if changed else self._at.content)

    def _load(self, variables: Mapping[int, Var]) -> list[Value]:
        parts = _parts(self._at)
        return [
            self._ctx.b.get(variables[i]) if i in variables else part
            for i, part in enumerate(parts)
        ]


def _changed_parts(ctx: Context, at: Draft, body: Op) -> list[int]:
    """Return the indices of the parts of a draft that an effect may change."""
    inner = list(walk(body))
    changes = frozenset().union(*(OPS[op.name].changes for op in inner))
    planes, values = len(at.planes), len(at.values())
    indices = [*range(planes)] if "pieces" in changes else []
    for name in _set_registers(ctx, inner):
        slot = ctx.slots[name]
        width = ctx.facts.registers[name].slots(ctx.sides)
        indices += range(planes + 1 + slot, planes + 1 + slot + width)
    if "record" in changes:
        indices += range(values, values + len(at.record or ()))
    return sorted(set(indices))


def _set_registers(ctx: Context, inner: list[Op]) -> Iterator[str]:
    """Yield the registers that effects may set: the one in the value, else all."""
    for op in inner:
        if "registers" in OPS[op.name].changes:
            name = op.value[0] if isinstance(op.value, tuple) else ""
            yield from (name,) if name in ctx.slots else ctx.facts.registers


def _parts(at: Draft) -> list[Value]:
    assert at.record is not None
    return [*at.values(), *at.record.values()]


def _with_parts(form: Draft, parts: list[Value], content: Mapping[Value, int]) -> Draft:
    """Return a draft of the same form with other parts."""
    assert form.record is not None
    planes, registers = len(form.planes), len(form.registers)
    rest = parts[planes + 1 + registers :]
    seats = rest.pop(0) if form.seats is not None else None
    history = rest.pop(0) if form.history is not None else None
    incremental = tuple(rest.pop(0) for _ in form.incremental)
    record = dict(zip(form.record, rest, strict=True))
    return replace(
        form,
        planes=tuple(parts[:planes]),
        side=parts[planes],
        registers=tuple(parts[planes + 1 : planes + 1 + registers]),
        seats=seats,
        history=history,
        incremental=incremental,
        record=MappingProxyType(record),
        content=MappingProxyType(dict(content)),
    )


def _common(a: Mapping[Value, int], b: Mapping[Value, int]) -> dict[Value, int]:
    return {cells: a[cells] | b[cells] for cells in a if cells in b}
