"""What is kept beside a state: fills that ends ask for, the empty cells, how many they are.

A move that only adds to the board extends a fill. What is kept of one is its reach: its seeds on
any cell, and what is next to a cell of it. The fill is what is within its bounds of that, and a
cell that comes to them extends it if in reach.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from rulesengine.interpreter import Interpreter
from rulesengine.ir.ops import OPS, Op, literal, make, walk
from rulesengine.ir.rules import Group, Rules, operations
from rulesengine.kernel.code import Value
from rulesengine.kernel.growing import Growing
from rulesengine.kernel.position import Position, Scene
from rulesengine.kernel.turns import facts_of_loops

# What seeds and bounds may be made of, so that they follow from the planes and a side alone: single
# set operations on whole sets, which cost little to be looked at again.
_PLAIN = frozenset(
    name
    for name, row in OPS.items()
    if row.reads <= {"pieces", "variables"}
    and row.cost(64, 8) == 1
    and {row.result, *(arg.rstrip("*?") for arg in row.args)} <= {"cells", "side", "kind", "T"}
)


@dataclass(frozen=True, slots=True)
class Fill:
    """A fill as one side asks for it; its seeds are the cells of a constant within its bounds."""

    op: Op
    side: int
    seeds: Value


class Keeping(Growing):
    """Adds what is kept from state to state."""

    def __init__(self, machine: Interpreter) -> None:
        super().__init__(machine)
        self._kept: list[Fill] = []
        self._keeps_empty = self._counts_empty = False
        # Whether a fill has grown, by its seeds and bounds, where it has been extended.
        self._growth: dict[tuple[Value, Value], tuple[object, Value]] = {}

    @contextmanager
    def keeping(self, at: Position) -> Iterator[Position]:
        """A state of any planes with what is kept beside it, as beside all that follow inside."""
        plain = self.layout
        self._kept = self._worth_keeping(at)
        self._counts_empty = any(_takes_one(g) for tier in self.rules.tiers for g in tier)
        self._keeps_empty = only_adds(self.rules)
        kept = [self._reach_of(fill, at) for fill in self._kept]
        if self._keeps_empty:
            kept.append(self._empty(at))
        if self._counts_empty:
            kept.append(self.b.op("mcount", self._empty(at)))
        self.layout = replace(plain, kept=tuple(value.type for value in kept))
        try:
            yield replace(at, kept=tuple(kept))
        finally:
            self.layout, self._kept = plain, []
            self._keeps_empty = self._counts_empty = False

    def _empty(self, at: Position) -> Value:
        return self.b.op("mnot", self.union(at.planes))

    def know_kept(self, at: Position) -> None:
        """Take from here on what is kept beside a state for what it is."""
        if self._keeps_empty:
            self.b.know("mnot", self.union(at.planes), value=at.kept[len(self._kept)])
        if self._counts_empty:
            self._know_count(self._empty(at), at.kept[-1])

    def _know_count(self, empty: Value, count: Value) -> None:
        self.b.know("mcount", empty, value=count)
        self.b.know("many", empty, value=self.b.op("ilt", self.b.i(0), count))

    def exchanged_kept(self, at: Position) -> tuple[Value, ...]:
        """What is kept beside a state of two sides once they are exchanged."""
        fills = len(self._kept)
        return (*(at.kept[i ^ 1] for i in range(fills)), *at.kept[fills:])

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
            if self.added(then, within) is None:
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
        limits, cells = set(self.common_to(within)), self.b.m(self.b.full)
        for part in self.common_to(seeds):
            if part not in limits:
                cells = self.b.op("mand", cells, part)
        return cells if cells.known is not None else None

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
            more = self.added(within, old)
            if more is None:
                kept.append(self._reach_of(fill, after))
            else:
                kept.append(self._extended((seeds, within), reach, more))
        taken = self._taken(before, after)
        if self._keeps_empty:
            kept.append(self._empty_after(before, after, taken))
        if self._counts_empty:
            kept.append(self._count_after(before, after, taken))
        return replace(after, kept=tuple(kept))

    def _taken(self, before: Position, after: Position) -> Value | None:
        """The cells that a move has put pieces on if it has done no more; None if it may have."""
        pairs = zip(after.planes, before.planes, strict=True)
        more = [self.added(new, old) for new, old in pairs]
        known = [cells for cells in more if cells is not None]
        return self.union(known) if len(known) == len(more) else None

    def _empty_after(self, before: Position, after: Position, taken: Value | None) -> Value:
        if taken is None:
            return self._empty(after)
        empty = self.b.op("mless", self._empty(before), taken)
        self.b.know("mnot", self.union(after.planes), value=empty)
        return empty

    def _count_after(self, before: Position, after: Position, taken: Value | None) -> Value:
        """How many cells are empty after a move: fewer by one where it has taken one of them."""
        b, empty, count = self.b, self._empty(after), before.kept[-1]
        if taken is not None and taken.known == 0:
            return count
        drawn = b.made("mpick", taken) if taken else None
        if drawn is None or drawn[0] != self._empty(before):
            return b.op("mcount", empty)
        count = b.op("isub", count, b.i(1))
        self._know_count(empty, count)
        return count

    def _extended(self, bounds: tuple[Value, Value], reach: Value, more: Value) -> Value:
        """The reach of a fill to whose bounds some cells have come, and so the fill."""
        b, (seeds, within) = self.b, bounds
        front = b.op("mand", more, reach)
        grows = b.op("many", front)
        rest = b.op("mless", within, reach)
        new = b.choose(grows, lambda: self._grown(reach, more, rest), lambda: reach)
        filled = b.op("mand", within, new)
        b.know("mfill", seeds, within, detail=self.shape.beside, value=filled)
        self._growth[bounds] = b.scope(), grows
        return new

    def _grown(self, reach: Value, more: Value, rest: Value) -> Value:
        """A reach with that of some more cells in it, and of what they meet of the rest."""
        b = self.b
        beside = self._beside_cells(b.op("mand", more, reach), b.made("mpick", more))
        wider, outer, left = (b.let(cells) for cells in (reach, beside, rest))

        def grow() -> None:
            beside, now = b.get(outer), b.get(left)
            b.set(wider, b.op("mor", b.get(wider), beside))
            met = b.op("mand", beside, now)
            b.when(b.op("fnot", b.op("many", met)), b.leave)
            b.set(left, b.op("mless", now, met))
            b.set(outer, b.op("mmove", met, detail=self.shape.beside))

        b.loop(grow)
        return b.get(wider)

    def _beside_cells(self, cells: Value, drawn: tuple[Value, ...] | None) -> Value:
        """What is next to some cells, or to the one that was drawn if that is among them."""
        if drawn is None:
            return self.b.op("mmove", cells, detail=self.shape.beside)
        return self.b.op("mlook", self.b.op("mnth", *drawn), detail=self.shape.around)

    # where kept fills are asked for

    def _some_of_both(self, op: Op, scene: Scene) -> Value:
        if any(self._has_grown(arg, scene) for arg in op.args):
            # No need to look at the bounds first.
            return self.b.op("many", self.value(op, scene))
        return super()._some_of_both(op, scene)

    def _end_changed(self, when: Op, scene: Scene, before: Position) -> Value:
        """An end that reads fills, and else what has not changed, holds only if one has grown."""
        plain = self._without_grown(when, scene)
        if plain == when or "player" in facts_of_loops(when):
            return super()._end_changed(when, scene, before)
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
    changes = [op for e in effects for op in walk(e) if "pieces" in OPS[op.name].changes]
    return all(op.name == "put" and _is_free(op.args[2]) for op in changes)


def _takes_one(group: Group) -> bool:
    """Whether a group is the placing of a piece on any empty cell, and no more."""
    return group.kind == "place" and group.target == make("empty") and not group.then


def _is_free(cells: Op) -> bool:
    """Whether a set is seen to hold no other than empty cells."""
    if cells.name == "minus":
        return _is_free(cells.args[0])
    return cells.name == "empty" or (cells.name == "and" and any(map(_is_free, cells.args)))
