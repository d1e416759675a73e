"""Estimates of the time to compile kernels, corrected by the times measured on this machine."""

import os
from collections.abc import Callable
from functools import cached_property
from struct import Struct
from time import monotonic, thread_time
from typing import TYPE_CHECKING, TypeVar

from rulesengine.language.ir.ops import walk
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import operations
from rulesengine.support.cache import digest

if TYPE_CHECKING:
    from rulesengine.engine.kernel.backends.protocol import Backend, StampedStore

T = TypeVar("T")

_KIND = "compiling"
_ENTRY = Struct("<d")
_WORD = 64  # cells
_SPREAD = 16.0  # maximum factor between an estimate and the time measured
_WEIGHT = 0.5  # of the last measurement in the ratio of all programs


class CompileCosts:
    """Estimates for the parts of one program, in seconds of processor time.

    A back end estimates the time by the size of the program. The estimate is multiplied by a ratio
    of measured to estimated times. The ratio is that of this program if a part of it was compiled
    in this process, else that of all programs. The latter is cached in `store`.
    """

    def __init__(self, program: Program, store: "StampedStore | None") -> None:
        self._program, self._store = program, store
        self._ratios: dict[str, float] = {}

    def estimate(self, backend: "Backend", part: str) -> float:
        """Return the estimated seconds to compile a part."""
        name = backend.name
        if name not in self._ratios:
            self._ratios[name] = self._recalled(name)
        return backend.compile_seconds(self._size, part) * self._ratios[name]

    def measured(self, backend: "Backend", part: str, make: Callable[[], T]) -> T:
        """Compile a part by `make`, and correct later estimates by its time."""
        start_cpu, since = _processor_time(), monotonic()
        result = make()
        expected = backend.compile_seconds(self._size, part)
        if expected > 0:
            # Other compilers of this process may have ended, too.
            seconds = min(_processor_time() - start_cpu, monotonic() - since)
            self._learn(backend.name, seconds / expected)
        return result

    @cached_property
    def _size(self) -> int:
        """Return the number of operations, times the number of words of a set of cells."""
        program = self._program
        words = -(-program.topology.cells // _WORD)
        return words * sum(1 for op in operations(program.rules) for _ in walk(op))

    def _learn(self, name: str, ratio: float) -> None:
        ratio = min(max(ratio, 1 / _SPREAD), _SPREAD)
        self._ratios[name] = ratio
        if self._store:
            common = self._recalled(name) ** (1 - _WEIGHT) * ratio**_WEIGHT
            self._store.put(_KIND, self._key(self._store, name), _ENTRY.pack(common))

    def _recalled(self, name: str) -> float:
        """Return the ratio of all programs; 1 if there is none."""
        data = self._store.get(_KIND, self._key(self._store, name)) if self._store else None
        if data is None or len(data) != _ENTRY.size:
            return 1.0
        (ratio,) = _ENTRY.unpack(data)
        return float(ratio) if 1 / _SPREAD <= ratio <= _SPREAD else 1.0

    @staticmethod
    def _key(store: "StampedStore", name: str) -> bytes:
        return digest(store.stamp, name.encode())


def _processor_time() -> float:
    """Return the processor time of this thread and of the processes that have ended."""
    times = os.times()
    return thread_time() + times.children_user + times.children_system
