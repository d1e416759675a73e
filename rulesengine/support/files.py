"""Reading of sources from files and bytes, and atomic writing of files.

Errors of files and encodings are raised as UsageError.
"""

import errno
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from rulesengine.errors import UsageError
from rulesengine.support.leftovers import remove_leftovers, try_lock
from rulesengine.support.limits import MAX_GAME_FILE_BYTES, MAX_SPEC_BYTES
from rulesengine.support.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import BinaryIO, TextIO

_NAMES = r"\.new\.[0-9a-f]{16}"  # of files that are being written
_CHUNK = 1 << 20  # bytes of a read
_MOVES_OPEN_FILES = os.name == "posix"  # so that the lock holds until the end


def read_source(path: "Path | str") -> Source:
    """Read a UTF-8 file; a byte-order mark and CRLF are accepted.

    Raises UsageError for a missing file, a directory, a file that is too large or not UTF-8.
    """
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_SPEC_BYTES + 1)
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise UsageError(f"{path}: is a directory, expected a spec file") from None
    except OSError as error:
        raise UsageError(f"{path}: {(error.strerror or 'cannot be read').lower()}") from None
    return decode_source(data, str(path))


def read_game_file(path: "Path | str") -> bytes:
    """Read a file of games. Raises UsageError for one that is missing or too large."""
    try:
        with open(path, "rb") as file:
            data = read_at_most(file, MAX_GAME_FILE_BYTES + 1)
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file") from None
    except OSError as error:
        raise UsageError(f"{path}: {(error.strerror or 'cannot be read').lower()}") from None
    if len(data) > MAX_GAME_FILE_BYTES:
        raise UsageError(f"{path}: too large, games have at most {MAX_GAME_FILE_BYTES} bytes")
    return data


def read_at_most(file: "BinaryIO", most: int) -> bytes:
    """Return the next `most` bytes of a file, or fewer at its end.

    `file.read(most)` allocates `most` bytes first, which a small limit of memory refuses.
    """
    parts: list[bytes] = []
    while most > 0 and (part := file.read(min(most, _CHUNK))):
        parts.append(part)
        most -= len(part)
    return b"".join(parts)


def decode_source(data: bytes, name: str) -> Source:
    """Decode bytes as a source. Raises UsageError as `read_source` does."""
    if len(data) > MAX_SPEC_BYTES:
        raise UsageError(f"{name}: too large, a spec has at most {MAX_SPEC_BYTES} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{name}: not UTF-8 text") from None
    if "\0" in text:
        raise UsageError(f"{name}: not UTF-8 text (it holds a NUL)")
    return Source(name, text.replace("\r\n", "\n"))


def write_new(path: "Path | str", text: str) -> None:
    """Write a new file, all of it or none; it must not exist. Raises UsageError."""
    try:
        with open(path, "x", encoding="utf-8", newline="\n") as file:
            _fill(str(path), file, text)
    except FileExistsError:
        raise UsageError(f"{path}: is there already, and nothing is overwritten") from None
    except FileNotFoundError:
        raise UsageError(f"{path}: no such folder") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: {_reason(error)}") from None


def replace(path: "Path | str", data: bytes) -> None:
    """Create or replace a file atomically.

    An existing file keeps its mode; a link is followed. Raises UsageError.
    """
    replace_by(path, lambda file: file.write(data))


def replace_by(path: "Path | str", write: "Callable[[BinaryIO], object]") -> None:
    """Create or replace a file atomically, written in parts by a callback. Raises UsageError.

    The data is on the disk before the old file is replaced. Parts of files that killed processes
    have left in the folder are removed.
    """
    target = os.path.realpath(path)
    folder = os.path.dirname(target)
    made = ""
    try:
        remove_leftovers(folder, _NAMES)
        made, file = _created(folder)
        with file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
            if os.path.exists(target):
                _require_regular(target)
                _take_mode(made, target)
            if _MOVES_OPEN_FILES:
                os.replace(made, target)
        if not _MOVES_OPEN_FILES:
            os.replace(made, target)
        _sync_folder(folder)
    except BaseException as error:
        with suppress(OSError):
            os.unlink(made)
        if not isinstance(error, OSError):
            raise
        raise UsageError(f"{path}: not written: {_reason(error)}") from None


def require_writable(path: "Path | str") -> None:
    """Raise UsageError for a file that cannot be written, before the work that is to fill it."""
    folder = os.path.dirname(os.path.realpath(path))
    try:
        if os.path.isdir(path):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        is_there = os.path.exists(path)
        os.stat(path if is_there else os.path.join(folder, ""))
        if not os.access(path if is_there else folder, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: not written: {_reason(error)}") from None


def are_one_file(path: "Path | str", other: "Path | str") -> bool:
    """True if two paths lead to the same file, which need not exist."""
    with suppress(OSError, ValueError):
        if os.path.exists(path) and os.path.exists(other):
            return os.path.samefile(path, other)
        return os.path.realpath(path) == os.path.realpath(other)
    return False


def _created(folder: str) -> "tuple[str, BinaryIO]":
    """Create a new file with a lock; return its path and the open file."""
    while True:
        path = os.path.join(folder, f".new.{os.urandom(8).hex()}")
        file = open(path, "xb")  # noqa: SIM115
        # Another process may have taken it for a leftover before it was locked.
        if try_lock(file.fileno()) and os.path.exists(path):
            return path, file
        file.close()


def _sync_folder(folder: str) -> None:
    """Write the entries of a folder to the disk, on systems that can."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _require_regular(target: str) -> None:
    """Raise OSError for a device or a pipe, which a file would replace."""
    if not os.path.isfile(target) and not os.path.isdir(target):
        raise OSError(errno.EINVAL, "is no regular file")


def _take_mode(path: str, target: str) -> None:
    """Copy the mode of the file that a new file replaces, which must be writable."""
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    os.chmod(path, os.stat(target).st_mode & 0o7777)


def _fill(path: str, file: "TextIO", text: str) -> None:
    try:
        file.write(text)
        file.flush()
    except BaseException:
        os.unlink(path)
        raise


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or "cannot be written").lower()
