"""Upper bounds for the sizes of sets of cells and directions, from the form of operations."""

from functools import cached_property
from math import prod

from rulesengine.board.topology import Direction, Topology
from rulesengine.language.ir.ops import Op, contained_in
from rulesengine.language.ir.roles import (
    alternatives,
    constant,
    has_role,
    is_filter,
    is_variable,
    loop_function,
    role_of,
)
from rulesengine.language.lower.piece_bounds import PieceBounds, Planes


class SizeBounds:
    """Bounds for the expressions of rules on one board, with or without bounds on its pieces."""

    def __init__(self, board: Topology, census: PieceBounds | None = None) -> None:
        self.board = board
        self.census = census
        self._sizes: dict[int, tuple[Op, int]] = {}
        self._plane_memo: dict[tuple[int, int], tuple[Op, Planes | None]] = {}

    def cells(self, op: Op) -> int:
        """Return the greatest number of cells that a set or a cell can have."""
        if id(op) not in self._sizes:
            supersets = map(self.cells, contained_in(op))
            bounds = [self._of_pieces(op), self._of_form(op), self.board.cells, *supersets]
            self._sizes[id(op)] = op, min(bounds)
        return self._sizes[id(op)][1]

    def direction_count(self, op: Op) -> int:
        """Return the greatest number of directions that a set or a direction can have."""
        match role_of(op):
            case "constant" if op.type == "directions" and isinstance(op.value, int):
                return op.value.bit_count()
            case "join":
                return min(self.all_directions, sum(map(self.direction_count, op.args)))
            case "opposite" | "turn":
                return self.direction_count(op.args[0])
            case "singleton":
                return 1
            case "selection":
                return max(map(self.direction_count, alternatives(op)))
        return 1 if op.type == "direction" else self.all_directions

    @property
    def all_directions(self) -> int:
        return max(len(self.board.directions), 1)

    # bounds by form

    def _of_form(self, op: Op) -> int:
        match role_of(op):
            case "constant" if op.type == "cells" and isinstance(op.value, int):
                return op.value.bit_count()
            case "join":
                return sum(map(self.cells, op.args))
            case "shift":
                return self.cells(op.args[0]) * prod(map(self.direction_count, op.args[1:]))
            case "neighbourhood":
                return self.cells(op.args[0]) * self._neighbour_count(op)
            case "ray":
                return self.cells(op.args[0]) * self._far(op.args[1])
            case "row":
                length = self._far(op.args[5]) if len(op.args) > 5 else self.board.cells
                return self.cells(op.args[0]) * length
            case "selection":
                return max(map(self.cells, alternatives(op)))
            case "singleton":
                return 1
        if loop_function(op):
            return self._of_each(op)
        return 1 if op.type == "cell" else self.board.cells

    def _of_each(self, op: Op) -> int:
        assert isinstance(op.value, tuple)
        domain, body = op.args
        match op.value[0], op.value[2]:
            case "where", "cells":
                return self.cells(domain)
            case "union", "cells":
                return self.cells(domain) * self.cells(body)
            case "union", "directions":
                return self.direction_count(domain) * self.cells(body)
        return self.board.cells

    def _neighbour_count(self, op: Op) -> int:
        if len(op.args) > 1:
            return self.direction_count(op.args[1])
        return max(mask.bit_count() for mask in self.board.adjacency)

    def _far(self, op: Op) -> int:
        """Return the greatest number of cells on the rays from one cell in some directions.

        The rays of two opposite directions share the cells of one line.
        """
        mask = constant(op)
        if mask is None:
            return self.direction_count(op) * max(self._longest, default=0)
        directions = [direction for direction in range(len(self._longest)) if mask >> direction & 1]
        backs = {self.board.directions[direction].opposite for direction in directions}
        return sum(
            self._longest[direction]
            for direction in directions
            if direction not in backs or self._leads(direction)
        )

    def _leads(self, direction: int) -> bool:
        """True if a direction represents the pair of itself and its opposite."""
        return direction <= self.board.directions[direction].opposite

    @cached_property
    def _longest(self) -> tuple[int, ...]:
        return tuple(map(_longest, self.board.directions))

    # bounds by the pieces on the cells

    def _of_pieces(self, op: Op) -> int:
        """Return the bound from the pieces on the cells, for every reader; all cells if some may be
        empty.
        """
        if self.census is None:
            return self.board.cells
        return max(
            self._count_on_planes(op, side, self.census) for side in range(self.census.sides)
        )

    def _count_on_planes(self, op: Op, side: int, census: PieceBounds) -> int:
        planes = self._planes(op, side, census)
        return self.board.cells if planes is None else census.most(planes)

    def _planes(self, op: Op, player: int, census: PieceBounds) -> Planes | None:
        """Return planes that cover the set: each cell has a piece on one; None if a cell may be
        empty.
        """
        key = id(op), player
        if key not in self._plane_memo:
            self._plane_memo[key] = op, self._find(op, player, census)
        return self._plane_memo[key][1]

    def _find(self, op: Op, player: int, census: PieceBounds) -> Planes | None:
        exact = _exact(op, player, census)
        if exact is not None:
            return exact
        if is_filter(op):
            return self._planes(op.args[0], player, census)
        match role_of(op):
            case "pieces":
                return census.planes
            case "meet":
                every = (self._planes(arg, player, census) for arg in op.args)
                bounds = [planes for planes in every if planes is not None]
                return frozenset.intersection(*bounds) if bounds else None
            case "join":
                either = [self._planes(arg, player, census) for arg in op.args]
                known = [planes for planes in either if planes is not None]
                return frozenset[int]().union(*known) if len(known) == len(either) else None
            case "difference":
                left = self._planes(op.args[0], player, census)
                right = _exact(op.args[1], player, census)
                return left if left is None or right is None else left - right
        return None


def _exact(op: Op, player: int, census: PieceBounds) -> Planes | None:
    """Return the planes that make up exactly a set, or None."""
    match role_of(op):
        case "pieces" if op.args[0].type == "side":
            side = _side(op.args[0], player, census.sides)
            return None if side is None else census.of(range(census.kinds), (side,))
        case "pieces":
            kind = constant(op.args[0])
            return None if kind is None else census.of((kind,), range(census.sides + 1))
        case "complement" if has_role(op.args[0], "vacancy"):
            return census.planes
        case "join":
            bounds = [_exact(arg, player, census) for arg in op.args]
            known = [planes for planes in bounds if planes is not None]
            return frozenset[int]().union(*known) if len(known) == len(bounds) else None
    return None


def _side(op: Op, player: int, sides: int) -> int | None:
    """Return the value of a side operation when `player` reads it; None if unknown."""
    if is_variable(op):
        return player if op.value == "player" else None
    before = _side(op.args[0], player, sides) if has_role(op, "successor") else None
    return constant(op) if before is None else (before + 1) % sides


def _longest(direction: Direction) -> int:
    """Return the length of the longest ray in a direction, without its first cell."""
    targets, longest = direction.targets, 0
    left = set(range(len(targets)))
    heads = [*left.difference(targets)]
    while left:
        cell, length = heads.pop() if heads else left.pop(), 0
        left.discard(cell)
        while (cell := targets[cell]) in left:
            left.discard(cell)
            length += 1
        longest = max(longest, length)
    return longest
