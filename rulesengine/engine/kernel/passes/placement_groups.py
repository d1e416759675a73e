"""Conditions on connected groups after a placement, for all candidate cells at once.

A placement joins the groups around its cell to a new one and leaves the others as they are. So a
set of whole groups needs two forms: the set before, and the candidates with a new group in it. See
decision 187.
"""

from collections.abc import Callable

from rulesengine.engine.kernel.passes.candidate_sets import CandidateSets, UnsupportedOperation
from rulesengine.engine.kernel.passes.group_sets import GroupSets
from rulesengine.language.ir.ops import Op, make
from rulesengine.language.ir.roles import (
    constant,
    has_role,
    is_reflexive,
    is_variable,
    role_of,
)
from rulesengine.support.frozen import record


@record
class Groups:
    """A set of whole groups: those before the placement, and the candidates with a new one in it.

    - `grows`: if the set has a part of the new group, it has the new group.
    - `shrinks`: if the set has the new group, it has all parts of it.
    """

    before: Op
    new: Op
    grows: bool
    shrinks: bool


class PlacementGroups:
    """The sets of whole groups of some cells.

    `exact` returns a set after the placement, `sets` the groups that satisfy other conditions than
    those on sizes. Raises `UnsupportedOperation` if not every candidate joins the cells.
    """

    def __init__(self, sets: GroupSets, cells: Op, exact: Callable[[Op], CandidateSets]) -> None:
        self.sets, self.build, self.cells, self.exact = sets, sets.build, cells, exact
        self.after = exact(cells)
        if self.after.here != sets.all:
            raise UnsupportedOperation

    def of(self, op: Op) -> Groups:
        """Return a set of whole groups; raises `UnsupportedOperation`."""
        if op == self.cells:
            return Groups(self.after.rest, self.sets.all, True, True)
        if _several(op) == self.cells:
            rest = [self.of(arg) for arg in op.args if arg != make("neighbours", self.cells)]
            return self._joined("and", [self._at_least(self.of(self.cells), 2), *rest])
        if has_role(op, "meet", "join"):
            return self._joined(op.name, [self.of(arg) for arg in op.args])
        if has_role(op, "difference"):
            return self._less(*map(self.of, op.args))
        if has_role(op, "closure") and len(op.args) == 2 and op.args[1] == self.cells:
            seeds = self.exact(op.args[0])
            filled = self.build("fill", seeds.rest, self.after.rest)
            new = self.build("or", seeds.here, make("neighbours", filled))
            return Groups(filled, new, True, False)
        raise UnsupportedOperation

    def satisfying(self, body: Op, name: str, within: Groups) -> Groups:
        """Return the groups of a set that satisfy a condition on their size."""
        match role_of(body):
            case "constant" if constant(body) == 1:
                return within
            case "meet" | "join" as role:
                parts = [self.satisfying(arg, name, within) for arg in body.args]
                return self._joined("and" if role == "meet" else "or", parts)
            case "complement":
                return self._less(within, self.satisfying(body.args[0], name, within))
            case "order" | "equality":
                return self._compared(body, name, within)
        lifted = self.sets.satisfying(body, name, self.cells)
        if lifted is None:
            raise UnsupportedOperation
        return self._joined("and", [within, self.of(lifted)])

    def _joined(self, name: str, parts: list[Groups]) -> Groups:
        grow, shrink = (part.grows for part in parts), (part.shrinks for part in parts)
        before, new = (part.before for part in parts), (part.new for part in parts)
        return Groups(self.build(name, *before), self.build(name, *new), all(grow), all(shrink))

    def _less(self, some: Groups, others: Groups) -> Groups:
        return Groups(
            self.build("minus", some.before, others.before),
            self.build("minus", some.new, others.new),
            some.grows and others.shrinks,
            some.shrinks and others.grows,
        )

    def _compared(self, body: Op, name: str, within: Groups) -> Groups:
        for place, (size, bound) in enumerate((body.args, body.args[::-1])):
            limit = constant(bound)
            if limit is None or not (has_role(size, "size") and is_variable(size.args[0], name)):
                continue
            if has_role(body, "equality"):
                return self._less(self._at_least(within, limit), self._at_least(within, limit + 1))
            strict = 0 if is_reflexive(body) else 1
            if place == 1:
                return self._at_least(within, limit + strict)
            return self._less(within, self._at_least(within, limit - strict + 1))
        raise UnsupportedOperation

    def _at_least(self, within: Groups, least: int) -> Groups:
        """Return the groups of a set with at least so many cells."""
        if least <= 1:
            return within
        # Groups outside a set that shrinks are not around a new group that is in the set.
        cells = within.before if within.shrinks else self.after.rest
        if least == 2:
            joined = make("neighbours", cells)
            alone = self.build("and", cells, joined)
        else:
            alone, joined = (
                make("large_groups", cells, value=(selection, str(least)))
                for selection in ("alone", "joined")
            )
        return self._joined("and", [within, Groups(alone, joined, True, False)])


def cells_of_groups(op: Op) -> Op | None:
    """Return the cells with groups that make up a set; None if these are not known.

    Other sets have no fill in them: their own groups are meant.
    """
    if has_role(op, "closure") and len(op.args) == 2:
        return op.args[1]
    if (cells := _several(op)) is not None:
        return cells
    if has_role(op, "meet", "join", "difference"):
        return next(
            (cells_of_arg for arg in op.args if (cells_of_arg := cells_of_groups(arg))), None
        )
    return None


def _several(op: Op) -> Op | None:
    """Return the cells of which a meet has only those with an adjacent one, else None."""
    if not has_role(op, "meet"):
        return None
    return next((arg for arg in op.args if make("neighbours", arg) in op.args), None)
