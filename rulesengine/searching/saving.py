"""A long solution kept in a file, so that the same command goes on wherever it was ended.

A line of JSON says what it is of and what is known, then come the memories of both searches. It
serves the same rules, position and package alone; whatever else it is, is refused.
"""

import json
import zlib
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from rulesengine.cache import digest
from rulesengine.errors import UsageError
from rulesengine.files import replace
from rulesengine.ir.program import Program
from rulesengine.ir.text import show
from rulesengine.resources import stamp_below
from rulesengine.searching.values import Bounds, Judge, Values

if TYPE_CHECKING:
    from rulesengine.job import Lane

_EVERY = 20.0  # seconds between two times that a file is written
_VERSION = 1
_QUICK = 1  # how hard memory is compressed


class Saved:
    """The file of one solution. Raises UsageError for one that is of something else."""

    def __init__(self, path: Path, program: Program) -> None:
        self.path = path
        self._program = program
        self._last = monotonic()

    def restore(self, values: Values) -> None:
        """Let a solution go on where the file has it, if there is one."""
        try:
            head, _, packed = self.path.read_bytes().partition(b"\n")
        except FileNotFoundError:
            return
        except OSError as error:
            raise UsageError(
                f"{self.path}: {(error.strerror or 'cannot be read').lower()}"
            ) from None
        found = self._head(head, packed)
        if found["of"] != self._of(values):
            raise UsageError(f"{self.path}: of another game or position, or of another version")
        values.bounds, values.share = Bounds(found["low"], found["high"]), found["share"]
        values.decisive = values.judges[found["decisive"]]
        whole = memoryview(zlib.decompress(packed))
        for judge, (own, table) in zip(values.judges, found["sizes"], strict=True):
            judge.take(whole[:own], whole[own : own + table])
            whole = whole[own + table :]
        values.earlier = values.nodes

    def keep(self, values: Values, *, now: bool = False) -> None:
        """Write the file, if it was not written a short time ago."""
        if not now and monotonic() - self._last < _EVERY:
            return
        self._last = monotonic()
        packer = zlib.compressobj(_QUICK)
        parts = [packer.compress(part) for j in values.judges for part in _memories(j)]
        packed = b"".join((*parts, packer.flush()))
        head = {
            "solution": _VERSION,
            "of": self._of(values),
            "low": values.bounds.low,
            "high": values.bounds.high,
            "share": values.share,
            "decisive": values.judges.index(values.decisive),
            "sizes": [[len(part) for part in _memories(judge)] for judge in values.judges],
            "digest": digest(packed).hex(),
        }
        replace(self.path, json.dumps(head).encode() + b"\n" + packed)

    def _of(self, values: Values) -> str:
        """What a solution is of."""
        stamp = stamp_below("search", "searching", "symmetry", "kernel")
        texts = show(self._program), str(values.state), stamp
        return digest(*(text.encode("utf-8", "surrogatepass") for text in texts)).hex()

    def _head(self, line: bytes, packed: bytes) -> dict[str, Any]:
        try:
            found = json.loads(line)
            if found["solution"] == _VERSION and found["digest"] == digest(packed).hex():
                return dict(found)
        except (ValueError, LookupError, TypeError, RecursionError):
            pass
        raise UsageError(f"{self.path}: no solution that was begun, or a damaged one")


def _memories(judge: Judge) -> "tuple[Lane, Lane]":
    return judge.own.bytes, judge.table.bytes
