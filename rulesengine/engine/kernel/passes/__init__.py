"""Passes: rewrites of a program into an equivalent one with faster operations.

The interpreter runs the result like any program. A pass turns no result into a failure, and no
failure into a result or into another failure. See decision 018.
"""

from collections.abc import Callable

from rulesengine.engine.kernel.passes.direction_loops import unroll_directions
from rulesengine.engine.kernel.passes.forbid_sets import evaluate_forbids
from rulesengine.engine.kernel.passes.group_sets import lift_group_loops
from rulesengine.engine.kernel.passes.lift import vectorise_conditions
from rulesengine.engine.kernel.passes.narrowing import narrow_targets
from rulesengine.engine.kernel.passes.rank_sets import rank_targets
from rulesengine.language.ir.program import Program

PASSES: tuple[Callable[[Program], Program], ...] = (
    narrow_targets,
    unroll_directions,
    lift_group_loops,
    evaluate_forbids,
    vectorise_conditions,
    rank_targets,
)


def optimised(program: Program) -> Program:
    """Run all passes on a program; kernels are generated from the result."""
    for run in PASSES:
        program = run(program)
    return program
