"""The moves of a spec: tiers of groups of steps, and the steps that follow within a move."""

from collections.abc import Mapping as Table
from types import MappingProxyType
from typing import cast

from rulesengine.language.check.choices import ChoiceChecker
from rulesengine.language.check.context import (
    PLAYER,
    Context,
    ExpressionContext,
    error_op,
    is_error,
)
from rulesengine.language.check.effects import EffectChecker
from rulesengine.language.check.expressions import ExpressionChecker
from rulesengine.language.check.move_templates import NotationChecker
from rulesengine.language.check.reader import Reader, get, items, text
from rulesengine.language.check.suggestions import new_name, with_key
from rulesengine.language.check.tile_steps import TileChecker
from rulesengine.language.document.edits import with_entry, without_entry, without_item
from rulesengine.language.document.nodes import Mapping, Node, Scalar, Sequence
from rulesengine.language.ir.ops import Op, literal, make
from rulesengine.language.ir.roles import constant, has_role
from rulesengine.language.ir.rules import Audience, Group, GroupKind, Then
from rulesengine.support.diagnostic import Suggestion, did_you_mean

NO_STEP: Table[str, Op] = MappingProxyType({})
DIRECTION = Op("variable", "direction", (), "direction")
FROM = Op("variable", "cell", (), "from")
TO = Op("variable", "cell", (), "to")
_TAGS: tuple[GroupKind, ...] = ("place", "move", "select", "pass", "swap")


def view(slot: str, step: Table[str, Op] = NO_STEP) -> ExpressionContext:
    """Return the view of a part of the rules: for `player`, with the names of a step."""
    return ExpressionContext(slot, PLAYER, MappingProxyType({}), MappingProxyType(dict(step)))


class Moves:
    """The checker of groups of steps in a context."""

    def __init__(
        self,
        context: Context,
        reader: Reader,
        expressions: ExpressionChecker,
        effects: EffectChecker,
    ) -> None:
        self.context = context
        self.reader = reader
        self.expressions = expressions
        self.effects = effects
        self.choices = ChoiceChecker(context, reader, expressions)
        self.tiles = TileChecker(context, self.choices)
        self.writings = NotationChecker(context, expressions)
        self._count = 0
        # The operations of the names of choices in each group, without those of chance.
        self.chosen: list[Table[str, Op]] = []

    def tiers(self, node: Node | None, forbid: Node | None) -> tuple[tuple[Group, ...], ...]:
        """Check the groups of `moves`; `otherwise` separates the tiers."""
        tiers: list[list[Group]] = [[]]
        last: Node | None = None
        for item in items(node):
            if isinstance(item, Scalar) and text(item) == "otherwise":
                tiers.append([])
                last = item
            else:
                tiers[-1].append(self._group(item, forbid))
        if any(not tier for tier in tiers) and last is not None:
            message = "`otherwise` belongs between two groups of moves"
            help = "leave it out, or write a group on both sides"
            if isinstance(node, Sequence):
                span, write = without_item(node, last)
                help = Suggestion(help, write, span)
            self.context.report("empty-tier", last.span, message, help)
        return tuple(tuple(tier) for tier in tiers)

    def steps(self, node: Node | None, forbid: Node | None) -> tuple[Group, ...]:
        """Check the groups of `steps`."""
        return tuple(self._group(item, forbid) for item in items(node))

    def check_names(self, node: Node | None, groups: tuple[Group, ...]) -> None:
        """Report a `then` that names no group, and a name that two groups have."""
        names = [group.name for group in groups]
        for item in (*items(get(node, "moves")), *items(get(node, "steps"))):
            step = get(get(item, "then"), "step")
            if step is not None and text(step) not in names:
                hint = did_you_mean(text(step), names) or _named_groups(node, text(step))
                message = f"no group of moves is called `{text(step)}`"
                self.context.report("unknown-name", step.span, message, hint)
            name = get(item, "name")
            if name is not None and names.count(text(name)) > 1:
                message = f"two groups are called `{text(name)}`"
                self.context.report("name-taken", name.span, message, new_name(text(name)))

    def branches(self, node: Node | None) -> tuple[Group, ...]:
        """Check the branches of chance, with their weights."""
        return tuple(self._group(item, None, is_branch=True) for item in items(node))

    def _group(self, node: Node, forbid: Node | None, *, is_branch: bool = False) -> Group:
        self._count += 1
        kind = self._kind(node, "chance" if is_branch else "pass")
        name = text(get(node, "name"), f"{kind}{self._count}")
        site = self.context.site(node.span)
        self.context.clauses.setdefault(("moves", name), node)
        step: dict[str, Op] = {}
        slot = self.context.free_slot if is_branch else "moves"
        along = self._optional(get(node, "along"), view(slot), "directions")
        step |= {"direction": DIRECTION} if along is not None else {}
        origin = None
        if kind == "move":
            origin = self._optional(get(node, "move"), view(slot, step), "cells")
            step["from"] = FROM
        target = self._target(kind, node, view(slot, step))
        step |= {"to": TO} if target is not None else {}
        chosen = self.choices.check(get(node, "choice"), view(slot, step))
        cover = self.tiles.cover(node, kind, chosen, view(slot, step))
        chosen = cover.table if cover else chosen
        step |= chosen.names
        if not is_branch:
            right = {name: op for name, op in chosen.names.items() if not is_error(op)}
            self.chosen.append(right)
        written = self.writings.check(get(node, "written"), step)
        if written is None and kind == "chance":
            written = self.writings.default_notation(node, chosen)
        weight = self._weight(get(node, "weight"), view(slot, step)) if is_branch else None
        piece, side = self._piece(kind, node, view(slot, step))
        when = self._optional(get(node, "when"), view(slot, step), "flag")
        effects = self.do(get(node, "do"), view("effects", step))
        if get(node, "take") is not None and (kind != "move" or not self.context.stacks):
            self._no_stacks(node)
        if self.context.stacks and kind in ("place", "move"):
            amount = self._optional(get(node, "take"), view(slot, step), "number")
            effects = (*self.effects.stacks.of_step(kind, (piece, side), amount, site), *effects)
            kind = "lay" if kind == "place" else "lift"
        if cover and piece and side and target:
            kind, effects = "tile", self.tiles.effects(cover, (piece, side), effects)
            target = make("fitting", target, *cover.form)
        forbid = get(node, "forbid") or forbid
        forbidden = self._optional(forbid, view("forbid", step), "flag")
        then = self._then(get(node, "then"), view("effects", step))
        group = Group(
            name, kind, piece, side, along, origin, target, chosen.values, when, effects, forbidden,
            then, self.context.sites[site], None, chosen.choices, written, weight,
            cast(Audience, text(get(node, "told"))), cover.tiles if cover else (),
        )  # fmt: skip
        self.writings.shows_choices(get(node, "written"), group)
        return group

    def _no_stacks(self, node: Node) -> None:
        """Report `take` in a step that does not move pieces of stacks."""
        assert isinstance(node, Mapping)
        entry = node.entry("take")
        assert entry is not None
        message = "`take` is how many pieces of a stack a `move` carries"
        if self._kind(node, "pass") == "move":
            message = "`take` needs a board with stacks"
        span, write = without_entry(node, entry)
        help = Suggestion("leave it out", write, span)
        self.context.report("not-here", entry.key_span, message, help)

    def _weight(self, node: Node | None, at: ExpressionContext) -> Op:
        """Check the weight of a branch, a positive number."""
        weight = self._optional(node, at, "number") or literal("number", 1)
        number = None if is_error(weight) else _number(weight)
        if node is not None and number is not None and number < 1:
            message = f"a weight is a number above 0, found {number}"
            help = Suggestion(
                "write 1; a branch that cannot be is left out by `when`", "1", node.span
            )
            self.context.report("not-allowed-value", node.span, message, help)
        return weight

    def _kind(self, node: Node, default: GroupKind) -> GroupKind:
        tags = (tag for tag in _TAGS if get(node, tag) is not None or text(node) == tag)
        kind: GroupKind = next(tags, default)
        if kind == "swap" and len(self.context.players) != 2:
            message = f"`swap` needs two players, there are {len(self.context.players)}"
            self.context.report("not-here", node.span, message)
        return kind

    def _target(self, kind: GroupKind, node: Node, at: ExpressionContext) -> Op | None:
        if kind in ("pass", "swap", "chance"):
            return None
        if kind == "select":
            return self._optional(get(node, "select"), at, "cells")
        target = self._optional(get(node, "to"), at, "cells")
        if get(node, "to") is None and isinstance(node, Mapping):
            message = f"`{kind}` needs the cells that it may go to"
            span = node.entries[0].key_span
            help = with_key(node, "to: empty", "add `to: empty`")
            self.context.report("missing-key", span, message, help)
        return target

    def _piece(
        self, kind: GroupKind, node: Node, at: ExpressionContext
    ) -> tuple[Op | None, Op | None]:
        if kind != "place":
            return None, None
        piece = self.reader.parse(get(node, "place"))
        return self.effects.piece(piece, at) if piece else (error_op(), error_op())

    def _then(self, node: Node | None, at: ExpressionContext) -> Then | None:
        if node is None:
            return None
        optional = get(node, "optional")
        return Then(
            text(get(node, "step")),
            self._optional(get(node, "from"), at, "cells"),
            self._optional(get(node, "along"), at, "directions"),
            self._optional(get(node, "when"), at, "flag"),
            isinstance(optional, Scalar) and optional.value is True,
        )

    def _optional(self, node: Node | None, at: ExpressionContext, expected: str) -> Op | None:
        parsed = self.reader.parse(node)
        if parsed is None:
            return None if node is None else error_op()
        return self.expressions.check(parsed, at, expected)

    def do(self, node: Node | None, at: ExpressionContext) -> tuple[Op, ...]:
        """Check a list of effects, or a single one."""
        parsed = [self.reader.parse(item, "effect") for item in items(node)]
        return tuple(self.effects.effect(p, at) for p in parsed if p is not None)


def _number(op: Op) -> int | None:
    """Return the value of a number literal with its sign."""
    if has_role(op, "negation"):
        number = constant(op.args[0])
        return None if number is None else -number
    return constant(op)


def _named_groups(rules: Node | None, name: str) -> str:
    """Return the help for a `then` that names no group: the names, or how to give one."""
    groups = [*items(get(rules, "moves")), *items(get(rules, "steps"))]
    known = [text(name_node) for group in groups if (name_node := get(group, "name")) is not None]
    if known:
        return "the groups with a name are " + ", ".join(f"`{name}`" for name in known)
    help = f"write `name: {name}` in the group of `moves` or `steps` that follows"
    if len(groups) == 1 and isinstance(groups[0], Mapping):
        span, write = with_entry(groups[0], f"name: {name}")
        return Suggestion(help, write, span)
    return help
