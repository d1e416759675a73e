"""The records of one ply with their weights, without duplicates: in memory, and in sorted runs on
disk.

Duplicates are removed by merging the runs of a complete ply (delayed duplicate detection: Korf,
2003).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import merge
from itertools import count
from pathlib import Path
from types import TracebackType

from rulesengine.errors import LimitError
from rulesengine.support.leftovers import TemporaryFolder

_OBJECT = 33  # bytes of a Python object in addition to a record
_ENTRY = 130  # bytes of its entry in a growing dictionary, with the weight
_PREFIX = "rulesengine-count-"  # of temporary folders
_BLOCK = 4096  # records read at once
_MOST_RUNS = 100
_HELD = 3  # plies in memory at once: one being read, one being built, one being sorted


class RunFolder:
    """A temporary folder for the runs of an enumeration, created when memory does not suffice.

    `memory` is the approximate maximum of bytes for records in memory.
    """

    def __init__(self, memory: int) -> None:
        self.memory = memory
        self._folder: TemporaryFolder | None = None
        self._numbers = count()

    def __enter__(self) -> "RunFolder":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._folder:
            self._folder.remove()

    def room(self, size: int) -> int:
        """Return the number of records of a size that a ply may have in memory."""
        return max(1, self.memory // _HELD // (size + _OBJECT + _ENTRY))

    def path(self) -> Path:
        """Return the path of a new file."""
        if self._folder is None:
            self._folder = TemporaryFolder(_PREFIX)
        return Path(self._folder.path) / str(next(self._numbers))


class LayerRecords:
    """The records of one ply: first collected, then iterated without duplicates, with their
    weights.

    The caller adds to `pending` directly, as that is the inner loop, and calls `spill_if_large` in
    between. `alike` returns the canonical record; no weight exceeds `heaviest`.
    """

    def __init__(
        self, folder: RunFolder, size: int, heaviest: int, alike: Callable[[bytes], bytes] | None
    ) -> None:
        self.pending: dict[bytes, int] = {}
        self.most = folder.room(size)
        self._folder = folder
        self._size = size
        self._width = (heaviest.bit_length() + 7) // 8
        self._canonical = alike
        self._runs: list[Path] = []

    def spill_if_large(self) -> None:
        """Spill the records to disk if there are too many."""
        if len(self.pending) >= self.most:
            self._merge_symmetric()
            if len(self.pending) >= self.most // 2:
                self._spill()

    def finish(self) -> None:
        """Complete the ply: no more records follow."""
        self._merge_symmetric()
        if self._runs:
            self._spill()

    def __iter__(self) -> Iterator[tuple[bytes, int]]:
        return self._merged(self._runs) if self._runs else iter(self.pending.items())

    def drop(self) -> None:
        """Release memory and files."""
        self.pending.clear()
        for run in self._runs:
            run.unlink(missing_ok=True)

    def _merge_symmetric(self) -> None:
        if self._canonical is None:
            return
        merged: dict[bytes, int] = {}
        for record, weight in self.pending.items():
            image = self._canonical(record)
            merged[image] = merged.get(image, 0) + weight
        self.pending.clear()
        self.pending.update(merged)

    def _spill(self) -> None:
        """Write the records as one more run; merge the runs if too many files are open."""
        self._write((record, self.pending[record]) for record in sorted(self.pending))
        self.pending.clear()
        if len(self._runs) >= _MOST_RUNS:
            many = self._runs
            self._runs = []
            self._write(self._merged(many))
            for run in many:
                run.unlink()

    def _write(self, rows: Iterable[tuple[bytes, int]]) -> None:
        path, width = self._folder.path(), self._width
        self._runs.append(path)
        try:
            with path.open("wb") as file:
                file.writelines(record + weight.to_bytes(width, "big") for record, weight in rows)
        except OSError as error:
            raise LimitError(f"the positions find no room on the disk: {error.strerror}") from None

    def _merged(self, runs: Sequence[Path]) -> Iterator[tuple[bytes, int]]:
        size, last, weight = self._size, b"", 0
        for row in merge(*map(self._read, runs)):
            record = row[:size]
            if record != last:
                if weight:
                    yield last, weight
                last, weight = record, 0
            weight += int.from_bytes(row[size:], "big")
        if weight:
            yield last, weight

    def _read(self, path: Path) -> Iterator[bytes]:
        row = self._size + self._width
        with path.open("rb") as file:
            while block := file.read(row * _BLOCK):
                yield from (block[at : at + row] for at in range(0, len(block), row))
