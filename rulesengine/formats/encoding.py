"""Decoding of files in formats of other programs."""

from rulesengine.errors import UsageError

_COMPRESSED = (b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd")


def decode(data: bytes, name: str = "input") -> str:
    """Decode bytes as UTF-8, with or without a byte-order mark, else as Latin-1.

    A byte-order mark of UTF-16 is accepted. Raises UsageError for compressed files, which are not
    opened, and for bytes that are no text.
    """
    if data.startswith(_COMPRESSED):
        raise UsageError(f"{name}: compressed, which is not opened: unpack it first")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16", "replace")
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("latin-1")
    if "\0" in text:
        raise UsageError(f"{name}: no text (it holds a NUL)")
    return text.replace("\r\n", "\n").replace("\r", "\n")
