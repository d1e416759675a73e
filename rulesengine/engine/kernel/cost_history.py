"""The time that single calls of a program have cost in previous runs.

One run may be too short for compilation to pay off, yet be started a thousand times. So each run
adds its cost, and the run in which the total reaches the compile time compiles. A compilation that
had not finished when its run ended is repeated when the total has doubled. See decision 054.
"""

import struct
from functools import cached_property

from rulesengine.engine.kernel.backends.protocol import StampedStore

_KIND = "spent"
_ENTRY = struct.Struct("<dd")  # total seconds, and total seconds when the last compilation began


class CostHistory:
    """The accumulated seconds of one program in a store; concurrent runs may lose updates.

    `earlier` is the total of the runs before this one.
    """

    def __init__(self, store: StampedStore, key: bytes) -> None:
        self._store, self._key = store, key
        self.earlier, _ = self._read()

    @cached_property
    def may_try(self) -> bool:
        """True if a compilation that began earlier, but is not cached, is worth another try."""
        total, total_at_attempt = self._read()
        return total >= 2 * total_at_attempt

    @property
    def total(self) -> float:
        """Return the total of all runs so far."""
        return self._read()[0]

    def add(self, seconds: float) -> None:
        """Add the seconds that this run has spent since its last call."""
        total, total_at_attempt = self._read()
        self._write(total + seconds, total_at_attempt)

    def begin(self) -> None:
        """Record that this run begins to compile."""
        total, _ = self._read()
        self._write(total, total)

    def _read(self) -> tuple[float, float]:
        data = self._store.get(_KIND, self._key)
        if data is None or len(data) != _ENTRY.size:
            return 0.0, 0.0
        total, total_at_attempt = _ENTRY.unpack(data)
        return total, total_at_attempt

    def _write(self, total: float, total_at_attempt: float) -> None:
        self._store.put(_KIND, self._key, _ENTRY.pack(total, total_at_attempt))
