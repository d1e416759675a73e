"""What callers of kernels know of a program before there is code for it."""

from rulesengine.language.ir.ops import Op, is_loop, walk
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import Rules

# Up to so many cells a strategy looks at few enough replies, unless it goes through cells of cells.
_QUICK_CELLS = 64


def may_take_long(program: Program) -> bool:
    """Whether a choice is to be polled, since a strategy may look at many replies at each move.

    To hand a lane in takes two microseconds, which is a tenth of a choice on a small board.
    """
    keys = (key.value for strategy in program.rules.strategies for key in strategy.keys)
    return program.topology.cells > _QUICK_CELLS or any(map(_has_loops_in_loops, keys))


def _has_loops_in_loops(op: Op) -> bool:
    """Whether something is worked out for each of many, for each of many."""
    return any(
        is_loop(inner) for outer in walk(op) if is_loop(outer) for inner in walk(outer.args[-1])
    )


def only_places(rules: Rules) -> bool:
    """Whether a legal move is no more than a cell that is placed on or selected."""
    groups = [group for tier in rules.tiers for group in tier]
    simple = not rules.keep and rules.chance is None
    return simple and all(g.origin is None and not g.then for g in groups)
