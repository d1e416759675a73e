"""Decoding of files in formats of other programs."""

import re

from rulesengine.errors import UsageError
from rulesengine.formats.wthor import is_wthor

_COMPRESSED = (b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd")

# The property of Smart Game Format with the name of the encoding, in the first bytes of a file.
_DECLARED = re.compile(rb"\s*\(\s*;[^()]{0,400}?\bCA\[([A-Za-z0-9_.:-]{1,40})\]")


def decode(data: bytes, name: str = "input") -> str:
    """Decode bytes as UTF-8, with or without a byte-order mark, else as Latin-1.

    An encoding that the text declares is tried first. A byte-order mark of UTF-16 is accepted.
    Files of binary formats are texts of Latin-1. Raises UsageError for compressed files, which are
    not opened, and for bytes that are neither.
    """
    if data.startswith(_COMPRESSED):
        raise UsageError(f"{name}: compressed, which is not opened: unpack it first")
    if is_wthor(data):
        return data.decode("latin-1")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16", "replace")
    else:
        text = _decoded(data)
    if "\0" in text:
        raise UsageError(f"{name}: no text (it holds a NUL)")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _decoded(data: bytes) -> str:
    """Decode bytes in the first encoding that has all of them."""
    match = _DECLARED.match(data.removeprefix(b"\xef\xbb\xbf"))
    declared = [match[1].decode("ascii")] if match else []
    for encoding in (*declared, "utf-8-sig"):
        try:
            return data.decode(encoding).removeprefix("\ufeff")
        except (UnicodeDecodeError, LookupError):
            continue
    return data.decode("latin-1")
