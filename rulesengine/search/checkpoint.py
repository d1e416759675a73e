"""Checkpoints: files with the state of a long solution, for the same command to resume.

A line of JSON has the identity of the problem and the bounds found so far; the memories of both
searches follow. A checkpoint is valid for the same rules, position and package version only; any
other one is rejected.
"""

import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from rulesengine.engine.drivers.memory import Memory
from rulesengine.errors import UsageError
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.text import show
from rulesengine.state import State
from rulesengine.support.cache import digest
from rulesengine.support.files import replace_by
from rulesengine.support.resources import stamp_below

if TYPE_CHECKING:
    from rulesengine.job import WritableBuffer

_EVERY = 20.0  # minimum seconds between writes
_PART = 10  # writing takes at most one part in so many of the time
_VERSION = 4
_QUICK = 1  # compression level
_BLOCK = 1 << 22  # bytes of a compressed block
_AHEAD = 4  # maximum blocks per thread that wait to be written
_SIZE = 4  # bytes of the length of a compressed block
_DIGEST = 32


class Judge(Protocol):
    """A solver with a memory of its own and a table."""

    @property
    def own(self) -> Memory: ...

    @property
    def table(self) -> Memory: ...

    def resize_table(self, size: int) -> None: ...

    def go_on(self) -> None: ...


class Resumable(Protocol):
    """A long solution of a position by some solvers."""

    @property
    def state(self) -> State: ...

    @property
    def judges(self) -> Sequence[Judge]: ...

    def progress(self) -> dict[str, int]: ...

    def resume(self, progress: Mapping[str, int]) -> None: ...


class Checkpoint:
    """The checkpoint file of one solution. Raises UsageError for a file of another problem."""

    def __init__(self, path: Path, program: Program, threads: int = 1) -> None:
        self.path = path
        self._program = program
        self._threads = threads
        self._next = monotonic() + _EVERY

    def restore(self, values: Resumable) -> None:
        """Resume a solution from the file, if it exists."""
        try:
            with self.path.open("rb") as file:
                self._read(file, values)
        except FileNotFoundError:
            return
        except OSError as error:
            raise UsageError(
                f"{self.path}: {(error.strerror or 'cannot be read').lower()}"
            ) from None

    def save(self, values: Resumable, *, now: bool = False) -> None:
        """Write the file, unless it was written recently."""
        since = monotonic()
        if now or since >= self._next:
            replace_by(self.path, lambda file: self._write(file, values))
            self._next = monotonic() + max(_EVERY, _PART * (monotonic() - since))

    def _write(self, file: BinaryIO, values: Resumable) -> None:
        head = {
            "solution": _VERSION,
            "of": self._of(values),
            **values.progress(),
            "sizes": [[len(part) for part in _memories(judge)] for judge in values.judges],
        }
        hashed = blake2b(digest_size=_DIGEST)
        for text in (json.dumps(head).encode() + b"\n", *self._packed(values)):
            hashed.update(text)
            file.write(text)
        file.write(hashed.digest())

    def _packed(self, values: Resumable) -> Iterator[bytes]:
        """Yield the memories as compressed blocks, each after its length."""
        with ThreadPoolExecutor(self._threads) as threads:
            for memory in (part for judge in values.judges for part in _memories(judge)):
                view = memoryview(memory)
                step = _BLOCK * _AHEAD * self._threads
                for begin in range(0, len(view), step):
                    some = view[begin : begin + step]
                    blocks = [some[at : at + _BLOCK] for at in range(0, len(some), _BLOCK)]
                    for packed in threads.map(lambda block: zlib.compress(block, _QUICK), blocks):
                        yield len(packed).to_bytes(_SIZE, "little")
                        yield packed

    def _read(self, file: BinaryIO, values: Resumable) -> None:
        is_complete = self._is_whole(file)
        head = self._head(file.readline(), is_complete=is_complete)
        if head["of"] != self._of(values):
            raise UsageError(f"{self.path}: of another game or position, or of another version")
        for judge, (_, table) in zip(values.judges, head["sizes"], strict=True):
            judge.resize_table(table)
            for memory in _memories(judge):
                _unpack(file, memory)
            judge.go_on()
        values.resume(head)

    def _is_whole(self, file: BinaryIO) -> bool:
        """True if the last bytes of a file are the digest of all others."""
        left = file.seek(0, 2) - _DIGEST
        file.seek(0)
        hashed = blake2b(digest_size=_DIGEST)
        while left > 0:
            block = file.read(min(left, _BLOCK))
            hashed.update(block)
            left -= len(block)
        is_whole = file.read() == hashed.digest()
        file.seek(0)
        return is_whole

    def _of(self, values: Resumable) -> str:
        """Return the identity of a solution: a digest of rules, position and package."""
        stamp = stamp_below("search", "engine")
        texts = show(self._program), str(values.state), stamp
        return digest(*(text.encode("utf-8", "surrogatepass") for text in texts)).hex()

    def _head(self, line: bytes, *, is_complete: bool) -> dict[str, Any]:
        try:
            head = json.loads(line)
            if is_complete and head["solution"] == _VERSION:
                return dict(head)
        except (ValueError, LookupError, TypeError, RecursionError):
            pass
        raise UsageError(f"{self.path}: no solution that was begun, or a damaged one")


def find_on(
    values: Resumable, saved: Checkpoint, find: Callable[[Callable[[], None]], None]
) -> None:
    """Resume a solution from a checkpoint, and save to it, also after an interruption.

    `find` gets a function that it has to call regularly.
    """
    saved.restore(values)
    try:
        find(lambda: saved.save(values))
    finally:
        saved.save(values, now=True)


def _unpack(file: BinaryIO, memory: "WritableBuffer") -> None:
    """Fill a memory from the next compressed blocks."""
    view = memoryview(memory)
    for begin in range(0, len(view), _BLOCK):
        size = int.from_bytes(file.read(_SIZE), "little")
        block = view[begin : begin + _BLOCK]
        block[:] = zlib.decompress(file.read(size))


def _memories(judge: Judge) -> "tuple[WritableBuffer, WritableBuffer]":
    return judge.own.bytes, judge.table.bytes
