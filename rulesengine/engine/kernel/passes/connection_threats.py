"""Cells that link sides of the board: adding one of them to a set completes a connection.

A set that gains a cell connects sides if the cell, or a component adjacent to it, reaches each of
them. This is the union of components, as in union-find.
"""

from functools import reduce
from itertools import combinations
from operator import or_

from rulesengine.engine.kernel.analysis.board_tables import cells_of
from rulesengine.engine.kernel.passes.preimage import Preimages
from rulesengine.language.ir.ops import Op, literal, make
from rulesengine.language.ir.roles import has_role


def connection_cells(when: Op, sets: Preimages) -> tuple[Op, Op] | None:
    """Return the set that must link sides and the cells that would do so; None for other flags.

    The flag must use fills: `any(fill(own and left, own) and right)`, for three sides with one fill
    from the result of another. Nothing is filled while the set has too few cells for any path
    between the sides.
    """
    if not has_role(when, "nonempty") or not has_role(when.args[0], "meet"):
        return None
    cells_and_sides = _sides(when.args[0], sets)
    if cells_and_sides is None or len(cells_and_sides[1]) == 1:
        return None
    cells, sides = cells_and_sides
    touched = [sets.build("or", side, _connected_neighbours(cells, side, sets)) for side in sides]
    completes = sets.build("minus", sets.build("and", *touched), cells)
    few = make(
        "less", make("count", cells), literal("number", _shortest_connection(sides, sets) - 1)
    )
    return cells, sets.build("if", few, sets.none, completes)


def _shortest_connection(sides: list[Op], sets: Preimages) -> int:
    """Return the least number of cells that any player needs to link all the sides."""
    state = sets.bare_state
    counts = []
    for player in range(sets.sides):
        masks = [sets.machine.number_of(side, state, player) for side in sides]
        counts.append(max(_path_cells(a, b, sets) for a, b in combinations(masks, 2)))
    return min(counts)


def _path_cells(start: int, goal: int, sets: Preimages) -> int:
    """Return the number of cells of the shortest path between two sets; 1 if there is none."""
    adjacency, reached, count = sets.program.topology.adjacency, start, 1
    while not reached & goal:
        new = reduce(or_, map(adjacency.__getitem__, cells_of(reached)), reached)
        if new == reached:
            return 1
        reached, count = new, count + 1
    return count


def _connected_neighbours(cells: Op, side: Op, sets: Preimages) -> Op:
    """Return the neighbours of the part of a set that is connected to a side."""
    return make("neighbours", make("fill", sets.build("and", cells, side), cells))


def _sides(reached: Op, sets: Preimages) -> tuple[Op, list[Op]] | None:
    """Split a nested fill into the set that it fills within and the sides that it connects."""
    if not has_role(reached, "meet"):
        return None
    fixed = [part for part in reached.args if sets.facts.is_fixed(part)]
    rest = [part for part in reached.args if part not in fixed]
    if not fixed or len(rest) != 1:
        return None
    (inner_fill,), side = rest, sets.build("and", *fixed)
    if not has_role(inner_fill, "closure"):
        return inner_fill, [side]
    inner = _sides(inner_fill.args[0], sets) if inner_fill.args[1:] else None
    if inner is None or len(inner_fill.args) > 2 or inner_fill.args[1] != inner[0]:
        return None
    return inner[0], [*inner[1], side]
