"""Threads of alpha-beta beside the one that counts: they fill the table with it."""

from collections.abc import Sequence

from rulesengine.engine.drivers.memory import STOP, Memory
from rulesengine.engine.drivers.search import layout

_PARTS = 4  # a table has room for what threads look at if that is no more than this part of it


class Others:
    """Memories of their own for threads that search what another one does, with one table.

    What they look at stands in the last words of the table: an entry may lose its place there, and
    is then none, as its key tells.
    """

    def __init__(self, own: Memory, table: Memory, threads: int) -> None:
        parts = threads > 1 and len(table) >= _PARTS * layout.ERRANDS
        self._place = len(table) - layout.ERRANDS if parts else 0
        self._memories = [Memory(len(own)) for _ in range(threads - 1)]

    @property
    def nodes(self) -> int:
        """How many positions they have looked at."""
        return sum(memory.numbers[layout.NODES] for memory in self._memories)

    def ready(self, own: Memory) -> Sequence[Memory]:
        """The memories, as that of the thread that counts is at the begin of a round."""
        has_table = own.numbers[layout.ENTRIES] > 0
        own.numbers[layout.ERRANDS_AT] = self._place if has_table else 0
        for memory in self._memories:
            nodes = memory.numbers[layout.NODES]
            memory.bytes[:] = own.bytes
            memory.numbers[layout.NODES] = nodes
        return self._memories

    def end(self) -> None:
        """End what they do."""
        for memory in self._memories:
            memory.numbers[STOP] = 1
