"""Tokenisation of input into words and lines; each is returned as soon as it is complete."""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from math import inf
from stat import S_ISREG
from time import monotonic
from typing import Protocol

from rulesengine.errors import InputError
from rulesengine.support.limits import INTEGER_MAX, INTEGER_MIN, MAX_INPUT_LINE

_NEWLINE = 10
_LINE_END = re.compile(rb"\n")
_BLANK = re.compile(rb"[ \t\n\r\v\f]")
_WORD = re.compile(rb"[^ \t\n\r\v\f]")
_WORD_OR_END = re.compile(rb"[^ \t\r\v\f]")
_NUMBER = re.compile(r"-?[0-9]+")
_CHUNK = 65536
TOO_LONG = f"longer than {MAX_INPUT_LINE:,} bytes"
_WAITING = 0.002  # seconds; a longer read has waited for the other side


class ByteReader(Protocol):
    """A byte stream; `read` returns at most `size` available bytes, and none at the end."""

    def read(self, size: int, /) -> bytes | None: ...


class InputReader(Protocol):
    """The input interface of a script, implemented by `Tokenizer`; calls may raise EndOfInput."""

    @property
    def arrived(self) -> float: ...

    @property
    def place(self) -> tuple[int, int]: ...

    def word(self) -> str: ...

    def line(self) -> str: ...

    def row(self) -> str: ...

    def ends_line(self) -> bool: ...

    def layout(self, kind: str) -> None: ...


class EndOfInput(Exception):
    """The input has ended where a word or a line was expected."""


class Tokenizer:
    """Words split at ASCII white space; `before_wait` is called before a read that may block.

    `arrived` is the time at which the last blocking read ended, initially negative infinity.
    `expected_bytes` is the size of the input if it is a file, else 0. White space and consumed text
    take no memory. Raises InputError for a word or line that is too long.
    """

    def __init__(self, stream: ByteReader, before_wait: Callable[[], None]) -> None:
        self._read: Callable[[int], bytes | None] = getattr(stream, "read1", stream.read)
        self._before_wait = before_wait
        self.arrived = -inf
        self.buffer = bytearray()
        self.at = 0
        self.ended = False
        self.arrived_bytes = 0
        self.expected_bytes = _rest_of_file(stream)
        self._lines = 0
        self._words = 0

    @property
    def consumed(self) -> int:
        """Return the number of consumed bytes."""
        return self.arrived_bytes - len(self.buffer) + self.at

    def has_read_since(self, consumed: int) -> bool:
        """True if more than white space was consumed after so many bytes."""
        start = self.at - (self.consumed - consumed)
        return start < 0 or bool(self.buffer[start : self.at].strip())

    def word(self) -> str:
        """Return the next word. Raises EndOfInput."""
        if not self._skip(_WORD):
            raise EndOfInput
        return self._text(self._end(_BLANK))

    def ends_line(self) -> bool:
        """True if no other word is on the line; the line is then consumed."""
        if self._skip(_WORD_OR_END):
            if self.buffer[self.at] != _NEWLINE:
                return False
            self.at += 1
        return True

    def layout(self, kind: str) -> None:
        """Ignore a `layout` statement: words are split at any white space."""

    def line(self) -> str:
        """Return the rest of the line, without its end. Raises EndOfInput."""
        end = self._end(_LINE_END)
        if end == self.at == len(self.buffer):
            raise EndOfInput
        line = self._text(end)
        self.at += self.at < len(self.buffer)
        return line.removesuffix("\r")

    @property
    def place(self) -> tuple[int, int]:
        """Return the line of the last read word and the word's number in that line, both from 1."""
        read = self.buffer[: self.at].removesuffix(b"\n")
        lines = read.count(b"\n")
        words = len(read[read.rfind(b"\n") + 1 :].split())
        return 1 + self._lines + lines, words + (0 if lines else self._words)

    def row(self) -> str:
        """Return the next line; skip the blank rest of a line that was read in part."""
        begun = self._words > 0
        if self.at:
            begun = self.buffer[self.at - 1] != _NEWLINE
        line = self.line()
        return self.line() if begun and not line.strip() else line

    def more(self) -> bool:
        """Read more input, waiting if there is none; false at the end of the input."""
        if self.ended:
            return False
        self._before_wait()
        since = monotonic()
        chunk = self._read(_CHUNK)
        now = monotonic()
        if now - since > _WAITING:
            self.arrived = now
        if not chunk:
            self.ended = True
            return False
        if self.at > _CHUNK:
            self._forget()
        self.buffer += chunk
        self.arrived_bytes += len(chunk)
        return True

    def _text(self, end: int) -> str:
        """Consume the input up to an offset and return it."""
        text = self.buffer[self.at : end].decode("utf-8", "replace")
        self.at = end
        return text

    def _forget(self) -> None:
        """Drop the consumed bytes, but keep their line and word counts.

        A last line end is kept, since the place is on its line until more is read.
        """
        end = self.at - 1 if self.buffer[self.at - 1] == _NEWLINE else self.at
        read = self.buffer[:end]
        lines = read.count(b"\n")
        self._words = len(read[read.rfind(b"\n") + 1 :].split()) + (0 if lines else self._words)
        self._lines += lines
        del self.buffer[:end]
        self.at -= end

    def _skip(self, pattern: re.Pattern[bytes]) -> bool:
        """Consume the input up to a byte that matches; false if the input ends first."""
        while True:
            match = pattern.search(self.buffer, self.at)
            if match:
                self.at = match.start()
                return True
            self.at = len(self.buffer)
            if not self.more():
                return False

    def _end(self, pattern: re.Pattern[bytes]) -> int:
        """Return the offset of the next byte that matches, or of the end of the input."""
        length = 0
        while True:
            match = pattern.search(self.buffer, self.at + length)
            length = (match.start() if match else len(self.buffer)) - self.at
            if length > MAX_INPUT_LINE:
                raise InputError(f"a word or line of the input is {TOO_LONG}")
            if match or not self.more():
                return self.at + length
            del match


def _rest_of_file(stream: ByteReader) -> int:
    """Return the bytes from here to the end of a file; 0 for another stream."""
    try:
        status = os.fstat(stream.fileno())  # type: ignore[attr-defined]
        at: int = stream.tell()  # type: ignore[attr-defined]
    except (AttributeError, OSError, ValueError):
        return 0
    return max(0, status.st_size - at) if S_ISREG(status.st_mode) else 0


def bounded(words: Iterable[str]) -> Iterator[str]:
    """Yield words that are held together. Raises InputError if they are longer than a line."""
    size = 0
    for word in words:
        size += len(word) + 1
        if size > MAX_INPUT_LINE:
            raise InputError(f"a list of the input is {TOO_LONG}")
        yield word


def number(word: str) -> int | None:
    """Parse an optional `-` and ASCII digits; clamp the number to 64 bits."""
    if not _NUMBER.fullmatch(word):
        return None
    negative, digits = word.startswith("-"), word.removeprefix("-").lstrip("0")
    if len(digits) > 19:
        return INTEGER_MIN if negative else INTEGER_MAX
    value = int(digits or "0")
    return max(INTEGER_MIN, min(INTEGER_MAX, -value if negative else value))
