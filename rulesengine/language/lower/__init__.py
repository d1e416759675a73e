"""Lowering: checked rules and parameters to a program for one board."""

from rulesengine.language.lower.cost import Clause, worst_cost
from rulesengine.language.lower.instrumentation import Watched, lower_watched
from rulesengine.language.lower.lower import costs, lower
from rulesengine.language.lower.problem import LoweringError, place_of
from rulesengine.language.lower.seats import seated

__all__ = [
    "Clause",
    "LoweringError",
    "Watched",
    "costs",
    "lower",
    "lower_watched",
    "place_of",
    "seated",
    "worst_cost",
]
