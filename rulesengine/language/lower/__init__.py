"""Lowering: checked rules and parameters to a program for one board."""

from rulesengine.language.lower.cost import Clause, clauses, loop_rounds, worst_cost
from rulesengine.language.lower.instrumentation import InstrumentedProgram, lower_instrumented
from rulesengine.language.lower.lower import Lowering, costs, lower
from rulesengine.language.lower.problem import LoweringError, place_of
from rulesengine.language.lower.seats import with_seats

__all__ = [
    "Clause",
    "InstrumentedProgram",
    "Lowering",
    "LoweringError",
    "clauses",
    "costs",
    "loop_rounds",
    "lower",
    "lower_instrumented",
    "place_of",
    "with_seats",
    "worst_cost",
]
