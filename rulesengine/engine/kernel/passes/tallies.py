"""Comparisons of numbers of each cell as tallies: `count(run(it, enemy, own)) >= 2` for all cells.

The number of cells of a run is the sum of its lengths by direction. A length has a set of cells for
each of its values, which weighs as much. See decision 180.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from rulesengine.engine.kernel.analysis.board_tables import BoardTables, cells_of
from rulesengine.engine.kernel.passes.images import Images
from rulesengine.language.ir.ops import Op, has_trait, literal
from rulesengine.language.ir.roles import (
    constant,
    domain_type,
    has_role,
    is_reflexive,
    is_single,
    loop_function,
    role_of,
)
from rulesengine.language.ir.tallies import Tally, make_tally
from rulesengine.support.limits import INTEGER_MAX

# Longer runs would need too many sets.
_LONGEST = 32
# A tally of more sets costs more than a test of each cell.
_MOST_SETS = 256
# The weights and sets of a number.
Parts = list[tuple[int, Op]]
Lift = Callable[[Op, str], Op | None]


class Tallies:
    """The tallies of one program; `lift` returns the cells that satisfy a condition."""

    def __init__(self, sets: Images, lift: Lift) -> None:
        self.sets, self.lift = sets, lift

    def compared(self, question: Op, name: str) -> Op | None:
        """Return the cells for which a number compares with a constant; None if unsupported."""
        for place, (number, bound) in enumerate((question.args, question.args[::-1])):
            limit = constant(bound)
            if limit is None or bound.type != "number":
                continue
            low, high, modulus = *_range(question, place, limit), 0
            if has_role(number, "remainder"):
                modulus = constant(number.args[1]) or 0
                number = number.args[0]
                if modulus <= 0:
                    return None
            parts = self.parts(number, name)
            return None if parts is None else self._tally(parts, low, high, modulus)
        return None

    def _tally(self, parts: Parts, low: int, high: int, modulus: int) -> Op | None:
        if not modulus and low <= 0 and high == INTEGER_MAX:
            return self.sets.all
        most = modulus if modulus else (low if high == INTEGER_MAX else high + 1)
        if high < max(low, 0) or most <= 0:
            return self.sets.none
        by_weight: dict[int, list[Op]] = {}
        for weight, cells in parts:
            weight = weight % modulus if modulus else min(weight, most)
            if weight and cells != self.sets.none:
                by_weight.setdefault(weight, []).append(cells)
        flat = [(weight, cells) for weight, of in sorted(by_weight.items()) for cells in of]
        if not 0 < len(flat) <= _MOST_SETS:
            return None
        weights = tuple(weight for weight, _ in flat)
        tally = Tally(weights, max(low, 0), high, modulus)
        return make_tally([cells for _, cells in flat], tally)

    def parts(self, number: Op, name: str) -> Parts | None:
        """Return the weights and sets that add up to a number of each cell; None if unsupported."""
        known = constant(number)
        if known is not None:
            return [(known, self.sets.all)] if known >= 0 else None
        if loop_function(number) in ("count", "sum") and domain_type(number) == "directions":
            return self._by_direction(number, name)
        match role_of(number):
            case "sum" if has_trait(number, "monotone", 1):
                return _joined([self.parts(arg, name) for arg in number.args])
            case "size":
                return self._size(number.args[0], name)
        return None

    def _by_direction(self, number: Op, name: str) -> Parts | None:
        """Return the parts of a loop over constant directions."""
        directions, body = number.args
        mask = constant(directions)
        if mask is None or not isinstance(number.value, tuple):
            return None
        by_direction: list[Parts | None] = []
        for direction in cells_of(mask & self.sets.shape.every):
            one = self.sets.bound(body, str(number.value[1]), literal("direction", direction))
            if loop_function(number) == "sum":
                by_direction.append(self.parts(one, name))
                continue
            cells = self.lift(one, name)
            by_direction.append(None if cells is None else [(1, cells)])
        return _joined(by_direction)

    def _size(self, cells: Op, name: str) -> Parts | None:
        """Return the parts of the size of a set."""
        if has_role(cells, "row"):
            return self._lengths(cells, name)
        parts = cells.args if has_role(cells, "meet") else (cells,)
        steps = [part for part in parts if self.sets.reads(part, name)]
        if len(steps) != 1 or not has_role(steps[0], "shift", "neighbourhood"):
            return None
        directions = self._ways(steps[0], name)
        if directions is None or not _are_apart(self.sets.shape, directions, 1):
            return None
        others = [part for part in parts if part is not steps[0]]
        common = self.sets.build("and", *others) if others else self.sets.all
        return [
            (1, self.sets.build("back", common, _direction(direction))) for direction in directions
        ]

    def _ways(self, step: Op, name: str) -> Sequence[int] | None:
        """Return the directions of single steps from the cell of a variable."""
        if not is_single(step.args[0], name) or len(step.args) > 2:
            return None
        if len(step.args) == 2:
            mask = constant(step.args[1])
            return None if mask is None else cells_of(mask & self.sets.shape.every)
        return adjacent_directions(self.sets.shape)

    def _lengths(self, run: Op, name: str) -> Parts | None:
        """Return the parts of the length of a run from the cell of a variable."""
        over, until, low, high = run.args[1:5]
        mask = constant(run.args[5]) if len(run.args) > 5 else -1
        bounds = constant(low), constant(high)
        if mask is None or not is_single(run.args[0], name):
            return None
        if any(self.sets.reads(arg, name) for arg in run.args[1:]) or None in bounds:
            return None
        least, most = max(bounds[0] or 0, 1), bounds[1] or 0
        directions = cells_of(mask & self.sets.shape.every)
        rays = self.sets.shape.rays(mask & self.sets.shape.every)
        longest = max((len(ray) for of in rays.cells for ray in of), default=0) - 1
        if (
            rays.cyclic
            or longest > _LONGEST
            or not _are_apart(self.sets.shape, directions, longest + 1)
        ):
            return None
        ends = self.sets.build("minus", until, over)
        parts: Parts = []
        for direction in directions:
            parts += self._on_ray(over, ends, direction, least, min(most, longest))
        return parts

    def _on_ray(self, over: Op, ends: Op, direction: int, least: int, most: int) -> Parts:
        """Return for each length the cells with a run of this length in a direction, by bits."""
        build, toward = self.sets.build, _direction(direction)
        at, by_bit = build("back", ends, toward), dict[int, list[Op]]()
        for length in range(1, most + 1):
            at = build("back", build("and", over, at), toward)
            if length >= least:
                for bit in cells_of(length):
                    by_bit.setdefault(bit, []).append(at)
        return [(1 << bit, build("or", *sets)) for bit, sets in by_bit.items()]


def adjacent_directions(shape: BoardTables) -> Sequence[int] | None:
    """Return the directions of single steps to all adjacent cells; None if there are none such."""
    adjacency = shape.topology.adjacency
    directions = [
        direction
        for direction in cells_of(shape.every)
        if all(t < 0 or adjacency[c] >> t & 1 for c, t in enumerate(shape.targets[direction]))
    ]
    covered = [0] * shape.cells
    for direction in directions:
        for cell, target in enumerate(shape.targets[direction]):
            covered[cell] |= 1 << target if target >= 0 else 0
    return (
        directions
        if tuple(covered) == tuple(adjacency) and _are_apart(shape, directions, 1)
        else None
    )


def _range(question: Op, place: int, limit: int) -> tuple[int, int]:
    """Return the range of a number that compares with a limit; `place` is that of the number."""
    if has_role(question, "equality"):
        return limit, limit
    strict = 0 if is_reflexive(question) else 1
    return (0, limit - strict) if place == 0 else (limit + strict, INTEGER_MAX)


def _direction(direction: int) -> Op:
    return literal("directions", 1 << direction)


def _joined(parts: Iterable[Parts | None]) -> Parts | None:
    joined: Parts = []
    for part in parts:
        if part is None:
            return None
        joined += part
    return joined


def _are_apart(shape: BoardTables, directions: Sequence[int], length: int) -> bool:
    """True if the rays of so many cells in some directions have no common cell, from any cell."""
    rays = shape.rays(sum(1 << direction for direction in directions)).cells
    masks = [[sum(1 << cell for cell in ray[:length]) for ray in of] for of in rays]
    return all(
        not (one & other)
        for first, second in combinations(masks, 2)
        for one, other in zip(first, second, strict=True)
    )
