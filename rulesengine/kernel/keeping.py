"""What is kept beside a state where moves only add to the board: free cells, fills of ends.

A move takes cells from the free ones, and may extend a fill. What is kept of a fill is its reach:
its seeds on any cell, and what is next to a cell of it. The fill is what is within its bounds of
that, and a cell that comes to them extends it if in reach.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from rulesengine.interpreter import Interpreter
from rulesengine.ir.ops import Op, literal, walk
from rulesengine.ir.rules import Rules, operations
from rulesengine.kernel.code import Value
from rulesengine.kernel.position import Position, Scene
from rulesengine.kernel.turns import Turns, facts_of_loops

# What seeds and bounds may be made of, so that they follow from the planes and a side alone.
_PLAIN = frozenset("literal variable owned of_kind empty next by_side and or minus not".split())
_CHANGING = frozenset({"put", "remove", "flip", "carry", "promote"})


@dataclass(frozen=True, slots=True)
class Fill:
    """A fill as one side asks for it; its seeds are the cells of a constant within its bounds."""

    op: Op
    side: int
    seeds: Value


class Keeping(Turns):
    """Adds fills that are kept from state to state."""

    def __init__(self, machine: Interpreter) -> None:
        super().__init__(machine)
        self._kept: list[Fill] = []
        self._keeps_free = False
        # Whether a fill has grown, by its seeds and bounds, where it has been extended.
        self._growth: dict[tuple[Value, Value], tuple[object, Value]] = {}

    @contextmanager
    def keeping(self, at: Position) -> Iterator[Position]:
        """A state of any planes with what is kept beside it, as beside all that follow inside."""
        plain = self.layout
        self._kept = self._worth_keeping(at)
        self._keeps_free = only_adds(self.rules)
        kept = [self._reach_of(fill, at) for fill in self._kept]
        if self._keeps_free:
            kept.append(self.b.op("mnot", self.union(at.planes)))
        self.layout = replace(plain, kept=len(kept))
        try:
            yield replace(at, kept=tuple(kept))
        finally:
            self.layout, self._kept, self._keeps_free = plain, [], False

    def know_kept(self, at: Position) -> None:
        """Take what is kept beside a state for what it stands for."""
        if self._keeps_free:
            self.b.know("mnot", self.union(at.planes), detail=None, value=at.kept[-1])

    def _worth_keeping(self, at: Position) -> list[Fill]:
        """The fills of ends, by side, where moves only add to the board."""
        if not only_adds(self.rules):
            return []
        ops = [op for end in self.rules.ends for op in walk(end.when) if self._is_plain(op)]
        found = []
        for op in dict.fromkeys(ops):
            seeds = [self._seeds_anywhere(op, at, side) for side in range(self.sides)]
            fills = [Fill(op, side, cells) for side, cells in enumerate(seeds) if cells]
            if len(fills) == self.sides and all(self._only_grows(fill, at) for fill in fills):
                found += fills
        return found

    def _only_grows(self, fill: Fill, at: Position) -> bool:
        """Whether a piece that is put on a free cell is seen to take nothing from the bounds."""
        _, within = self._bounds(fill.op, at, fill.side)
        piece = self.b.new("m")
        for i, plane in enumerate(at.planes):
            planes = (*at.planes[:i], self.b.op("mor", plane, piece), *at.planes[i + 1 :])
            _, then = self._bounds(fill.op, replace(at, planes=planes), fill.side)
            if self._added(then, within) is None:
                return False
        return True

    def _is_plain(self, op: Op) -> bool:
        """Whether a fill between neighbours follows from the planes and the player."""
        if op.name != "fill" or len(op.args) > 2 or self.facts.may_fail(op):
            return False
        names = {o.name for arg in op.args for o in walk(arg)}
        return names <= _PLAIN and self.facts.variables(op) <= {"player"}

    def _seeds_anywhere(self, op: Op, at: Position, side: int) -> Value | None:
        """A constant whose cells within the bounds of a fill are its seeds, whatever the planes."""
        seeds, within = self._bounds(op, at, side)
        limits, cells = set(self._common_to(within)), self.b.m(self.b.full)
        for part in self._common_to(seeds):
            if part not in limits:
                cells = self.b.op("mand", cells, part)
        return cells if cells.known is not None else None

    def _common_to(self, cells: Value) -> list[Value]:
        """The sets that a set is the intersection of."""
        parts = self._both(cells)
        return [cells] if parts is None else [v for part in parts for v in self._common_to(part)]

    def _both(self, cells: Value) -> tuple[Value, Value] | None:
        """Two sets that a set is the intersection of, if it has been made as such."""
        less = self.b.joined("mless", cells)
        return (less[0], self.b.op("mnot", less[1])) if less else self.b.joined("mand", cells)

    def _bounds(self, op: Op, at: Position, side: int) -> tuple[Value, Value]:
        """The seeds of a fill and the set that it stays within, of one side in a state."""
        scene = Scene(at, {"player": self.b.i(side)})
        return self.value(op.args[0], scene), self.value(op.args[1], scene)

    def _reach_of(self, fill: Fill, at: Position) -> Value:
        moves = self.shape.beside
        filled = self.b.op("mfill", *self._bounds(fill.op, at, fill.side), detail=moves)
        return self.b.op("mor", self.b.op("mmove", filled, detail=moves), fill.seeds)

    def keep_on(self, before: Position, after: Position) -> Position:
        """The state after a move with what is kept beside it, from what was kept before."""
        kept = []
        for fill, reach in zip(self._kept, before.kept, strict=False):
            _, old = self._bounds(fill.op, before, fill.side)
            seeds, within = self._bounds(fill.op, after, fill.side)
            more = self._added(within, old)
            if more is None:
                kept.append(self._reach_of(fill, after))
            else:
                kept.append(self._extended((seeds, within), reach, more))
        if self._keeps_free:
            kept.append(self._free_after(before, after))
        after = replace(after, kept=tuple(kept))
        self.know_kept(after)
        return after

    def _free_after(self, before: Position, after: Position) -> Value:
        free = before.kept[-1]
        for new, old in zip(after.planes, before.planes, strict=True):
            more = self._added(new, old)
            if more is None:
                return self.b.op("mnot", self.union(after.planes))
            free = self.b.op("mless", free, more)
        return free

    def _added(self, new: Value, old: Value) -> Value | None:
        """Cells that make one set of another, which loses none; None if that is not seen."""
        b = self.b
        if new == old:
            return b.m(0)
        joined, before = b.joined("mor", new), b.joined("mor", old)
        for part, other in (joined, joined[::-1]) if joined else ():
            added = self._added(part, old)
            if added is not None:
                return b.op("mor", added, other)
        more = self._added_to_each(joined, before)
        if more is not None:
            return b.op("mor", *more)
        joined, before = self._both(new), self._both(old)
        more = self._added_to_each(joined, before)
        if more is None or joined is None:
            return None
        return b.op("mor", b.op("mand", more[0], joined[1]), b.op("mand", more[1], joined[0]))

    def _added_to_each(
        self, new: tuple[Value, Value] | None, old: tuple[Value, Value] | None
    ) -> tuple[Value, Value] | None:
        if new is None or old is None:
            return None
        first, second = (self._added(x, y) for x, y in zip(new, old, strict=True))
        return None if first is None or second is None else (first, second)

    def _extended(self, bounds: tuple[Value, Value], reach: Value, more: Value) -> Value:
        """The reach of a fill to whose bounds some cells have come, and so the fill."""
        b, (seeds, within) = self.b, bounds
        front = b.op("mand", more, reach)
        grows = b.op("many", front)
        rest = b.op("mless", within, reach)
        new = b.choose(grows, lambda: self._grown(reach, front, rest), lambda: reach)
        filled = b.op("mand", within, new)
        b.know("mfill", seeds, within, detail=self.shape.beside, value=filled)
        self._growth[bounds] = b.scope(), grows
        return new

    def _grown(self, reach: Value, front: Value, rest: Value) -> Value:
        """A reach with that of a front, and of what it meets step by step of the rest."""
        b = self.b
        wider, outer, left = b.let(reach), b.let(front), b.let(rest)

        def grow() -> None:
            beside = b.op("mmove", b.get(outer), detail=self.shape.beside)
            b.set(wider, b.op("mor", b.get(wider), beside))
            now = b.get(left)
            met = b.op("mand", beside, now)
            b.when(b.op("fnot", b.op("many", met)), b.leave)
            b.set(left, b.op("mless", now, met))
            b.set(outer, met)

        b.loop(grow)
        return b.get(wider)

    # where fills are asked for

    def _some_of_both(self, op: Op, scene: Scene) -> Value:
        if any(self._has_grown(arg, scene) for arg in op.args):
            # No need to look at the bounds first.
            return self.b.op("many", self.value(op, scene))
        return super()._some_of_both(op, scene)

    def _changed(self, when: Op, scene: Scene, before: Position) -> Value:
        """An end that reads fills, and else what has not changed, holds only if one has grown."""
        plain = self._without_grown(when, scene)
        if plain == when or "player" in facts_of_loops(when):
            return super()._changed(when, scene, before)
        if not self._is_same(plain, scene, before):
            return self.b.f(True)
        changed = self.b.f(False)
        for op in walk(when):
            changed = self.b.op("for", changed, self._has_grown(op, scene) or self.b.f(False))
        return changed

    def _has_grown(self, op: Op, scene: Scene) -> Value | None:
        """Whether a fill that has been extended here has grown."""
        if not self._is_plain(op):
            return None
        bounds = self.value(op.args[0], scene), self.value(op.args[1], scene)
        scope, grows = self._growth.get(bounds, (None, None))
        return grows if self.b.reaches(scope) else None

    def _without_grown(self, op: Op, scene: Scene) -> Op:
        """An operation with nothing in the place of the fills that have been extended."""
        if self._has_grown(op, scene):
            return literal("cells", 0)
        args = tuple(self._without_grown(arg, scene) for arg in op.args)
        return op if args == op.args else Op(op.name, op.type, args, op.value)


def only_adds(rules: Rules) -> bool:
    """Whether moves of one step do no more to the board than to put pieces on it."""
    groups = [group for tier in rules.tiers for group in tier]
    if rules.keep or any(g.kind == "move" or g.then or g.choice for g in groups):
        return False
    if any(g.target and g.kind == "place" and not _is_free(g.target) for g in groups):
        return False
    effects = operations((tuple(g.effects for g in groups), rules.effects))
    changes = [op for effect in effects for op in walk(effect) if op.name in _CHANGING]
    return all(op.name == "put" and _is_free(op.args[2]) for op in changes)


def _is_free(cells: Op) -> bool:
    """Whether a set is seen to hold no other than empty cells."""
    if cells.name == "minus":
        return _is_free(cells.args[0])
    return cells.name == "empty" or (cells.name == "and" and any(map(_is_free, cells.args)))
