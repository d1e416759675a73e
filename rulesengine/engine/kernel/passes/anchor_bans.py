"""The targets that a ban forbids to the only piece that it reads, such as a king.

The ban after the step is a condition on the target, which is lifted to a set: the attacked cells.
See decision 168.
"""

from collections.abc import Iterable
from functools import reduce
from operator import and_, or_

from rulesengine.engine.kernel.analysis.ban_bounds import BansOfMovers
from rulesengine.engine.kernel.analysis.board_tables import cells_of
from rulesengine.engine.kernel.analysis.planes import EMPTY
from rulesengine.engine.kernel.passes.lift import Vectoriser
from rulesengine.engine.kernel.passes.step_paths import StepPaths
from rulesengine.language.ir.ops import Op, actions, make
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import has_role, is_single
from rulesengine.language.ir.rules import Group

_FROM = make("single", Op("variable", "cell", (), "from"))
_TO = make("single", Op("variable", "cell", (), "to"))


class _Unsupported(Exception):
    """An operation that is not lifted."""


class AnchorBans:
    """The forbidden targets of the bans of one program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._lifting = Vectoriser(program)
        self._bounds = BansOfMovers(program)
        self._paths = StepPaths(self._lifting.shape, self._lifting.facts, "to")
        self._anchored: tuple[frozenset[int], ...] = ()
        self._memo: dict[int, tuple[Op, Op | None]] = {}

    def of(self, ban: Op) -> Op | None:
        """Return the targets that a ban forbids to the only anchor, on the cell `from`.

        Return None if they are not known.
        """
        if id(ban) not in self._memo:
            self._memo[id(ban)] = ban, self._lifted(ban)
        return self._memo[id(ban)][1]

    def applies(self, group: Group) -> bool:
        """True if the steps of a group move a piece and change no other."""
        effects = (*group.effects, *self._program.rules.effects)
        return group.kind == "move" and not any(map(actions, effects))

    def _lifted(self, ban: Op) -> Op | None:
        self._anchored = self._bounds.anchor_planes(ban)
        try:
            after = self._flag(ban)
        except _Unsupported:
            return None
        cells = self._lifting.satisfying_cells(after, "to")
        return None if cells is None else self._lifting.rewritten(cells)

    def _flag(self, op: Op) -> Op:
        """Return a condition after the step, in the state before it. Raises _Unsupported."""
        if has_role(op, "meet", "join", "complement") and op.type == "flag":
            return make(op.name, *map(self._flag, op.args))
        if not has_role(op, "nonempty", "void"):
            raise _Unsupported
        return make(op.name, self._set(op.args[0]))

    def _set(self, op: Op) -> Op:
        """Return a set after the step, which never has the target. Raises _Unsupported.

        The target is outside, so it does not matter what the piece replaces there.
        """
        after = self._after(op)
        if not self._paths.reads(after) or self._may_reach_itself(after):
            raise _Unsupported
        return after

    def _after(self, op: Op) -> Op:
        if self._lifting.facts.is_fixed(op):
            return op
        planes = self._bounds.planes(op)
        if planes is not None:
            return self._of_pieces(op, planes)
        if has_role(op, "meet"):
            return self._met(op)
        if has_role(op, "join"):
            return make(op.name, *map(self._after, op.args))
        if has_role(op, "difference"):
            return self._less(op)
        if has_role(op, "shift", "neighbourhood"):
            return make(op.name, self._after(op.args[0]), *op.args[1:])
        if has_role(op, "ray"):
            start, directions, through = op.args
            ray = make(op.name, self._after(start), directions, self._after(through))
        elif has_role(op, "row"):
            start, over, until, *rest = op.args
            sets = (self._after(cells) for cells in (start, over, until))
            ray = make(op.name, *sets, *rest)
            if not is_single(ray.args[0], "to"):
                raise _Unsupported
        else:
            raise _Unsupported
        return self._apart(ray)

    def _of_pieces(self, op: Op, planes: tuple[frozenset[int], ...]) -> Op:
        """Return a set of pieces after the step, exact but for the target."""
        pairs = list(zip(planes, self._anchored, strict=True))
        if all(of == own for of, own in pairs):
            return _TO
        if any(of & own for of, own in pairs):
            raise _Unsupported
        return make("or", op, _FROM) if any(EMPTY in of for of in planes) else op

    def _met(self, op: Op) -> Op:
        """Return an intersection after the step; sets of pieces in it are exact where it reads."""
        parts = [self._after(arg) for arg in self._bounds.operands(op)]
        return self._apart(make(op.name, *parts))

    def _less(self, op: Op) -> Op:
        first, subtracted = op.args
        rest = make(op.name, self._after(first), self._after(subtracted))
        if self._paths.reads(rest.args[1]):
            paths = self._paths.of(rest)
            if not paths:
                raise _Unsupported
            cells = [path.cells for path in paths]
            rest = make("or", *cells) if len(cells) > 1 else cells[0]
        return self._apart(rest)

    def _apart(self, op: Op) -> Op:
        """Return a set that reads sets of pieces; raise _Unsupported if it may read the target."""
        if self._may_reach_itself(op):
            raise _Unsupported
        return op

    def _may_reach_itself(self, op: Op) -> bool:
        """True if a set may have the target, for some target and contents of the board."""
        return any(reach >> cell & 1 for cell, reach in enumerate(self._reach(op)))

    def _reach(self, op: Op) -> list[int]:
        """Return for each target a superset of a set."""
        shape = self._lifting.shape
        if is_single(op, "to"):
            return [1 << cell for cell in range(shape.cells)]
        if not self._paths.reads(op):
            return [shape.full] * shape.cells
        return self._reach_of(op)

    def _reach_of(self, op: Op) -> list[int]:
        shape, topology = self._lifting.shape, self._program.topology
        if has_role(op, "meet"):
            reaches = [self._reach(arg) for arg in op.args]
            return [_intersection(sets) for sets in zip(*reaches, strict=True)]
        if has_role(op, "join"):
            reaches = [self._reach(arg) for arg in op.args]
            return [_union(sets) for sets in zip(*reaches, strict=True)]
        first = self._reach(op.args[0])
        if has_role(op, "difference"):
            return first
        ways = range(len(shape.targets))
        if has_role(op, "neighbourhood") and len(op.args) == 1:
            adjacency = topology.adjacency
            return [_union(adjacency[c] for c in cells_of(reach)) for reach in first]
        if has_role(op, "shift", "neighbourhood"):
            for arg in op.args[1:]:
                directions = self._directions(arg, ways)
                first = [
                    _union(
                        1 << shape.targets[d][c]
                        for c in cells_of(reach)
                        for d in directions
                        if shape.targets[d][c] >= 0
                    )
                    for reach in first
                ]
            return first
        limit = op.args[1] if has_role(op, "ray") else op.args[-1]
        lines = self._directions(limit, ways)
        return [
            _union(1 << t for c in cells_of(reach) for d in lines for t in topology.ray(c, d))
            for reach in first
        ]

    def _directions(self, op: Op, every: range) -> list[int]:
        """Return the directions that a set may have."""
        possible = self._lifting.possible_directions(op)
        if possible is None:
            return list(every)
        return [d for d in every if any(mask >> d & 1 for mask in possible)]


def _union(sets: Iterable[int]) -> int:
    return reduce(or_, sets, 0)


def _intersection(sets: Iterable[int]) -> int:
    return reduce(and_, sets)
