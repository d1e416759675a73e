"""Removal of temporary files and folders that killed processes have left.

A process holds a lock on each of its own (`flock`), which the system releases when it dies. Where
there are no such locks, nothing is removed.
"""

import os
import re
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

if sys.platform != "win32":
    import fcntl

_ACCESS = 0o700


def try_lock(descriptor: int) -> bool:
    """True if this process has got the lock of an open file or folder, or needs none."""
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True


def remove_leftovers(folder: str, names: str) -> None:
    """Remove the entries of a folder that no living process has locked.

    `names` is a regular expression of their names. Entries of other users, and links, are left.
    Errors are ignored.
    """
    if sys.platform == "win32":
        return
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if re.fullmatch(names, entry.name) and not entry.is_symlink():
                with suppress(OSError):
                    _remove_unlocked(entry)


def _remove_unlocked(entry: "os.DirEntry[str]") -> None:
    if sys.platform == "win32" or entry.stat(follow_symlinks=False).st_uid != os.geteuid():
        return
    descriptor = os.open(entry.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if entry.is_dir(follow_symlinks=False):
            _remove_folder(entry.path)
        else:
            _remove_file(entry.path)
    finally:
        os.close(descriptor)


def _remove_file(path: str) -> None:
    from pathlib import Path  # imported here: hardly any command needs it

    Path(path).unlink()


def _remove_folder(path: str) -> None:
    """Remove a folder with its contents, except files that this process may not remove.

    Nested folders are moved up first, so no depth is too large. Links are not followed.
    """
    from itertools import count  # imported here, as above
    from pathlib import Path
    from uuid import uuid4

    folder, prefix, numbers = Path(path), uuid4().hex, count()
    folder.chmod(_ACCESS)
    while entries := [*folder.iterdir()]:
        for entry in entries:
            if not _is_folder(entry):
                entry.unlink()
                continue
            entry.chmod(_ACCESS)
            for inner in entry.iterdir():
                if _is_folder(inner):
                    inner.chmod(_ACCESS)
                inner.rename(folder / f"{prefix}-{next(numbers)}")
            entry.rmdir()
    folder.rmdir()


def _is_folder(path: "Path") -> bool:
    return path.is_dir() and not path.is_symlink()


@contextmanager
def temporary_folder(prefix: str) -> "Iterator[Path]":
    """Yield a `TemporaryFolder` for a `with` block, as a path."""
    from pathlib import Path  # imported here, as above

    folder = TemporaryFolder(prefix)
    try:
        yield Path(folder.path)
    finally:
        folder.remove()


class TemporaryFolder:
    """A folder for temporary files, locked by this process; `path` is its path.

    Folders with the same prefix that killed processes have left are removed first.
    """

    def __init__(self, prefix: str) -> None:
        import tempfile  # imported here, as above
        from pathlib import Path

        remove_leftovers(tempfile.gettempdir(), re.escape(prefix) + "[a-z0-9_]+")
        self.path, self._descriptor = "", -1
        # Another process may remove it before it is locked.
        while not (self.path and Path(self.path).is_dir()):
            self._close()
            self.path = tempfile.mkdtemp(prefix=prefix)
            if sys.platform != "win32":
                with suppress(FileNotFoundError):
                    self._descriptor = os.open(self.path, os.O_RDONLY)
                if self._descriptor < 0 or not try_lock(self._descriptor):
                    self.path = ""

    def remove(self) -> None:
        """Remove the folder with its files. Errors are ignored."""
        with suppress(OSError):
            _remove_folder(self.path)
        self._close()

    def _close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
