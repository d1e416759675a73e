"""Temporary folders in which programs run."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from uuid import uuid4


@contextmanager
def work_folder() -> Iterator[Path]:
    """Yield an empty folder for a program, and delete it with all that the program left there."""
    folder = Path(mkdtemp(prefix="rulesengine-program-"))
    try:
        yield folder
    finally:
        with suppress(OSError):
            _delete(folder)


def _delete(folder: Path) -> None:
    """Delete a folder. Nested folders are moved up first, so no depth is too large."""
    prefix, numbers = uuid4().hex, count()
    folder.chmod(0o700)
    while entries := [*folder.iterdir()]:
        for entry in entries:
            if not _is_folder(entry):
                entry.unlink()
                continue
            for inner in _contents(entry):
                if _is_folder(inner):
                    inner.chmod(0o700)
                inner.rename(folder / f"{prefix}-{next(numbers)}")
            entry.rmdir()
    folder.rmdir()


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _contents(folder: Path) -> list[Path]:
    folder.chmod(0o700)
    return [*folder.iterdir()]
