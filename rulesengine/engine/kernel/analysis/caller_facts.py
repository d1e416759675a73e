"""Properties of a program that callers of kernels need before any code exists."""

from rulesengine.language.ir.ops import Op, is_loop, walk
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import Rules

# Up to this board size a strategy without nested loops evaluates few replies.
_QUICK_CELLS = 64


def may_take_long(program: Program) -> bool:
    """True if the choice of a strategy must be polled for cancellation, since it may take long.

    Passing the shared memory of a job costs two microseconds: a tenth of a choice on a small board.
    """
    keys = (key.value for strategy in program.rules.strategies for key in strategy.keys)
    return program.topology.cells > _QUICK_CELLS or any(map(_has_loops_in_loops, keys))


def _has_loops_in_loops(op: Op) -> bool:
    """True if a loop contains another loop."""
    return any(
        is_loop(inner) for outer in walk(op) if is_loop(outer) for inner in walk(outer.args[-1])
    )


def has_only_placements(rules: Rules) -> bool:
    """True if each legal move is one cell, for a placement or a selection."""
    groups = [group for tier in rules.tiers for group in tier]
    simple = not rules.keep and rules.chance is None
    return simple and all(g.origin is None and not g.then for g in groups)
