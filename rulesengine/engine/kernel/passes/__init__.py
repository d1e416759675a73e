"""Passes: functions from a program to one that plays the same games, in operations that run faster.

The interpreter runs what they make as it runs any program. A pass turns no result into a failure,
and no failure into a result or into another failure.
"""

from collections.abc import Callable

from rulesengine.engine.kernel.passes.forbid_sets import decide_bans
from rulesengine.engine.kernel.passes.lift import lift_questions
from rulesengine.language.ir.program import Program

PASSES: tuple[Callable[[Program], Program], ...] = (decide_bans, lift_questions)


def optimised(program: Program) -> Program:
    """The program after all passes, which kernels are made of."""
    for run in PASSES:
        program = run(program)
    return program
