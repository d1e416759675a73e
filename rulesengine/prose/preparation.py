"""Specialisation of rules to the values of their parameters, by constant folding.

Names of regions, cells and directions are not folded, because readers need them.
"""

from contextlib import suppress

from rulesengine.board.topology import Topology
from rulesengine.language.ir.constants import NotConstant, number
from rulesengine.language.ir.ops import Op, literal, make
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import constant, has_role, is_by_side, is_constant, role_of
from rulesengine.language.ir.rules import Group, Rules, rewrite, without_effect
from rulesengine.language.lower import with_seats
from rulesengine.language.lower.simplify import NOTHING
from rulesengine.support.frozen import replace


def prepared(rules: Rules, program: Program) -> Rules:
    """Return the rules for the parameters of a program, without groups that are never legal."""
    rules = with_seats(rules, program.topology, dict(program.parameters))
    folding = _ParameterFolder(rules, program)
    fixed = without_effect(rewrite(rules, folding.fold), NOTHING)
    tiers = tuple(tuple(_group(g) for g in tier if not _never(g)) for tier in fixed.tiers)
    not_empty = tuple(tier for tier in tiers if tier)
    return replace(fixed, tiers=not_empty)


def _never(group: Group) -> bool:
    return group.when is not None and _flag(group.when) is False


def _group(group: Group) -> Group:
    always = group.when is not None and _flag(group.when) is True
    return replace(group, when=None) if always else group


def _flag(op: Op) -> bool | None:
    return bool(op.value) if is_constant(op) and op.type == "flag" else None


class _ParameterFolder:
    """Folds expressions that depend on parameters, from the leaves up."""

    def __init__(self, rules: Rules, program: Program) -> None:
        self.rules = rules
        self.board: Topology = program.topology
        self.values = dict(program.parameters)

    def fold(self, op: Op) -> Op:
        op = Op(op.name, op.type, tuple(self.fold(a) for a in op.args), op.value)
        if op.type == "number":
            with suppress(NotConstant):
                return literal("number", number(op, self.values))
        match role_of(op):
            case "parameter":
                return self._parameter(op)
            case "selection":
                return self._selected(op)
            case "place" if all(map(is_constant, op.args)):
                return self._cell(op)
            case "meet" | "join" if op.type == "flag":
                return _joined(op)
            case "complement" if (known := _flag(op.args[0])) is not None:
                return literal("flag", int(not known))
            case "equality" if all(map(is_constant, op.args)):
                return literal("flag", int(op.args[0].value == op.args[1].value))
        return op

    def _selected(self, op: Op) -> Op:
        """Return the operand that a known side or flag selects, else the selection.

        An effect without an operand for the flag is left out.
        """
        side, flag = constant(op.args[0]), _flag(op.args[0])
        if is_by_side(op) and side is not None:
            return op.args[1 + side] if 0 <= side < len(self.rules.players) else op
        if flag is None:
            return op
        return next(iter(op.args[1:2] if flag else op.args[2:]), NOTHING)

    def _parameter(self, op: Op) -> Op:
        value = self.values[str(op.value)]
        if op.type == "side":
            names = [p.name for p in self.rules.players]
            value = names.index(value) if value in names else -1
        return literal(op.type, value)

    def _cell(self, op: Op) -> Op:
        row, column = (int(a.value or 0) for a in op.args)  # type: ignore[arg-type]
        cell = self.board.cell_at(row, column)
        return op if cell is None else literal("cell", cell)


def _joined(op: Op) -> Op:
    """Join flags by `both` or `either`, without those that have no effect."""
    neutral = has_role(op, "meet")
    known = [_flag(a) for a in op.args]
    if (not neutral) in known:
        return literal("flag", int(not neutral))
    rest = tuple(a for a, flag in zip(op.args, known, strict=True) if flag is None)
    if not rest:
        return literal("flag", int(neutral))
    return rest[0] if len(rest) == 1 else make(op.name, *rest)
