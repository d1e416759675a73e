"""Restriction of moves to observations: words for pieces read the cells seen. See decision 142.

Each operation that reads pieces is intersected with the cells seen. So programs need no further
construct, and kernels compile the same operations as in other games.
"""

from dataclasses import dataclass, field

from rulesengine.board.topology import Topology
from rulesengine.language.ir.hiding import hidden_in
from rulesengine.language.ir.ops import Op, literal, make
from rulesengine.language.ir.roles import has_role, is_variable
from rulesengine.language.ir.rules import (
    Group,
    Operand,
    Rules,
    Statement,
    StrategyWithArguments,
    Visibility,
    rewrite,
)
from rulesengine.language.lower.simplify import simplify
from rulesengine.support.frozen import replace


def with_views(rules: Rules, board: Topology) -> Rules:
    """Return lowered rules with moves and strategies restricted to the cells seen."""
    if not hidden_in(rules).pieces:
        return rules
    masking = _VisibilityMask(rules, board)
    return replace(
        rules,
        tiers=tuple(tuple(map(masking.group, tier)) for tier in rules.tiers),
        steps=tuple(map(masking.group, rules.steps)),
        keep=rewrite(rules.keep, masking.masked),
        strategies=rewrite(rules.strategies, masking.masked),
        script=tuple(map(masking.statement, rules.script)),
        unranked=(),
    )


def cells_seen(sees: Visibility | None, side: Op, part: str) -> Op:
    """Return the cells with pieces that a side sees, or with owners that it sees (`known`)."""
    all_cells = Op("region", "cells", (), "all")
    if sees is None or sees.cells is None:
        return all_cells
    cells = _as_seen_by(side, sees.cells)
    if part == "cells" or sees.owners is None:
        return cells
    return make("or", cells, _as_seen_by(side, sees.owners))


def _as_seen_by(side: Op, op: Op) -> Op:
    """Substitute a side for the variable `player` of an expression; shared parts stay shared."""
    if is_variable(side, "player"):
        return op
    memo: dict[int, Op] = {}

    def substituted(inner: Op) -> Op:
        if id(inner) not in memo:
            args = tuple(map(substituted, inner.args))
            is_player = is_variable(inner, "player")
            memo[id(inner)] = side if is_player else replace(inner, args=args)
        return memo[id(inner)]

    return substituted(op)


@dataclass(slots=True)
class _VisibilityMask:
    """The restriction of lowered operations to the cells that `player` sees; shared ones stay
    shared.
    """

    rules: Rules
    board: Topology
    cells: Op = field(init=False)
    known: Op = field(init=False)
    _memo: dict[int, tuple[Op, Op]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        sees = self.rules.sees
        assert sees is not None
        assert sees.cells is not None
        self.cells = sees.cells
        self.known = (
            self._simple(make("or", sees.cells, sees.owners)) if sees.owners else sees.cells
        )

    def group(self, group: Group) -> Group:
        """Return a group that generates the steps by the cells that a player sees."""
        return replace(
            group,
            piece=rewrite(group.piece, self.masked),
            side=rewrite(group.side, self.masked),
            along=rewrite(group.along, self.masked),
            origin=rewrite(group.origin, self.masked),
            target=rewrite(group.target, self.masked),
            choice=rewrite(group.choice, self.masked),
            choices=rewrite(group.choices, self.masked),
            when=rewrite(group.when, self.masked),
        )

    def statement(self, statement: Statement) -> Statement:
        """Return a statement with its strategies restricted to the cells seen."""
        return replace(
            statement,
            operands=tuple(map(self._operand, statement.operands)),
            body=tuple(map(self.statement, statement.body)),
            otherwise=tuple(map(self.statement, statement.otherwise)),
        )

    def _operand(self, operand: Operand) -> Operand:
        if not isinstance(operand, StrategyWithArguments):
            return operand
        return replace(operand, strategy=rewrite(operand.strategy, self.masked))

    def masked(self, op: Op) -> Op:
        """Return an operation without the pieces that the player does not see."""
        if op in (self.cells, self.known):
            return op  # the cells seen depend on the whole position
        if id(op) not in self._memo:
            args = tuple(map(self.masked, op.args))
            new = op if args == op.args else self._simple(replace(op, args=args))
            self._memo[id(op)] = op, self._restricted(new)
        return self._memo[id(op)][1]

    def _restricted(self, op: Op) -> Op:
        if has_role(op, "vacancy"):
            return self._simple(make("and", op, self.known))
        if has_role(op, "pieces"):
            visible = self.known if op.args[0].type == "side" else self.cells
            return self._simple(make("and", op, visible))
        if has_role(op, "attribute"):
            visible = self.known if op.type == "side" else self.cells
            return self._where_seen(make("member", op.args[0], visible), op, literal(op.type, -1))
        if has_role(op, "cell register") and self._is_by_cell(op):
            cell = op.args[0]
            start = next(r.start for r in self.rules.registers if r.name == _name(op))
            missing = make("equal", cell, literal("cell", -1))
            visible = make("either", make("member", cell, self.cells), missing)
            return self._where_seen(visible, op, start)
        return op

    def _is_by_cell(self, op: Op) -> bool:
        return _name(op) in hidden_in(self.rules).numbers

    def _where_seen(self, visible: Op, op: Op, otherwise: Op) -> Op:
        return self._simple(make("if", self._simple(visible), op, otherwise, type=op.type))

    def _simple(self, op: Op) -> Op:
        return simplify(op, self.board)


def _name(op: Op) -> str:
    """Return the name of the register of a number at a cell."""
    return str(op.value[0] if isinstance(op.value, tuple) else op.value)
