"""Checked rules and parameters to a program for one board."""

from rulesengine.lower.lower import lower
from rulesengine.lower.problem import LoweringError

__all__ = ["LoweringError", "lower"]
