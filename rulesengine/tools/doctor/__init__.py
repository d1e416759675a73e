"""Diagnosis of the engines: availability on this machine, the engine of each part, benchmarks."""

from rulesengine.tools.doctor.bench import SLOWEST_FIRST, Agreement, Bench, Measured, Work, measure
from rulesengine.tools.doctor.engine_support import Coverage, cover, expected
from rulesengine.tools.doctor.environment import (
    Machine,
    Tried,
    look_around,
    made_for,
    processor_name,
)

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
