"""Lines and runs after a placement, for all candidate cells at once.

A placement makes a new row only through its own cell: the pieces ahead of it and behind it count.
Rows that exist already remain, unless the cell was one of their ends. See decision 181.
"""

from collections.abc import Iterator

from rulesengine.engine.kernel.analysis.board_tables import cells_of
from rulesengine.engine.kernel.passes.images import Images
from rulesengine.engine.kernel.passes.line_completions import completing_cells, has_greatest_length
from rulesengine.language.ir.ops import Op, literal, make
from rulesengine.language.ir.roles import constant
from rulesengine.support.frozen import record
from rulesengine.support.limits import INTEGER_MAX

# Longer rows would need too many sets.
_LONGEST = 8


@record
class NewRows:
    """The rows of a set after a placement.

    - `before`: a flag for a row in the state before.
    - `through`: the candidates with a row through their cell.
    - `breaking`: the cells that may end a row of before; all others leave it as it is.
    """

    before: Op
    through: Op
    breaking: Op


def new_lines(line: Op, cells: Op, joins: bool, sets: Images) -> NewRows | None:
    """Return the rows of a `line` in a set that candidates join, or do not; None if unsupported."""
    changed = make("line", cells, *line.args[1:])
    before = sets.build("any", changed)
    if not joins:
        return NewRows(before, sets.none, sets.none)
    through = completing_cells(changed, sets)
    if through is None:
        return None
    bounded = has_greatest_length(changed, sets.shape)
    return NewRows(before, through, sets.all if bounded else sets.none)


def new_runs(run: Op, ends: tuple[Op, Op, Op], sets: Images) -> NewRows | None:
    """Return the runs after a placement that joins the second of three sets; None if unsupported.

    The sets are the cells at the beginning, in the run, and at its end, without the candidate. The
    last two have no common cell.
    """
    start, _, until = ends
    low, high = (constant(bound) for bound in run.args[3:5])
    directions = constant(run.args[5]) if len(run.args) > 5 else -1
    if low is None or high is None or directions is None:
        return None
    rays = sets.shape.rays(directions & sets.shape.every)
    if rays.cyclic or (high > _LONGEST and high != INTEGER_MAX) or low > _LONGEST:
        return None
    before = sets.first_cells(Op(run.name, run.type, (*ends, *run.args[3:]), run.value))
    if before is None:
        return None
    rows = [
        cells
        for direction in cells_of(directions & sets.shape.every)
        for cells in _through(ends, direction, max(low, 1), high, sets)
    ]
    through = sets.build("or", *rows) if rows else sets.none
    return NewRows(sets.build("any", before), through, sets.build("or", start, until))


def _through(
    ends: tuple[Op, Op, Op], direction: int, low: int, high: int, sets: Images
) -> Iterator[Op]:
    """Yield the cells that complete a run in a direction, by the number of cells ahead."""
    start, over, until = ends
    ahead, behind = literal("directions", 1 << direction), _opposite(direction, sets)
    if behind is None:
        return
    is_open = high == INTEGER_MAX
    most = (low if is_open else high) - 1
    after = _exact(over, until, ahead, most, sets)
    before = _exact(over, start, behind, most, sets)
    if not is_open:
        for total in range(low - 1, high):
            for count in range(total + 1):
                yield sets.build("and", after[count], before[total - count])
        return
    for count in range(low - 1):
        more = _at_least(over, start, behind, low - 1 - count, sets)
        yield sets.build("and", after[count], more)
    cells_behind = _at_least(over, start, behind, 0, sets)
    yield sets.build("and", _at_least(over, until, ahead, low - 1, sets), cells_behind)


def _opposite(direction: int, sets: Images) -> Op | None:
    """Return the direction that leads back; None if there is none."""
    back = sets.shape.opposite(1 << direction)
    return literal("directions", back) if back else None


def _exact(over: Op, until: Op, direction: Op, most: int, sets: Images) -> list[Op]:
    """Return the cells from which so many cells of a set lead to another set, up to a number."""
    sets_by_length = [make("back", until, direction)]
    while len(sets_by_length) <= most:
        sets_by_length.append(make("back", sets.build("and", over, sets_by_length[-1]), direction))
    return sets_by_length


def _at_least(over: Op, until: Op, direction: Op, least: int, sets: Images) -> Op:
    """Return the cells from which at least so many cells of a set lead to another set."""
    low, high = literal("number", least), literal("number", INTEGER_MAX)
    return sets.build("toward", over, until, low, high, direction)
