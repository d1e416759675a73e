"""Limits of the numbers of pieces, as conditions and effects.

A piece is placed only if its owner has fewer than the limit. An effect that could exceed the limit
is followed by one that fails if it did, unless the bounds prove that this never happens.

See decision 053.
"""

from collections.abc import Iterable, Mapping

from rulesengine.board.topology import Topology
from rulesengine.language.ir.constants import NotConstant, number
from rulesengine.language.ir.ops import Op, literal, make
from rulesengine.language.ir.roles import is_constant
from rulesengine.language.ir.rules import Group, Kind, Rules, Statement, rewrite
from rulesengine.language.lower.piece_bounds import PieceBounds
from rulesengine.language.lower.problem import LoweringError
from rulesengine.language.lower.size_bounds import SizeBounds
from rulesengine.support.frozen import replace


def with_constant_limits(rules: Rules, parameters: Mapping[str, int | str]) -> Rules:
    """Return the rules with the limits of their kinds evaluated; raises LoweringError."""
    return replace(
        rules, kinds=tuple(_with_constant_limit(kind, parameters) for kind in rules.kinds)
    )


def with_piece_limits(rules: Rules, board: Topology) -> Rules:
    """Return the rules with conditions and effects that enforce the limits of their kinds."""
    return _Limits(rules, board).rules() if any(kind.limit for kind in rules.kinds) else rules


def _with_constant_limit(kind: Kind, parameters: Mapping[str, int | str]) -> Kind:
    if kind.limit is None:
        return kind
    message = f"how many `{kind.name}` there can be is a number from 0 on"
    try:
        limit = number(kind.limit.at_most, parameters)
    except NotConstant as error:
        raise LoweringError(kind.limit.site, "not-constant", f"{message}: {error}") from None
    if limit < 0:
        message += f", found {limit}"
        raise LoweringError(kind.limit.site, "bad-range", message)
    return replace(kind, limit=replace(kind.limit, at_most=literal("number", limit)))


class _Limits:
    """A pass that adds conditions and effects for the limits that rules could exceed."""

    def __init__(self, rules: Rules, board: Topology) -> None:
        self.old = rules
        self.census = PieceBounds(rules, board.cells, SizeBounds(board).cells)

    def rules(self) -> Rules:
        old, chance = self.old, self.old.chance
        if chance is not None:
            chance = replace(chance, branches=tuple(map(self._group, chance.branches)))
        return replace(
            old,
            start=self._effects(old.start),
            tiers=tuple(tuple(map(self._group, tier)) for tier in old.tiers),
            steps=tuple(map(self._group, old.steps)),
            effects=self._effects(old.effects),
            script=tuple(map(self._statement, old.script)),
            chance=chance,
        )

    def _statement(self, statement: Statement) -> Statement:
        return rewrite(statement, self._effect)

    def _group(self, group: Group) -> Group:
        effects = self._effects(group.effects, group.choice)
        return replace(group, when=self._when(group), effects=effects)

    def _when(self, group: Group) -> Op | None:
        """Return the condition of a group, with the test that its owner has fewer pieces than
        allowed.
        """
        tests = [group.when] if group.when else []
        placed = self._breakable(self.census.placed(group))
        if group.piece and group.side:
            for kind in sorted({self._kind(plane) for plane in placed}):
                few = make("less", _number(kind, group.side), self._limit(kind))
                other = make("deny", make("equal", group.piece, literal("kind", kind)))
                is_known = is_constant(group.piece)
                tests.append(few if is_known else make("either", other, few))
        return make("both", *tests) if len(tests) > 1 else next(iter(tests), None)

    def _effects(self, effects: Iterable[Op], choice: tuple[Op, ...] = ()) -> tuple[Op, ...]:
        return tuple(self._effect(effect, choice) for effect in effects)

    def _effect(self, op: Op, choice: tuple[Op, ...] = ()) -> Op:
        """Return an effect with a check after each part that could exceed a limit."""
        if op.type != "effect":
            return op
        args = tuple(self._effect(arg, choice) for arg in op.args)
        tests = map(self._ensure, self._breakable(self.census.added_planes(op, choice)))
        parts = (Op(op.name, op.type, args, op.value), *tests)
        return make("block", *parts) if len(parts) > 1 else parts[0]

    def _breakable(self, planes: Iterable[int]) -> list[int]:
        """Return the planes that could hold more pieces than their kind allows."""
        census = self.census
        return [p for p in sorted(planes) if census.come_to((p,)) > census.limits[p]]

    def _ensure(self, plane: int) -> Op:
        """Return the effect that fails if there are too many pieces on a plane."""
        kind, owner = divmod(plane, self.census.sides + 1)
        row, limit = self.old.kinds[kind], self.old.kinds[kind].limit
        assert limit is not None
        player = f" of {self.old.players[owner].name}" if owner < self.census.sides else ""
        message = f"too many `{row.name}`{player}, at most {limit.at_most.value}"
        few = make("at_most", _number(kind, literal("side", owner)), limit.at_most)
        return make("ensure", few, value=(message, str(limit.site)))

    def _kind(self, plane: int) -> int:
        return plane // (self.census.sides + 1)

    def _limit(self, kind: int) -> Op:
        limit = self.old.kinds[kind].limit
        assert limit is not None
        return limit.at_most


def _number(kind: int, side: Op) -> Op:
    """Return the number of pieces of a kind that a side has, as an operation."""
    of_kind = make("of_kind", literal("kind", kind))
    return make("count", make("and", of_kind, make("owned", side)))
