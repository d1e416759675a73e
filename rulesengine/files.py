"""Files and bytes as sources: what is no text of a spec is wrong use."""

from typing import TYPE_CHECKING

from rulesengine.errors import UsageError
from rulesengine.limits import MAX_SPEC_BYTES
from rulesengine.source import Source

if TYPE_CHECKING:
    from pathlib import Path


def read_source(path: "Path | str") -> Source:
    """Read a UTF-8 file (a byte-order mark and CRLF are fine).

    Raises UsageError for a file that is missing, a directory, too large or no UTF-8 text.
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


def decode_source(data: bytes, name: str) -> Source:
    """Make a source of bytes; raises UsageError as `read_source` does."""
    if len(data) > MAX_SPEC_BYTES:
        raise UsageError(f"{name}: too large, a spec has at most {MAX_SPEC_BYTES} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{name}: not UTF-8 text") from None
    if "\0" in text:
        raise UsageError(f"{name}: not UTF-8 text (it holds a NUL)")
    return Source(name, text.replace("\r\n", "\n"))
