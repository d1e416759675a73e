"""Upper bounds of a ban over many steps at once: attacks that an own piece can open or block.

A step of a piece that a ban does not read empties one cell and fills another. A part of the ban
that grows with emptiness can hold after the step only if it holds with the origin empty. So one
evaluation without all pieces around a king finds that no piece is pinned. See decision 166.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rulesengine.engine.kernel.analysis.ban_regions import BanRegions
from rulesengine.engine.kernel.analysis.facts import Facts
from rulesengine.engine.kernel.analysis.planes import EMPTY, planes_of
from rulesengine.language.ir.ops import Op, contained_in, literal, make
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import (
    alternatives,
    domain_type,
    has_role,
    is_of_side,
    is_variable,
    loop_function,
    parts_of,
)
from rulesengine.language.ir.rules import Group

_PLAYER = Op("variable", "side", (), "player")
_OWN = make("owned", _PLAYER)
_NONE, _FALSE = literal("cells", 0), literal("flag", 0)
_MONOTONE_LOOPS = frozenset({"any", "every", "union"})

Planes = tuple[frozenset[int], ...]  # planes of a set for each player


class _NotMonotone(Exception):
    """An operation that may grow with a set that shrinks."""


@dataclass(frozen=True, slots=True)
class BanBounds:
    """The parts of a ban, and sets of the player's pieces, in the state before a step.

    - `anchors`: pieces that the ban reads.
    - `movers`: the other pieces.
    - `opened`: a part that only the emptied origin of a mover can make true.
    - `bound`: true if the rest of the ban may hold after a step of a mover.
    """

    anchors: Op
    movers: Op
    opened: Op
    bound: Op


class BansOfMovers:
    """The bounds of the bans of one program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._facts = Facts(program)
        self._regions = BanRegions(program)
        self._sides, self._kinds = len(program.rules.players), len(program.rules.kinds)
        self._all = literal("cells", program.topology.mask)
        self._own = [frozenset(self._planes_of_side(side)) for side in range(self._sides)]
        self._anchored: Planes = ()  # the anchors of the ban that is being analysed
        self._memo: dict[int, tuple[Op, BanBounds | None]] = {}

    def of(self, group: Group, ban: Op) -> BanBounds | None:
        """Return the bounds of a ban for the steps of a group; None if it has none."""
        if not self._moves_own(group):
            return None
        if id(ban) not in self._memo:
            self._memo[id(ban)] = ban, self._bounds(ban)
        return self._memo[id(ban)][1]

    def _moves_own(self, group: Group) -> bool:
        """True if all steps of a group are of pieces of the player who makes them."""
        if group.kind == "place":
            return group.side is not None and is_variable(group.side, "player")
        return group.origin is not None and _is_own(group.origin)

    def anchor_planes(self, ban: Op) -> Planes:
        """Return the planes of own pieces that a ban reads and no step makes, for each player."""
        kinds, owners = self._anchor_kinds(ban), self._sides + 1
        return tuple(
            frozenset(plane for plane in own if plane // owners in kinds) for own in self._own
        )

    def _bounds(self, ban: Op) -> BanBounds | None:
        self._anchored = self.anchor_planes(ban)
        if not any(self._anchored):
            return None
        opened, closed = list[Op](), list[Op]()
        for part in parts_of(ban, "join"):
            (opened if self._is_opened(part) else closed).append(part)
        bounds = [bound for part in closed if (bound := self._upper(part)) is not None]
        if len(bounds) < len(closed):
            return None
        anchors = make("and", _OWN, self._anchors())
        return BanBounds(anchors, self._movers(), _either(opened), _either(bounds))

    def _upper(self, part: Op) -> Op | None:
        try:
            return self._bounded(part, True)
        except _NotMonotone:
            return None

    def _is_opened(self, part: Op) -> bool:
        try:
            self._checked(part, True)
        except _NotMonotone:
            return False
        return True

    # sets of whole planes

    def _planes_of_side(self, side: int) -> Iterator[int]:
        return iter(range(side, self._kinds * (self._sides + 1), self._sides + 1))

    def planes(self, op: Op) -> Planes | None:
        """Return the planes of a set of pieces for each player; None for other sets."""
        if op.type != "cells":
            return None
        by_side = [planes_of(op, self._sides, self._kinds, side) for side in range(self._sides)]
        known = tuple(planes for planes in by_side if planes is not None)
        return known if len(known) == len(by_side) else None

    def _anchor_kinds(self, ban: Op) -> frozenset[int]:
        """Return the kinds of own pieces that a ban reads, and that no step makes."""
        kinds_made, anchor_kinds, owners = self._regions.made_kinds(), set[int](), self._sides + 1
        for planes in self._leaves(ban):
            for own, of in zip(self._own, planes, strict=True):
                kinds = {plane // owners for plane in own & of}
                if EMPTY not in of and not kinds & kinds_made:
                    anchor_kinds |= kinds
        return frozenset(anchor_kinds)

    def _leaves(self, op: Op) -> Iterator[Planes]:
        """Yield the planes of the largest sets of pieces in an operation."""
        if self._facts.is_fixed(op):
            return
        planes = self.planes(op)
        if planes is not None:
            yield planes
            return
        is_met = has_role(op, "meet") and op.type == "cells"
        for arg in self.operands(op) if is_met else op.args:
            yield from self._leaves(arg)

    def _each(self, planes: Planes) -> Iterator[tuple[frozenset[int], frozenset[int]]]:
        """Yield the planes of movers and those of a set for each player."""
        for own, anchors, of in zip(self._own, self._anchored, planes, strict=True):
            yield own - anchors, of

    def _grows(self, planes: Planes) -> bool:
        """True if a set may have more cells after a step than with the origin empty."""
        return any(movers & of for movers, of in self._each(planes))

    def _shrinks(self, planes: Planes) -> bool:
        """True if a set may lose the target of a step, which is no cell of an anchor."""
        pairs = zip(self._each(planes), self._anchored, strict=True)
        return any(of - anchors and not movers <= of for (movers, of), anchors in pairs)

    # monotone operations

    def _checked(self, op: Op, is_positive: bool) -> None:
        """Raise `_NotMonotone` unless a step makes a value no greater than an empty origin does."""
        self._visited(op, is_positive, self._check_planes)

    def _check_planes(self, op: Op, planes: Planes, is_positive: bool) -> Op:
        if (self._grows if is_positive else self._shrinks)(planes):
            raise _NotMonotone
        return op

    def _bounded(self, op: Op, is_positive: bool) -> Op:
        """Return a value that is an upper bound, or a lower one, over all steps of movers."""
        return self._visited(op, is_positive, self._bound_planes)

    def _bound_planes(self, op: Op, planes: Planes, is_positive: bool) -> Op:
        movers = self._movers()
        if is_positive:
            if self._grows(planes):
                return self._all
            emptied = any(EMPTY in of for of in planes)
            return make("or", op, movers) if emptied else op
        if self._shrinks(planes):
            return _NONE
        leaves = any(movers & of for movers, of in self._each(planes))
        return make("minus", op, movers) if leaves else op

    def _anchors(self) -> Op:
        """Return the pieces of all players that are of a kind of anchors."""
        owners = self._sides + 1
        kinds = sorted({plane // owners for of in self._anchored for plane in of})
        sets = [make("of_kind", literal("kind", kind)) for kind in kinds]
        return make("or", *sets) if len(sets) > 1 else sets[0]

    def _movers(self) -> Op:
        return make("minus", _OWN, self._anchors())

    def _visited(self, op: Op, is_positive: bool, leaf: Callable[[Op, Planes, bool], Op]) -> Op:
        """Rewrite the sets of pieces in an operation that is monotone in them."""
        if self._facts.is_fixed(op):
            return op
        planes = self.planes(op)
        if planes is not None:
            return leaf(op, planes, is_positive)

        def go(arg: Op, same: bool = True) -> Op:
            return self._visited(arg, is_positive == same, leaf)

        if has_role(op, "complement", "void"):
            return make(op.name, go(op.args[0], False), type=op.type)
        if has_role(op, "difference"):
            return make(op.name, go(op.args[0]), go(op.args[1], False))
        if has_role(op, "meet") and op.type == "cells":
            return make(op.name, *map(go, self.operands(op)))
        is_plain = has_role(op, "meet", "join", "nonempty", "shift", "neighbourhood", "ray")
        is_loop = loop_function(op) in _MONOTONE_LOOPS and domain_type(op) != "cells"
        is_fixed_loop = is_loop and self._facts.is_fixed(op.args[0])
        if has_role(op, "row"):
            self._check_row(op, is_positive, leaf)
        elif not is_plain and not is_fixed_loop:
            raise _NotMonotone
        return Op(op.name, op.type, tuple(map(go, op.args)), op.value)

    def _check_row(self, op: Op, is_positive: bool, leaf: Callable[[Op, Planes, bool], Op]) -> None:
        """Raise `_NotMonotone` unless the ends of a row are never among its inner cells.

        Then a row is monotone in both sets.
        """
        ends = op.args[1:3]
        for over, until in (ends, [self._visited(arg, is_positive, leaf) for arg in ends]):
            first, second = self.planes(over), self.planes(until)
            if first is None or second is None or _overlap(first, second):
                raise _NotMonotone

    def operands(self, op: Op) -> Iterator[Op]:
        """Yield sets with the same intersection: sets of pieces as one, and simpler others."""
        pieces = [arg for arg in op.args if self.planes(arg) is not None]
        if not pieces:
            yield from op.args
            return
        intersection = pieces[0] if len(pieces) == 1 else make(op.name, *pieces)
        planes = self.planes(intersection)
        yield intersection
        for arg in op.args:
            if arg in pieces:
                continue
            subtracted = self.planes(arg.args[1]) if has_role(arg, "difference") else None
            is_excluded = subtracted and planes and not _overlap(subtracted, planes)
            yield arg.args[0] if is_excluded else arg


def _is_own(cells: Op) -> bool:
    """True if a set has no cells but those with pieces of the player."""
    if is_of_side(cells):
        return is_variable(cells.args[0], "player")
    either = cells.args if has_role(cells, "join") else alternatives(cells)
    return (bool(either) and all(map(_is_own, either))) or any(map(_is_own, contained_in(cells)))


def _overlap(first: Planes, second: Planes) -> bool:
    """True if two sets may share a cell, for some player."""
    return any(a & b for a, b in zip(first, second, strict=True))


def _either(flags: list[Op]) -> Op:
    if not flags:
        return _FALSE
    return flags[0] if len(flags) == 1 else make("either", *flags)
