"""Diagnosis of the engines: availability on this machine, the engine of each part, benchmarks."""

from rulesengine.tools.doctor.bench import (
    SLOWEST_FIRST,
    Agreement,
    Bench,
    EngineBenchmark,
    TaskBenchmark,
    measure,
)
from rulesengine.tools.doctor.engine_support import EngineSupport, engine_support, expected
from rulesengine.tools.doctor.environment import (
    EngineStatus,
    Machine,
    inspect_machine,
    native_target,
    processor_name,
)

__all__ = [
    "SLOWEST_FIRST",
    "Agreement",
    "Bench",
    "EngineBenchmark",
    "EngineStatus",
    "EngineSupport",
    "Machine",
    "TaskBenchmark",
    "engine_support",
    "expected",
    "inspect_machine",
    "measure",
    "native_target",
    "processor_name",
]
