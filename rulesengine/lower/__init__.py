"""Checked rules and parameters to a program for one board."""

from rulesengine.lower.cost import Clause, worst_cost
from rulesengine.lower.lower import costs, lower
from rulesengine.lower.problem import LoweringError, place_of
from rulesengine.lower.seating import seated
from rulesengine.lower.watched import Watched, lower_watched

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
