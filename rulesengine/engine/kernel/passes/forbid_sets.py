"""Evaluates `forbid` for all placements at once: the legal ones, and those to test one by one."""

from rulesengine.engine.kernel.analysis.facts import inside
from rulesengine.engine.kernel.passes.candidate_sets import UnsupportedOperation
from rulesengine.engine.kernel.passes.placement_sets import (
    CandidateEvaluator,
    CandidatePlacements,
)
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import constant, has_role
from rulesengine.language.ir.rules import DecidedTargets, Group
from rulesengine.support.frozen import replace


def evaluate_forbids(program: Program) -> Program:
    """Return a program with `forbid` evaluated as sets, where possible."""
    if not any(group.forbid for group in program.rules.groups):
        return program
    bans = ForbidSets(program)
    tiers = tuple(tuple(map(bans.decided, tier)) for tier in program.rules.tiers)
    return replace(program, rules=replace(program.rules, tiers=tiers))


class ForbidSets(CandidateEvaluator):
    """The evaluation of the `forbid` conditions of one program."""

    def decided(self, group: Group) -> Group:
        """Return the group with its evaluated targets; unchanged if that is not possible."""
        try:
            return replace(group, decided=self._decide(group))
        except UnsupportedOperation:
            return group

    def _decide(self, group: Group) -> DecidedTargets:
        if group.forbid is None or self.facts.may_fail(group.forbid):
            raise UnsupportedOperation
        if not self.facts.is_player(self.program.rules.next):
            raise UnsupportedOperation
        cells = self._targets(group)
        at = self._placed(group, cells)
        for effect in (*group.effects, *self.program.rules.effects):
            at = self._changed(effect, at)
        forbidden = self.flag_of(group.forbid, at)
        doubtful = self.build("and", cells, self.build("or", *at.doubts))
        sure = self.build("minus", cells, doubtful)
        return DecidedTargets(self.build("minus", sure, forbidden), doubtful)

    def _targets(self, group: Group) -> Op:
        """Return the targets that satisfy `when`."""
        if group.target is None or group.along or group.origin or group.choice:
            raise UnsupportedOperation
        if group.when is None:
            return group.target
        allowed = self.lifting.satisfying_cells(group.when, "to")
        if allowed is None or self.facts.may_fail(group.target):
            raise UnsupportedOperation
        return self.build("and", group.target, allowed)

    def _placed(self, group: Group, cells: Op) -> CandidatePlacements:
        """Return the states after a placement on each cell, before any effect."""
        if group.kind != "place" or group.piece is None or group.side is None:
            raise UnsupportedOperation
        if not (self.is_constant(group.piece) and self.is_constant(group.side)):
            raise UnsupportedOperation
        if not self._has_symbols(group.piece, group.side):
            raise UnsupportedOperation
        return CandidatePlacements(cells, group.piece, group.side)

    def _has_symbols(self, piece: Op, side: Op) -> bool:
        """True if the piece has a symbol, whichever player places it."""
        kind, owner = constant(piece), constant(side)
        if kind is None:
            return False
        if owner is not None:
            sides = [owner]
        elif self.facts.is_player(side):
            sides = list(range(self.sides))
        else:
            return False
        return all(kind * (self.sides + 1) + each in self.planes for each in sides)

    def _changed(self, effect: Op, at: CandidatePlacements) -> CandidatePlacements:
        if has_role(effect, "removal"):
            taken = self.exact_sets(effect.args[0], at)
            return at.without(taken, lambda a, b: self.build("or", a, b))
        if has_role(effect, "assignment") and len(effect.args) == 1:
            # Conditions do not read registers here; a value out of range would be an error.
            assert isinstance(effect.value, tuple)
            register = self.facts.registers[str(effect.value[0])]
            value, bounds = effect.args[0], (register.low, register.high)
            fits = register.type != "number" or inside(self.facts.range(value), bounds)
            if fits and not self.facts.may_fail(value):
                return at
        raise UnsupportedOperation
