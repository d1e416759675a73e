"""Updates of a spec's tests: actual values replace the expected ones in the file."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rulesengine.errors import UsageError
from rulesengine.language import pipeline
from rulesengine.support.files import read_source, replace
from rulesengine.support.resources import bundled_file, is_installed, is_path
from rulesengine.support.source import Source

Change = tuple[int, str]  # the test's number, from 0, and the key


@dataclass(frozen=True, slots=True)
class UpdateResult:
    """A spec's text after an update, and the changes that could not be written in it."""

    source: Source
    unwritten: tuple[Change, ...]


def open_for_update(spec: str) -> str:
    """Return the path of a spec that may be changed. Raises UsageError for one that may not."""
    path = spec if is_path(spec) else bundled_file(spec)
    if is_installed(path):
        raise UsageError(f"{spec}: comes with the installed package: copy it, and update the copy")
    if not Path(path).exists():
        raise UsageError(f"{spec}: no such file")
    return path


def update(path: str, changes: Mapping[Change, object]) -> UpdateResult:
    """Write values into the tests of a file, and keep its comments and layout.

    Raises UsageError for a file that cannot be read or written.
    """
    source = before = read_source(path)
    left = []
    for (number, key), value in changes.items():
        changed = pipeline.with_test_value(source, number, key, value)
        source = changed or source
        if changed is None:
            left.append((number, key))
    if source != before:
        _write(path, source.text)
    return UpdateResult(source, tuple(left))


def _write(path: str, text: str) -> None:
    """Write a text to a file with the file's existing line ends and byte-order mark."""
    try:
        old = Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {(error.strerror or 'cannot be read').lower()}") from None
    returns, ends = old.count(b"\r\n"), old.count(b"\n")
    if returns not in (0, ends):
        raise UsageError(f"{path}: mixes two kinds of line ends: make them one kind first")
    data = (text.replace("\n", "\r\n") if returns else text).encode()
    mark = b"\xef\xbb\xbf" if old.startswith(b"\xef\xbb\xbf") else b""
    replace(path, mark + data)
