"""What the engines can do: which work on this machine, what a game runs on, and how fast."""

from rulesengine.engines.bench import SLOWEST_FIRST, Agreement, Bench, Measured, Work, measure
from rulesengine.engines.coverage import Coverage, cover, expected
from rulesengine.engines.machine import Machine, Tried, look_around, made_for, processor_name

__all__ = [
    "SLOWEST_FIRST",
    "Agreement",
    "Bench",
    "Coverage",
    "Machine",
    "Measured",
    "Tried",
    "Work",
    "cover",
    "expected",
    "look_around",
    "made_for",
    "measure",
    "processor_name",
]
