"""What single calls of a program have cost in runs before this one.

A run may be too short for fast code to pay, and be started a thousand times. So each adds what it
has spent, and one of them makes the code when all together have spent as much as that asks for.
Code that was not ready when its run ended is tried again when twice as much has been spent.
"""

import struct
from functools import cached_property

from rulesengine.engine.kernel.backends.protocol import StampedStore

_KIND = "spent"
_ENTRY = struct.Struct("<dd")  # seconds in all, and seconds when the code was last begun


class Ledger:
    """The seconds of one program, in a store under a key; runs side by side may lose some.

    `earlier` are those of the runs before this one.
    """

    def __init__(self, store: StampedStore, key: bytes) -> None:
        self._store, self._key = store, key
        self.earlier, _ = self._read()

    @cached_property
    def may_try(self) -> bool:
        """Whether the code is worth another try, where it was begun before and is not kept."""
        total, begun = self._read()
        return total >= 2 * begun

    def add(self, seconds: float) -> None:
        """Count what this run has spent since it last did so."""
        total, begun = self._read()
        self._write(total + seconds, begun)

    def begin(self) -> None:
        """Note that this run begins to make the code."""
        total, _ = self._read()
        self._write(total, total)

    def _read(self) -> tuple[float, float]:
        data = self._store.get(_KIND, self._key)
        if data is None or len(data) != _ENTRY.size:
            return 0.0, 0.0
        total, begun = _ENTRY.unpack(data)
        return total, begun

    def _write(self, total: float, begun: float) -> None:
        self._store.put(_KIND, self._key, _ENTRY.pack(total, begun))
