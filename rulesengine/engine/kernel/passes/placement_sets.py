"""Sets after a placement, for all candidate cells at once.

A placement changes a set at one cell only. So the sets of all candidates have one representation
(`CandidateSets`), and so have cell-wise combinations of them. A placement may change more of a
connected component. Such a candidate, and any other without an exact result, is doubtful: results
do not apply to it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from rulesengine.engine.kernel.analysis.planes import EMPTY, planes_of, side_of
from rulesengine.engine.kernel.passes.candidate_sets import CandidateSets, UnsupportedOperation
from rulesengine.engine.kernel.passes.group_sets import GroupSets
from rulesengine.engine.kernel.passes.lift import Vectoriser
from rulesengine.engine.kernel.passes.placement_groups import (
    Groups,
    PlacementGroups,
    cells_of_groups,
)
from rulesengine.engine.kernel.passes.placement_lines import NewRows, new_lines, new_runs
from rulesengine.engine.kernel.passes.tallies import adjacent_directions
from rulesengine.language.ir.ops import OPS, Op, literal, make
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import (
    domain_type,
    has_role,
    is_single,
    is_variable,
    loop_function,
    role_of,
)
from rulesengine.language.ir.tallies import Tally, make_tally
from rulesengine.support.frozen import replace as replace_op

_NO_CELLS = literal("cells", 0)
_MAX_OFFSETS = 24  # with more neighbour offsets than this, neighbours are not counted


@dataclass(frozen=True, slots=True)
class CandidatePlacements:
    """The candidates for a placement of a kind and a side, and the pieces removed after it.

    `doubts` collects sets of doubtful candidates, `memo` memoises the families of operations.
    """

    cells: Op
    kind: Op
    side: Op
    removed: CandidateSets = field(default_factory=lambda: CandidateSets(_NO_CELLS, _NO_CELLS))
    doubts: list[Op] = field(default_factory=list)
    memo: dict[int, tuple[Op, CandidateSets]] = field(default_factory=dict)

    def without(self, taken: CandidateSets, join: Callable[[Op, Op], Op]) -> "CandidatePlacements":
        """Return the same placements with further pieces removed."""
        rest, here = join(self.removed.rest, taken.rest), join(self.removed.here, taken.here)
        return replace(self, removed=CandidateSets(rest, here), memo={})


class CandidateEvaluator:
    """The evaluation of sets and flags of one program for all candidates."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.lifting, self.group_sets = Vectoriser(program), GroupSets(program)
        self.facts, self.build = self.lifting.facts, self.lifting.build
        self.sides, self.all, self.none = self.lifting.sides, self.lifting.all, self.lifting.none
        self.planes = tuple(i for i, symbol in enumerate(program.form.symbols) if symbol)

    def flag_of(self, op: Op, at: CandidatePlacements) -> Op:
        """Return the candidates that satisfy a flag; raises `UnsupportedOperation`."""
        doubts = len(at.doubts)
        try:
            return self._flag(op, at)
        except UnsupportedOperation:
            del at.doubts[doubts:]
            allowed = self.lifting.satisfying_cells(self._before(op, at), "to")
            if allowed is None:
                raise
            return allowed

    def _before(self, op: Op, at: CandidatePlacements) -> Op:
        """Write an operation after a placement on `to` as one in the state before it.

        A ray from `to` does not meet the cell again, so that its sets need no change there.
        """
        if is_single(op, "to") or self.is_constant(op) or is_variable(op):
            return op
        if has_role(op, "row", "ray") and is_single(op.args[0], "to"):
            if self.lifting.shape.rays(self.lifting.shape.every).cyclic:
                raise UnsupportedOperation
            sets = [self.exact_sets(a, at).rest if a.type == "cells" else a for a in op.args[1:]]
            return replace_op(op, args=(op.args[0], *sets))
        if not OPS[op.name].reads <= {"variables"}:
            raise UnsupportedOperation
        return replace_op(op, args=tuple(self._before(arg, at) for arg in op.args))

    def _flag(self, op: Op, at: CandidatePlacements) -> Op:
        if domain_type(op) == "groups":
            return self._some_group(op, at)
        match role_of(op):
            case "meet" | "join" as role:
                name = "and" if role == "meet" else "or"
                return self.build(name, *(self.flag_of(arg, at) for arg in op.args))
            case "complement":
                return self.build("not", self.flag_of(op.args[0], at))
            case "nonempty":
                return self._some(op.args[0], at)
            case "void":
                return self.build("not", self._some(op.args[0], at))
            case "order" | "equality" if op.args[0].type == "number":
                numbers = [self._number(arg, at) for arg in op.args]
                return self.everywhere_if(self.build(op.name, *numbers))
        raise UnsupportedOperation

    def _some_group(self, op: Op, at: CandidatePlacements) -> Op:
        """Return the candidates with a group that satisfies a condition on its size."""
        if loop_function(op) not in ("any", "none") or self.facts.may_fail(op):
            raise UnsupportedOperation
        assert isinstance(op.value, tuple)
        cells, body = op.args
        if self._remains(cells, at) and self.facts.is_fixed(body):
            return self.everywhere_if(replace_op(op, args=(self.family(cells, at).rest, body)))
        groups = self._groups(cells_of_groups(cells) or cells, at)
        satisfying = groups.satisfying(body, str(op.value[1]), groups.of(cells))
        some = self._has_groups(satisfying, at)
        return some if loop_function(op) == "any" else self.build("not", some)

    def _remains(self, cells: Op, at: CandidatePlacements) -> bool:
        """True if a set is the same for all candidates."""
        try:
            sets = self.family(cells, at)
        except UnsupportedOperation:
            return False
        return sets.here == sets.vague == self.none

    def _groups(self, cells: Op, at: CandidatePlacements) -> PlacementGroups:
        groups = PlacementGroups(self.group_sets, cells, lambda op: self.exact_sets(op, at))
        if len(self.lifting.shape.adjacency.deltas) > _MAX_OFFSETS:
            raise UnsupportedOperation
        self._add_doubts(groups.after.rest, at)
        return groups

    def _has_groups(self, groups: Groups, at: CandidatePlacements) -> Op:
        """Return the candidates with a new group in a set; all are in doubt if it had one."""
        at.doubts.append(
            self.build("and", at.cells, self.everywhere_if(make("any", groups.before)))
        )
        return groups.new

    def everywhere_if(self, flag: Op) -> Op:
        return self.build("if", flag, self.all, self.none)

    def _some(self, op: Op, at: CandidatePlacements) -> Op:
        """Return the candidates with a nonempty set, by an operation."""
        rows = self._rows(op, at)
        if rows is None:
            return self._some_cell(op, at)
        remains = self.everywhere_if(rows.before)
        self._add_doubts(self.build("and", rows.breaking, remains), at)
        return self.build("or", remains, rows.through)

    def _some_cell(self, op: Op, at: CandidatePlacements) -> Op:
        """Return the candidates with a nonempty set of cells or of whole groups."""
        doubts = len(at.doubts)
        try:
            return self._nonempty(self.family(op, at), at)
        except UnsupportedOperation:
            del at.doubts[doubts:]
            cells = cells_of_groups(op)
            if cells is None:
                raise
            return self._has_groups(self._groups(cells, at).of(op), at)

    def _rows(self, op: Op, at: CandidatePlacements) -> NewRows | None:
        """Return the rows of a line or of a run from some cells; None for other sets."""
        if not has_role(op, "line", "row") or has_role(op.args[0], "singleton"):
            return None
        cells = [arg for arg in op.args if arg.type == "cells"]
        if has_role(op, "row"):  # it ends where the cells of the row do
            cells[2] = self.build("minus", cells[2], cells[1])
        parts = [self.exact_sets(arg, at) for arg in cells]
        joins = parts[0 if has_role(op, "line") else 1].here
        if has_role(op, "line") and joins in (self.all, self.none):
            self._add_doubts(parts[0].rest, at)
            rows = new_lines(op, parts[0].rest, joins == self.all, self.lifting)
        elif joins == self.all and parts[0].here == parts[2].here == self.none:
            self._add_doubts(parts[1].rest, at)
            start, over, until = (part.rest for part in parts)
            rows = new_runs(op, (start, over, until), self.lifting)
        else:
            rows = None
        if rows is None:
            raise UnsupportedOperation
        return rows

    def _nonempty(self, cells: CandidateSets, at: CandidatePlacements) -> Op:
        """Return the candidates with a nonempty set."""
        self._add_doubts(cells.rest, at)
        sure = self.build("or", cells.here, cells.some)
        self._add_doubts(self.build("minus", cells.vague, sure), at)
        return self.build("or", self.everywhere_if(self.build("any", cells.rest)), sure)

    def _add_doubts(self, cells: Op, at: CandidatePlacements) -> None:
        """Mark the candidates in a set as doubtful."""
        at.doubts.append(self.build("and", at.cells, cells))

    def _number(self, op: Op, at: CandidatePlacements) -> Op:
        """Return a number that is the same for all candidates; raises `UnsupportedOperation`."""
        if has_role(op, "repetition", "age"):
            return self._repeats(at)
        if self.is_constant(op):
            return op
        if has_role(op, "size") and "to" not in self.facts.variables(op):
            return self._size(self.exact_sets(op.args[0], at), at)
        if op.args and op.type == "number" and OPS[op.name].reads <= {"variables"}:
            if not self.facts.may_fail(op):
                return replace_op(op, args=tuple(self._number(arg, at) for arg in op.args))
        raise UnsupportedOperation

    def _size(self, cells: CandidateSets, at: CandidatePlacements) -> Op:
        """Return the number of cells of a set that all candidates join, or none does."""
        if cells.here not in (self.all, self.none):
            raise UnsupportedOperation
        self._add_doubts(cells.rest, at)
        count = self.build("count", cells.rest)
        return count if cells.here == self.none else self.build("add", count, literal("number", 1))

    def _repeats(self, at: CandidatePlacements) -> Op:
        """Return 0; all candidates are doubtful if an earlier position had as many pieces."""
        if at.removed.here not in (self.none, self.all):
            raise UnsupportedOperation
        counts = [self._count_on(plane, at) for plane in self.planes]
        at.doubts.append(self.everywhere_if(make("met", *counts)))
        return literal("number", 0)

    def _count_on(self, plane: int, at: CandidatePlacements) -> Op:
        """Return the number of pieces of a kind and an owner after a placement."""
        number, owner = divmod(plane, self.sides + 1)
        kind, side = literal("kind", number), literal("side", owner)
        rest = self.build(
            "minus",
            self.build("and", self.build("of_kind", kind), self.build("owned", side)),
            at.removed.rest,
        )
        self._add_doubts(rest, at)
        count = self.build("count", rest)
        if at.removed.here == self.all:
            return count
        same = self.build(
            "both", self.build("equal", at.kind, kind), self.build("equal", at.side, side)
        )
        one, zero = literal("number", 1), literal("number", 0)
        return self.build("add", count, self.build("if", same, one, zero))

    def is_constant(self, op: Op) -> bool:
        fixed = self.facts.is_fixed(op) and "to" not in self.facts.variables(op)
        return fixed and not self.facts.may_fail(op)

    def family(self, op: Op, at: CandidatePlacements) -> CandidateSets:
        """Return the sets of all candidates; raises `UnsupportedOperation` if there is no exact
        family.
        """
        if id(op) not in at.memo:
            at.memo[id(op)] = op, self._family(op, at)
        return at.memo[id(op)][1]

    def _family(self, op: Op, at: CandidatePlacements) -> CandidateSets:
        if self.is_constant(op):
            return CandidateSets(op, op)
        if is_single(op, "to"):
            return CandidateSets(self.none, self.all)
        pieces = self._pieces(op, at)
        if pieces is not None:
            return pieces
        if has_role(op, "meet", "join", "difference", "complement"):
            return self._combined(op, at)
        if has_role(op, "closure"):
            return self._filled(op, at)
        if has_role(op, "row") and is_single(op.args[0], "to"):
            return self._without_run(op, at)
        rule = _OF_NAMES.get(op.name)
        if rule is None:
            raise UnsupportedOperation
        return rule(self, op, at)

    def _with_several(self, op: Op, at: CandidatePlacements) -> CandidateSets:
        """Return the components adjacent to several cells of a set that loses the candidate.

        The candidate joins the components. If it has two free neighbours, so has its component. The
        other components keep their neighbours; those around the candidate must have had several.
        """
        within, free = (self.exact_sets(arg, at) for arg in op.args)
        directions = adjacent_directions(self.lifting.shape)
        if op.value != "several" or directions is None:
            raise UnsupportedOperation
        if within.here != self.all or free.here != self.none:
            raise UnsupportedOperation
        self._add_doubts(within.rest, at)
        several = make("components", within.rest, free.rest, value="several")
        weak = make("neighbours", self.build("minus", within.rest, several))
        near = [
            self.build("back", free.rest, literal("directions", 1 << direction))
            for direction in directions
        ]
        wide = make_tally(near, Tally((1,) * len(near), 2))
        self._add_doubts(self.build("or", weak, self.build("not", wide)), at)
        return CandidateSets(several, self.all)

    def _without_run(self, op: Op, at: CandidatePlacements) -> CandidateSets:
        """Return no cells for a run from the candidate; those with a run become doubtful."""
        allowed = self.lifting.satisfying_cells(self.build("any", self._before(op, at)), "to")
        if allowed is None:
            raise UnsupportedOperation
        self._add_doubts(allowed, at)
        return CandidateSets(self.none, self.none)

    def _pieces(self, op: Op, at: CandidatePlacements) -> CandidateSets | None:
        """Return the family of a union of whole planes and empty cells; None for other sets."""
        allowed = {self._placed_and_empty(op, at, side) for side in range(self.sides)}
        if len(allowed) > 1 or None in allowed:
            return None
        ((has_placed, has_empty),) = filter(None, allowed)
        join = "or" if has_empty else "minus"
        here = self.all if has_placed else self.none
        removed = at.removed
        return CandidateSets(
            self.build(join, op, removed.rest), self.build(join, here, removed.here)
        )

    def _placed_and_empty(
        self, op: Op, at: CandidatePlacements, player: int
    ) -> tuple[bool, bool] | None:
        """Return two flags: a set contains the piece placed by a player, and the empty cells."""
        planes = planes_of(op, self.sides, len(self.program.rules.kinds), player)
        kind, side = at.kind.value, side_of(at.side, self.sides, player)
        if planes is None or side is None or not isinstance(kind, int):
            return None
        return kind * (self.sides + 1) + side in planes, EMPTY in planes

    def _combined(self, op: Op, at: CandidatePlacements) -> CandidateSets:
        """Combine the families of the arguments cell by cell."""
        parts = [self.family(arg, at) for arg in op.args]
        vague = self.build("or", *(part.vague for part in parts))
        rest = self.build(op.name, *(part.rest for part in parts))
        here = self.build(op.name, *(part.here for part in parts))
        if has_role(op, "complement"):
            return CandidateSets(rest, here, vague)
        return CandidateSets(rest, here, vague, self._not_empty(op, parts, at))

    def _not_empty(self, op: Op, parts: Sequence[CandidateSets], at: CandidatePlacements) -> Op:
        """Return candidates with a certainly nonempty set, by subtracting from a component."""
        if has_role(op, "join"):
            return self.build("or", *(part.some for part in parts))
        if has_role(op, "difference") and has_role(op.args[1], "closure"):
            if parts[0] == self.exact_sets(op.args[1].args[1], at):
                return parts[1].vague
        return self.none

    def exact_sets(self, op: Op, at: CandidatePlacements) -> CandidateSets:
        """Return the sets of all candidates; candidates without an exact set become doubtful."""
        sets = self.family(op, at)
        self._add_doubts(sets.vague, at)
        return CandidateSets(sets.rest, sets.here)

    def _filled(self, op: Op, at: CandidatePlacements) -> CandidateSets:
        """Return the connected components adjacent to a set that loses the candidate.

        A component stays adjacent unless the candidate is its only adjacent cell. A candidate that
        joins the filled set merges the components around it.
        """
        within = self.exact_sets(op.args[1], at)
        free = self._seed_source(op.args[0], within, at)
        joins = within.here == self.all
        if free.here != self.none or len(self.lifting.shape.adjacency.deltas) > _MAX_OFFSETS:
            raise UnsupportedOperation
        if len(op.args) > 2 or not (joins or within.here == self.none):
            raise UnsupportedOperation
        self._add_doubts(within.rest, at)
        several, one, last = (
            make("components", within.rest, free.rest, value=selection)
            for selection in ("several", "one", "last")
        )
        cells = self.build("or", several, one)
        if not joins:
            return CandidateSets(cells, self.none, last)
        at.doubts.append(self.build("minus", at.cells, free.rest))
        near, around = make("neighbours", free.rest), make("neighbours", several)
        here = self.build("or", near, around)
        return CandidateSets(cells, here, self.build("minus", last, here))

    def _seed_source(
        self, start: Op, within: CandidateSets, at: CandidatePlacements
    ) -> CandidateSets:
        """Return the set that a fill takes its seeds from: they are its neighbours inside
        `within`.
        """
        sets = None
        for part in start.args if has_role(start, "meet") else (start,):
            if has_role(part, "neighbourhood") and len(part.args) == 1 and sets is None:
                sets = self.exact_sets(part.args[0], at)
            elif self.exact_sets(part, at) != within:
                raise UnsupportedOperation
        if sets is None:
            raise UnsupportedOperation
        return sets


Family = Callable[[CandidateEvaluator, Op, CandidatePlacements], CandidateSets]

# The families of operations that passes make.
_OF_NAMES: MappingProxyType[str, Family] = MappingProxyType(
    {"components": CandidateEvaluator._with_several}
)
