"""Kernel code for moves that are counted by parts: a group and a direction, without a list.

Steps with a known ban are counted by the sizes of their target sets. Only steps that may change a
ban are listed, and the steps of the part that a move is selected from. See decision 167.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from rulesengine.engine.kernel.code.form import Type, Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.duplicate_steps import possible_duplicates
from rulesengine.engine.kernel.emit.lifted_queries import emit_cells_where
from rulesengine.engine.kernel.emit.move_list import (
    LIST_TYPES,
    LISTS,
    STRIDE,
    make_listed_move,
)
from rulesengine.engine.kernel.emit.move_sets import SelectedMove, place_of_steps
from rulesengine.engine.kernel.emit.part_lists import (
    EVERY,
    Part,
    is_counted,
    list_part,
    parts_of,
    scene_of,
)
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.engine.kernel.emit.step_bans import StateBan
from rulesengine.engine.kernel.emit.step_images import image_cells, image_size, target_images
from rulesengine.engine.kernel.emit.untouched_bans import (
    state_ban,
)
from rulesengine.engine.kernel.passes.step_paths import necessary_sets
from rulesengine.support.limits import MAX_MOVES


@dataclass(slots=True)
class MovesInParts:
    """The moves of a tier by parts; `ends` are the numbers of moves up to each part."""

    ctx: Context
    at: Position
    side: Value
    ends: tuple[Value, ...]
    count: Value

    def nth(self, index: Value, use: Callable[[SelectedMove], None]) -> None:
        """Call `use` with the move of an index: the steps of its part are listed."""
        ctx, b = self.ctx, self.ctx.b
        part, before = b.i(0), b.i(0)
        for end in self.ends[:-1]:
            is_after = b.op("ile", end, index)
            part = b.op("iadd", part, b.op("fint", is_after))
            before = b.op("pick", is_after, end, before)
        moves = ctx.lists[1]
        base = b.result("size", "i", moves)
        list_part(ctx, self.at, self.side, part, b.m(b.full))
        left = b.op("imul", b.op("isub", index, before), b.i(STRIDE))
        start = b.op("iadd", base, left)
        end = b.op("iadd", start, b.i(STRIDE))
        use(
            SelectedMove(
                lambda: make_listed_move(ctx, self.at, moves, start, end, self.side)[0],
                lambda places: place_of_steps(ctx, moves, start, end, places),
            )
        )
        b.effect("cut", moves, base)


def uses_parts(ctx: Context, at: Position, side: Value) -> bool:
    """True if moves are counted by parts: one tier of single steps, some with a known ban."""
    if side.constant is None or ctx.answers:
        return False
    if side.constant not in ctx.counts_parts:
        ctx.counts_parts[side.constant] = _may_use_parts(ctx, Environment(at, {"player": side}))
    return ctx.counts_parts[side.constant]


def _may_use_parts(ctx: Context, scene: Environment) -> bool:
    rules = ctx.rules
    if len(rules.tiers) != 1 or rules.keep or rules.chance is not None or rules.likely:
        return False
    if any(group.kind not in ("move", "place") or group.then for group in rules.groups):
        return False
    if any(group.chooses_first for group in rules.groups):
        return False
    if not any(map(partial(is_counted, ctx), rules.groups)):
        return False
    return not any(alike for _, alike in possible_duplicates(ctx, scene, rules.tiers[0]))


def with_parts(
    ctx: Context,
    at: Position,
    side: Value,
    use: Callable[[MovesInParts], None],
    other: Callable[[], None],
) -> None:
    """Call `use` with the moves of a side by parts, or `other` if there are none."""
    counted = count_parts(ctx, at, side)
    ctx.b.when(ctx.b.op("ilt", ctx.b.i(0), counted.count), lambda: use(counted), other)


def count_parts(ctx: Context, at: Position, side: Value) -> MovesInParts:
    """Count the moves of a side by parts, once for a state."""
    key = side, at.values()
    if key in ctx.part_counts and ctx.b.reaches(ctx.part_counts[key][0]):
        ends = ctx.part_counts[key][1]
    else:
        ends = ctx.b.call(_counter(ctx, at, side), *ctx.lists, *at.values())
        ctx.part_counts[key] = ctx.b.scope(), ends
    return MovesInParts(ctx, at, side, ends, ends[-1])


def known_count(ctx: Context, at: Position, side: Value) -> Value | None:
    """Return the number of moves of a side if they are already counted here."""
    key = side, at.values()
    if key in ctx.part_counts and ctx.b.reaches(ctx.part_counts[key][0]):
        return ctx.part_counts[key][1][-1]
    return None


def _counter(ctx: Context, at: Position, side: Value) -> str:
    """Return the name of the function that returns the number of moves up to each part."""
    name = ctx.named(f"count_parts_{side.constant}")
    if name in ctx.b.module.functions:
        return name
    parts, outer = parts_of(ctx, at, side), ctx.lists
    results: list[Type] = ["i"] * len(parts)
    with ctx.b.function(name, (*LIST_TYPES, *ctx.layout.types), results) as values:
        ctx.lists = list(values[:LISTS])
        position = Position.of(ctx.layout, values[LISTS:])
        total, ends = ctx.b.i(0), []
        for number, part in enumerate(parts):
            total = ctx.b.op("iadd", total, _PartCounter(ctx, position, side, number, part).count())
            ends.append(total)
        ctx.b.when(ctx.b.op("ilt", ctx.b.i(MAX_MOVES), total), ctx.b.fail)
        ctx.b.emit_return(*ends)
    ctx.lists = outer
    return name


class _PartCounter:
    """The count of the moves of one part."""

    def __init__(self, ctx: Context, at: Position, side: Value, number: int, part: Part) -> None:
        self.ctx, self.at, self.side, self.number = ctx, at, side, number
        self.group = ctx.rules.groups[part.group]
        direction = ctx.b.i(part.direction if part.direction != EVERY else -1)
        self.scene = scene_of(ctx, at, side).with_(direction=direction)
        self.ban = state_ban(ctx, scene_of(ctx, at, side), part.group)
        self.choices = max(1, len(self.group.choice))

    def count(self) -> Value:
        """Return the number of moves of the part."""
        watched = None
        if is_counted(self.ctx, self.group) and self.ban is not None:
            watched = self._watched(self.ban)
        if self.ban is None or watched is None:
            return self._listed_if_possible()
        if self.group.origin is None:
            return self._placements(self.ban, watched)
        images = target_images(self.ctx, self.group, self.scene)
        if images is None:
            return self._one_by_one(self.ban, watched)
        return self._together(self.ban, watched, images)

    def _listed(self, origins: Value) -> Value:
        """Return the number of moves with origins in a set, which are listed and removed again."""
        b, moves = self.ctx.b, self.ctx.lists[1]
        base = b.result("size", "i", moves)
        list_part(self.ctx, self.at, self.side, b.i(self.number), origins)
        words = b.op("isub", b.result("size", "i", moves), base)
        b.effect("cut", moves, base)
        return b.op("ishr", words, b.i(STRIDE.bit_length() - 1))

    def _listed_if_possible(self) -> Value:
        """Return the number of moves, which are listed unless a set that they need is empty."""
        ctx, b, possible = self.ctx, self.ctx.b, self.ctx.b.f(True)
        if self.group.when is not None:
            for cells in necessary_sets(ctx.facts, self.group.when):
                some = b.op("many", ctx.value(cells, self.scene))
                possible = b.op("fand", possible, some)
        return b.choose(possible, lambda: self._listed(b.m(b.full)), lambda: b.i(0))

    def _watched(self, ban: StateBan) -> Value | None:
        """Return the targets of steps that may change the ban; None if they depend on more."""
        targets = ban.targets
        for condition in ban.exceptions:
            cells = emit_cells_where(self.ctx, condition, "to", self.scene)
            if cells is None or self.ctx.facts.variables(condition) & {"from", "choice"}:
                return None
            targets = self.ctx.b.op("mor", targets, cells)
        return targets

    def _allowed(self, ban: StateBan, size: Value) -> Value:
        """Return the number of moves of steps that leave the ban as it is."""
        b = self.ctx.b
        return b.op("pick", ban.holds, b.i(0), b.op("imul", size, b.i(self.choices)))

    def _together(self, ban: StateBan, watched: Value, images: Sequence[Value]) -> Value:
        """Count the steps from all origins at once, unless some may change the ban."""
        b = self.ctx.b
        assert self.group.origin is not None
        origins = self.ctx.value(self.group.origin, self.scene)
        touched = b.op("many", b.op("mand", image_cells(self.ctx, list(images)), watched))
        touched = b.op("for", touched, b.op("many", b.op("mand", origins, ban.origins)))
        return b.choose(
            self._or_unsafe(ban, touched),
            lambda: self._listed(b.m(b.full)),
            lambda: self._allowed(ban, image_size(self.ctx, list(images))),
            "seldom",
        )

    def _or_unsafe(self, ban: StateBan, touched: Value) -> Value:
        assert ban.safe is not None
        return self.ctx.b.op("for", touched, self.ctx.b.op("fnot", ban.safe))

    def _placements(self, ban: StateBan, watched: Value) -> Value:
        b = self.ctx.b
        assert self.group.target is not None
        targets = self.ctx.value(self.group.target, self.scene)
        touched = b.op("many", b.op("mand", targets, watched))
        return b.choose(
            self._or_unsafe(ban, touched),
            lambda: self._listed(b.m(b.full)),
            lambda: self._allowed(ban, b.op("mcount", targets)),
        )

    def _one_by_one(self, ban: StateBan, watched: Value) -> Value:
        """Count the steps from each origin; those that may change the ban are listed."""
        ctx, b = self.ctx, self.ctx.b
        group, scene = self.group, self.scene
        assert group.origin is not None
        assert group.target is not None
        target = group.target
        total, doubtful = b.let(b.i(0)), b.let(b.m(0))

        def add(cell: Value) -> None:
            targets = ctx.value(target, scene.with_(from_=cell))
            is_lone = b.op("mhas", ban.lone, cell)
            targets = b.op("mless", targets, b.op("pick", is_lone, ban.forbidden, b.m(0)))
            touched = b.op("mhas", ban.origins, cell)
            touched = b.op("for", touched, b.op("many", b.op("mand", targets, watched)))
            touched = b.op("fand", touched, b.op("fnot", is_lone))
            more = b.op("pick", self._or_unsafe(ban, touched), b.op("mcell", cell), b.m(0))
            counts = b.op("for", is_lone, b.op("fnot", ban.holds))
            size = b.op("pick", counts, b.op("mcount", targets), b.i(0))
            size = b.op("pick", b.op("many", more), b.i(0), size)
            b.set(doubtful, b.op("mor", b.get(doubtful), more))
            b.set(total, b.op("iadd", b.get(total), size))

        ctx.each_cell(ctx.value(group.origin, scene), add)
        listed = b.choose(
            b.op("many", b.get(doubtful)), lambda: self._listed(b.get(doubtful)), lambda: b.i(0)
        )
        return b.op("iadd", listed, b.op("imul", b.get(total), b.i(self.choices)))
