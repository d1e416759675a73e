"""Checked rules and parameters to a program for one board."""

from rulesengine.lower.lower import lower
from rulesengine.lower.problem import LoweringError, place_of
from rulesengine.lower.watched import Watched, lower_watched

__all__ = ["LoweringError", "Watched", "lower", "lower_watched", "place_of"]
