"""Helper threads of alpha-beta: they search the same position and fill the shared transposition
table.
"""

from collections.abc import Sequence

from rulesengine.engine.drivers.memory import STOP, Memory
from rulesengine.engine.drivers.search import layout

_COUNTERS = (layout.NODES, layout.QUIESCENCE_NODES)
_PARTS = 4  # the moves being searched take at most this part of the table


class HelperMemories:
    """The memories of the helper threads, which share one table.

    The last words of the table hold the moves being searched (ABDADA). They may overwrite an entry,
    whose key then no longer matches.
    """

    def __init__(self, own: Memory, table: Memory, threads: int) -> None:
        parts = threads > 1 and len(table) >= _PARTS * layout.BUSY_SLOTS
        self._place = len(table) - layout.BUSY_SLOTS if parts else 0
        self._memories = [Memory(len(own)) for _ in range(threads - 1)]

    @property
    def nodes(self) -> int:
        """Return the number of positions that they have searched."""
        return sum(memory.numbers[layout.NODES] for memory in self._memories)

    @property
    def quiescence_nodes(self) -> int:
        """Return the number of these that quiescence search has searched."""
        return sum(memory.numbers[layout.QUIESCENCE_NODES] for memory in self._memories)

    def ready(self, own: Memory) -> Sequence[Memory]:
        """Return the memories, as copies of the main thread's memory before an iteration."""
        has_table = own.numbers[layout.ENTRIES] > 0
        own.numbers[layout.BUSY_AT] = self._place if has_table else 0
        for memory in self._memories:
            counted = [memory.numbers[place] for place in _COUNTERS]
            memory.bytes[:] = own.bytes
            for place, count in zip(_COUNTERS, counted, strict=True):
                memory.numbers[place] = count
        return self._memories

    def end(self) -> None:
        """Stop the helper threads."""
        for memory in self._memories:
            memory.numbers[STOP] = 1
