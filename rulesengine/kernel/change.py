"""Effects as kernel code: each gives a new draft; what cannot be on a cell is not looked for."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from rulesengine.ir.ops import Op
from rulesengine.kernel.code import Instr, Value
from rulesengine.kernel.contents import Contents
from rulesengine.kernel.position import RECORDS, Position, Scene
from rulesengine.kernel.shape import cells_of
from rulesengine.kernel.values import Unsupported

Draft = Position


class Change(Contents):
    """Adds effects."""

    def drafted(self, at: Position) -> Draft:
        """A draft of a state, with nothing changed so far."""
        nothing = dict.fromkeys(RECORDS, self.b.m(0))
        return replace(at, record=MappingProxyType(nothing))

    def effect(self, op: Op, scene: Scene) -> Scene:
        """The scene after an effect."""
        draft = scene.at
        match op.name:
            case "put":
                kind, side = self.value(op.args[0], scene), self.value(op.args[1], scene)
                cells = self.value(op.args[2], scene)
                new = self.put(draft, scene, kind, side, cells, self.content(op.args[2], scene))
            case "remove":
                cells = self.value(op.args[0], scene)
                new = self.take(draft, scene, cells, self.content(op.args[0], scene))
            case "flip":
                cells, side = self.value(op.args[0], scene), self.value(op.args[1], scene)
                new = self._flip(draft, scene, cells, side, self.content(op.args[0], scene))
            case "carry":
                origin, target = self.value(op.args[0], scene), self.value(op.args[1], scene)
                for cell in (origin, target):
                    if not self.there(cell):
                        self.fail_unless(self.b.op("ile", self.b.i(0), cell))
                new = self.carry(draft, scene, origin, target)
            case "promote":
                cells, kind = self.value(op.args[0], scene), self.value(op.args[1], scene)
                new = self._promote(draft, cells, kind, self.content(op.args[0], scene))
            case "set":
                new = self._set(op, scene, draft)
            case "when":
                flag = self.value(op.args[0], scene)
                other = op.args[2] if len(op.args) > 2 else None
                new = self.either_draft(
                    flag,
                    lambda: self.effect(op.args[1], scene).at,
                    lambda: self.effect(other, scene).at if other else draft,
                )
            case _:
                raise Unsupported(f"the effect {op.name}")
        return scene.on(new)

    def put(
        self, at: Draft, scene: Scene, kind: Value, side: Value, cells: Value, content: int
    ) -> Draft:
        """Put pieces on cells; what stood there is removed."""
        at = self.take(at, scene, cells, content)
        known = kind.known is not None and side.known is not None
        planes = list(at.planes)
        after = 0
        any_plane = self.b.f(False)
        for i, number in enumerate(self.layout.planes):
            k, owner = divmod(number, self.sides + 1)
            is_kind = self.b.op("ieq", kind, self.b.i(k))
            here = self.b.op("fand", is_kind, self.b.op("ieq", side, self.b.i(owner)))
            if here.known == 0:
                continue
            part = self.b.op("pick", here, cells, self.b.m(0))
            planes[i] = self.b.op("mor", planes[i], part)
            any_plane = self.b.op("for", any_plane, here)
            after |= 1 << i
        if any_plane.known != 1:
            wrong = self.b.op("fand", self.b.op("many", cells), self.b.op("fnot", any_plane))
            self.b.when(wrong, self.b.fail)
        new = self._recorded(at, scene, planes=planes, placed=cells)
        return self._known_after(new, cells, content, after if known else after | content)

    def take(self, at: Draft, scene: Scene, cells: Value, content: int) -> Draft:
        """Remove the pieces on cells."""
        planes = list(at.planes)
        removed = captured = self.b.m(0)
        mover = scene.variables["player"]
        for i, number in enumerate(self.layout.planes):
            if not content >> i & 1:
                continue
            gone = self.b.op("mand", planes[i], cells)
            planes[i] = self.b.op("mless", planes[i], cells)
            removed = self.b.op("mor", removed, gone)
            captured = self.b.op("mor", captured, self._of_others(number, mover, gone))
        new = self._recorded(at, scene, planes=planes, removed=removed, captured=captured)
        return self._known_after(new, cells, content, 1 << len(planes))

    def _of_others(self, plane: int, mover: Value, gone: Value) -> Value:
        """The pieces that are gone from a plane unless it is the mover's."""
        own = self.b.op("ieq", mover, self.b.i(plane % (self.sides + 1)))
        return self.b.op("pick", own, self.b.m(0), gone)

    def carry(self, at: Draft, scene: Scene, origin: Value, target: Value) -> Draft:
        """Carry the piece on a cell to another; what stood there is removed."""
        start, end = self.b.op("mcell", origin), self.b.op("mcell", target)
        sources = at.content.get(start, self._anything())
        bits = [i for i in cells_of(sources) if i < len(at.planes)]
        sure = len(bits) == 1 and sources == 1 << bits[0] and self._apart(scene, origin, target)
        if sure:
            return self._carried(at, scene, start, end, bits)
        occupied = self.union([at.planes[i] for i in bits])
        some = self.b.op("many", self.b.op("mand", occupied, start))
        moves = some
        if not self._apart(scene, origin, target):
            moves = self.b.op("fand", some, self.b.op("fnot", self.b.op("ieq", origin, target)))
        if sources >> len(at.planes) & 1 or moves is not some:
            return self.either_draft(
                moves, lambda: self._carried(at, scene, start, end, bits), lambda: at
            )
        return self._carried(at, scene, start, end, bits)

    def _apart(self, scene: Scene, origin: Value, target: Value) -> bool:
        """Whether two cells are known to differ: what stands on the one cannot on the other."""
        content = scene.at.content
        start, end = self.b.op("mcell", origin), self.b.op("mcell", target)
        return not content.get(start, self._anything()) & content.get(end, self._anything())

    def _carried(
        self, at: Draft, scene: Scene, start: Value, end: Value, sources: list[int]
    ) -> Draft:
        before = at.planes
        targets = at.content.get(end, self._anything())
        at = self.take(at, scene, end, targets)
        planes = list(at.planes)
        both = self.b.op("mor", start, end)
        for i in sources:
            if len(sources) == 1:
                turned = both
            else:
                on = self.b.op("many", self.b.op("mand", before[i], start))
                turned = self.b.op("pick", on, both, self.b.m(0))
            planes[i] = self.b.op("mxor", planes[i], turned)
        new = self._recorded(at, scene, planes=planes, moved=end)
        carried = sum(1 << i for i in sources)
        new = self._known_after(new, end, targets, carried)
        return self._known_after(new, start, carried, 1 << len(planes))

    def _flip(self, at: Draft, scene: Scene, cells: Value, side: Value, content: int) -> Draft:
        planes = list(at.planes)
        before = at.planes
        flipped = captured = self.b.m(0)
        mover = scene.variables["player"]
        after = 0
        place = {number: i for i, number in enumerate(self.layout.planes)}
        for i, number in enumerate(self.layout.planes):
            kind, owner = divmod(number, self.sides + 1)
            same = self.b.op("ieq", side, self.b.i(owner))
            if not content >> i & 1 or same.known == 1:
                after |= content & 1 << i
                continue
            turned = self.b.op("mand", before[i], cells)
            turned = self.b.op("pick", same, self.b.m(0), turned)
            planes[i] = self.b.op("mless", planes[i], turned)
            for to in range(self.sides + 1):
                here = self.b.op("ieq", side, self.b.i(to))
                j = place.get(kind * (self.sides + 1) + to)
                part = self.b.op("pick", here, turned, self.b.m(0))
                if j is None:
                    # A piece without a symbol: the interpreter keeps it on a plane of its own.
                    self.b.when(self.b.op("many", part), self.b.fail)
                elif here.known != 0:
                    planes[j] = self.b.op("mor", planes[j], part)
                    after |= 1 << j
            self._fail_if_lost(turned, side, self.sides)
            flipped = self.b.op("mor", flipped, turned)
            captured = self.b.op("mor", captured, self._of_others(number, mover, turned))
        after |= content & 1 << len(planes)
        if side.known is None:
            after |= content
        new = self._recorded(at, scene, planes=planes, flipped=flipped, captured=captured)
        return self._known_after(new, cells, content, after)

    def _fail_if_lost(self, pieces: Value, index: Value, last: int) -> None:
        """Fail if pieces would become those of a side or of a kind that is not there."""
        if index.known is not None and 0 <= index.known <= last:
            return
        there = self._between(index, 0, last)
        self.b.when(
            self.b.op("fand", self.b.op("many", pieces), self.b.op("fnot", there)), self.b.fail
        )

    def _promote(self, at: Draft, cells: Value, kind: Value, content: int) -> Draft:
        planes = list(at.planes)
        before = at.planes
        place = {number: i for i, number in enumerate(self.layout.planes)}
        after = content & 1 << len(planes)
        for i, number in enumerate(self.layout.planes):
            if not content >> i & 1:
                continue
            changed = self.b.op("mand", before[i], cells)
            planes[i] = self.b.op("mless", planes[i], changed)
            for k in range(len(self.rules.kinds)):
                here = self.b.op("ieq", kind, self.b.i(k))
                part = self.b.op("pick", here, changed, self.b.m(0))
                j = place.get(k * (self.sides + 1) + number % (self.sides + 1))
                if j is None:
                    self.b.when(self.b.op("many", part), self.b.fail)
                elif here.known != 0:
                    planes[j] = self.b.op("mor", planes[j], part)
                    after |= 1 << j
            self._fail_if_lost(changed, kind, len(self.rules.kinds) - 1)
        new = replace(at, planes=tuple(planes))
        return self._known_after(new, cells, content, after)

    def _set(self, op: Op, scene: Scene, at: Draft) -> Draft:
        assert isinstance(op.value, tuple)
        name = str(op.value[0])
        value = self.value(op.args[0], scene)
        side = self.value(op.args[1], scene) if len(op.args) > 1 else self.b.i(0)
        register = self.facts.registers[name]
        if value.type == "f":
            value = self.b.op("fint", value)
        if register.type == "number":
            low, high = self.facts.range(op.args[0])
            if low < register.low or high > register.high:
                self.fail_unless(self._between(value, register.low, register.high))
        registers = list(at.registers)
        slot = self.slots[name]
        if side.known is not None:
            if not 0 <= side.known < self.sides:
                self.b.fail()
                return at
            registers[slot + side.known] = value
            return replace(at, registers=tuple(registers))
        self.fail_unless(self._between(side, 0, self.sides - 1))
        for i in range(self.sides):
            here = self.b.op("ieq", side, self.b.i(i))
            registers[slot + i] = self.b.op("pick", here, value, registers[slot + i])
        return replace(at, registers=tuple(registers))

    def _recorded(self, at: Draft, scene: Scene, *, planes: list[Value], **changed: Value) -> Draft:
        """A draft with new planes, and what has changed added to its record."""
        assert at.record is not None
        record = {
            name: self.b.op("mor", cells, changed[name]) if name in changed else cells
            for name, cells in at.record.items()
        }
        return replace(at, planes=tuple(planes), record=MappingProxyType(record))

    def either_draft(
        self, flag: Value, then: Callable[[], Draft], other: Callable[[], Draft]
    ) -> Draft:
        """One of two drafts."""
        if flag.known is not None:
            return then() if flag.known else other()
        drafts: list[Draft] = []
        blocks = [self.b.inside(lambda f=f: drafts.append(f())) for f in (then, other)]  # type: ignore[misc]
        first, second = ([*_parts(draft)] for draft in drafts)
        merged: list[Value] = []
        before: list[Instr] = []
        after: list[Instr] = []
        for a, b in zip(first, second, strict=True):
            if a == b:
                merged.append(a)
                continue
            var, out = self.b.var(a.type), self.b.new(a.type)
            before.append(Instr("let", (self.b.const(a.type, 0),), (var,)))
            blocks[0].append(Instr("set", (var, a)))
            blocks[1].append(Instr("set", (var, b)))
            after.append(Instr("get", (var,), (out,)))
            merged.append(out)
        for instr in (*before, Instr("if", (flag,), (), None, (blocks[0], blocks[1])), *after):
            self.b.add(instr)
        return _rebuilt(drafts[0], merged, _common(drafts[0].content, drafts[1].content))

    def _known_after(self, at: Draft, cells: Value, before: int, after: int) -> Draft:
        """A draft of which is known what is on these cells now."""
        content = {}
        for other, may in at.content.items():
            content[other] = may if not may & before else may | after
        if cells.known != 0:
            content[cells] = after
        return replace(at, content=MappingProxyType(content))


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
