"""Cells that complete a line: with one of them, a set has a straight row of a given length.

A cell completes a line if the cells of the set ahead of it and behind it add up to that length.
"""

from collections.abc import Sequence
from itertools import pairwise

from rulesengine.engine.kernel.analysis.board_tables import BoardTables, cells_of
from rulesengine.engine.kernel.passes.preimage import Preimages
from rulesengine.language.ir.ops import Op, literal, make

# The lines of an axis, each with a flag that is true for a cyclic one.
Lines = tuple[tuple[tuple[int, ...], bool], ...]
# Longer rows would need too many shifts of the board.
_LONGEST = 8


def completing_cells(lines: Op, sets: Preimages) -> Op | None:
    """Return the cells outside the set of a `line` that would complete one; None if unsupported.

    Cyclic lines and listed lines are unsupported.
    """
    bounds = _lengths(lines, sets.shape)
    axes = _axes(lines, sets.shape)
    if bounds is None or axes is None:
        return None
    cells = lines.args[0]
    completions = [_on_axis(cells, axis, *bounds, sets) for axis in axes]
    return sets.build("minus", sets.build("or", *completions), cells)


def has_greatest_length(lines: Op, shape: BoardTables) -> bool:
    """True if longer rows than some are no lines, although the board has them."""
    bounds = _lengths(lines, shape)
    return bounds is None or bounds[1] > 0


def lines_through(lines: Op, shape: BoardTables) -> tuple[int, ...]:
    """Count by cell the rows of the least length of a `line` that contain it; 0 if unsupported."""
    bounds, masks = _lengths(lines, shape), [0] * shape.cells
    axes = _chosen_axes(lines, shape) if bounds else []
    low = bounds[0] if bounds else 0
    for line in (line for _, of in axes for line, _ in of):
        for begin in range(len(line) - low + 1):
            for cell in line[begin : begin + low]:
                masks[cell] += 1
    return tuple(masks)


def _lengths(lines: Op, shape: BoardTables) -> tuple[int, int] | None:
    """Return the least and the greatest length of a line; 0 as the latter if there is no limit."""
    low, high = (bound.value for bound in lines.args[1:3])
    if not isinstance(low, int) or not isinstance(high, int) or not 2 <= low <= _LONGEST:
        return None
    longest = max(len(line) for _, of in shape.axes for line, _ in of)
    if high >= longest:
        return low, 0
    return (low, high) if low <= high <= _LONGEST else None


def _chosen_axes(lines: Op, shape: BoardTables) -> Sequence[tuple[int, Lines]]:
    """Return the axes of the lines; none if these are not constant."""
    chosen = lines.args[3].value if len(lines.args) > 3 else -1
    if not isinstance(chosen, int):
        return []
    return [(pair, of) for pair, of in shape.axes if pair & chosen or not pair]


def _axes(lines: Op, shape: BoardTables) -> list[int] | None:
    """Return one direction of each axis; None if some lines are cyclic or listed."""
    axes = _chosen_axes(lines, shape)
    if not axes or any(not pair or any(closed for _, closed in of) for pair, of in axes):
        return None
    return [cells_of(pair)[0] for pair, _ in axes]


def _on_axis(cells: Op, direction: int, low: int, high: int, sets: Preimages) -> Op:
    """Return the cells that complete a row on one axis, over all splits into ahead and behind."""
    ahead, behind = (_rows(cells, name, direction, max(low, high), sets) for name in _WAYS)
    if high:
        ahead, behind = (_exact_rows(rows, sets) for rows in (ahead, behind))
    others = range(low - 1, max(low, high))
    pairs = [(number, total - number) for total in others for number in range(total + 1)]
    return sets.build("or", *(sets.build("and", ahead[a], behind[b]) for a, b in pairs))


# `back` yields cells with the set ahead of them, `shift` cells with the set behind them.
_WAYS = ("back", "shift")


def _rows(cells: Op, name: str, direction: int, count: int, sets: Preimages) -> list[Op]:
    """Return for each number up to `count` the cells with at least that many of a set in a row."""
    way = literal("directions", 1 << direction)
    first = make(name, cells, way)
    rows = [sets.all, first]
    while len(rows) <= count:
        rows.append(sets.build("and", first, make(name, rows[-1], way)))
    return rows


def _exact_rows(rows: list[Op], sets: Preimages) -> list[Op]:
    """Return the cells with exactly that many in a row."""
    return [sets.build("minus", row, longer) for row, longer in pairwise(rows)]
