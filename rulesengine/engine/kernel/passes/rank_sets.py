"""Selection by `keep` as target sets: `keep: most count(captured)` without making the moves.

A number of each target is a sum of weights of sets, as in a tally. The targets with the greatest
sum are found bit by bit, for all of them at once. See decision 188.
"""

from collections.abc import Iterator

from rulesengine.engine.kernel.analysis.planes import EMPTY, planes_of
from rulesengine.engine.kernel.passes.candidate_sets import UnsupportedOperation
from rulesengine.engine.kernel.passes.forbid_sets import ForbidSets
from rulesengine.engine.kernel.passes.placement_sets import CandidatePlacements
from rulesengine.engine.kernel.passes.tallies import Tallies
from rulesengine.language.ir.ops import Op, make
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import has_role, is_variable
from rulesengine.language.ir.rules import Group, Key
from rulesengine.language.ir.tallies import make_best
from rulesengine.support.frozen import replace

# More sets cost more than a test of each move.
_MOST_SETS = 64


def rank_targets(program: Program) -> Program:
    """Return a program with the targets that `keep` selects, where these are sets."""
    rules = program.rules
    keys = [key for key in rules.keep if isinstance(key, Key)]
    if not keys or len(keys) < len(rules.keep) or program.slots_of_moves():
        return program
    ranks, tiers, ranked = RankSets(program), list(rules.tiers), set(rules.unranked)
    for number, tier in enumerate(rules.tiers):
        targets = None if number in ranked else ranks.of_tier(tier, keys)
        if targets is not None:
            tiers[number] = targets
            ranked.add(number)
    left = rules.keep if len(ranked) < len(tiers) else ()
    unranked = tuple(sorted(ranked)) if left else ()
    changed = replace(rules, tiers=tuple(tiers), keep=left, unranked=unranked)
    return replace(program, rules=changed)


class RankSets(ForbidSets):
    """The targets of one program with the greatest or least numbers."""

    def of_tier(self, tier: tuple[Group, ...], keys: list[Key]) -> tuple[Group, ...] | None:
        """Return the only group of a tier with the selected targets; None if unsupported."""
        if len(tier) != 1:
            return None
        (group,) = tier
        if group.kind == "pass" and not group.choice and not group.then:
            return tier  # one move, which no key drops
        try:
            return (self._selected(group, keys),)
        except UnsupportedOperation:
            return None

    def _selected(self, group: Group, keys: list[Key]) -> Group:
        if group.forbid is not None or group.then:
            raise UnsupportedOperation
        cells = self._targets(group)
        at = self._placed(group, cells)
        for key in keys:
            cells = self._best(cells, key, group, at)
        return replace(group, target=cells, when=None)

    def _best(self, cells: Op, key: Key, group: Group, at: CandidatePlacements) -> Op:
        number = self._before_move(key.value, group, at)
        if self.facts.may_fail(number):
            raise UnsupportedOperation
        parts = Tallies(self.lifting, self.lifting.satisfying_cells).parts(number, "to")
        if parts is None or len(parts) > _MOST_SETS:
            raise UnsupportedOperation
        weights = tuple(weight for weight, _ in parts)
        return make_best(cells, [of for _, of in parts], weights, key.order)

    def _before_move(self, value: Op, group: Group, at: CandidatePlacements) -> Op:
        """Return a number of a move in the state before it, without a record of the move."""
        if has_role(value, "size") and has_role(value.args[0], "record"):
            if value.args[0].value != "captured":
                raise UnsupportedOperation
            return make("count", self._captured(group, at))
        if value.args and not has_role(value, "record"):
            args = tuple(self._before_move(arg, group, at) for arg in value.args)
            return replace(value, args=args)
        if has_role(value, "record") or is_variable(value, "choice", "from"):
            raise UnsupportedOperation
        return value

    def _captured(self, group: Group, at: CandidatePlacements) -> Op:
        """Return the cells of captured pieces: those of the only effect of a placement."""
        effects = (*group.effects, *self.program.rules.effects)
        if len(effects) != 1 or not has_role(effects[0], "flip", "removal"):
            raise UnsupportedOperation
        cells = effects[0].args[0]
        if not self._are_of_others(cells) or not self._are_empty(at.cells):
            raise UnsupportedOperation
        return self._before(cells, at)

    def _are_of_others(self, cells: Op) -> bool:
        """True if a set provably has pieces of other players than the mover only."""
        sides, kinds = range(self.sides), len(self.program.rules.kinds)
        return any(
            all(self._has_no_own(planes_of(part, self.sides, kinds, side), side) for side in sides)
            for part in _supersets(cells)
        )

    def _has_no_own(self, planes: frozenset[int] | None, side: int) -> bool:
        return planes is not None and not any(
            plane == EMPTY or plane % (self.sides + 1) == side for plane in planes
        )

    def _are_empty(self, cells: Op) -> bool:
        return any(has_role(part, "vacancy") for part in _supersets(cells))


def _supersets(cells: Op) -> Iterator[Op]:
    """Yield sets that contain a set."""
    yield cells
    if has_role(cells, "meet"):
        for part in cells.args:
            yield from _supersets(part)
    if has_role(cells, "difference"):
        yield from _supersets(cells.args[0])
    if has_role(cells, "row"):
        yield from _supersets(cells.args[1])
