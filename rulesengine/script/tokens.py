"""Tokenisation of input into words and lines; each is returned as soon as it is complete."""

import re
from collections.abc import Callable
from math import inf
from time import monotonic
from typing import Protocol

from rulesengine.support.limits import INTEGER_MAX, INTEGER_MIN

_BLANK = re.compile(rb"[ \t\n\r\v\f]")
_WORD = re.compile(rb"[^ \t\n\r\v\f]")
_WORD_OR_END = re.compile(rb"[^ \t\r\v\f]")
_NUMBER = re.compile(r"-?[0-9]+")
_CHUNK = 65536
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


class EndOfInput(Exception):
    """The input has ended where a word or a line was expected."""


class Tokenizer:
    """Words split at ASCII white space; `before_wait` is called before a read that may block.

    `arrived` is the time at which the last blocking read ended, initially negative infinity.
    """

    def __init__(self, stream: ByteReader, before_wait: Callable[[], None]) -> None:
        self._read: Callable[[int], bytes | None] = getattr(stream, "read1", stream.read)
        self._before_wait = before_wait
        self.arrived = -inf
        self._buffer = b""
        self._at = 0
        self._ended = False
        self._lines = 0
        self._words = 0

    def word(self) -> str:
        """Return the next word. Raises EndOfInput."""
        if self._at > _CHUNK:
            self._forget()
        start = self._find(_WORD, self._at)
        if start < 0:
            self._at = len(self._buffer)
            raise EndOfInput
        end = self._find(_BLANK, start)
        self._at = len(self._buffer) if end < 0 else end
        word = self._buffer[start : self._at]
        return word.decode("utf-8", "replace")

    def ends_line(self) -> bool:
        """True if no other word is on the line; the line is then consumed."""
        at = self._find(_WORD_OR_END, self._at)
        if at >= 0 and self._buffer[at : at + 1] != b"\n":
            return False
        self._at = len(self._buffer) if at < 0 else at + 1
        return True

    def line(self) -> str:
        """Return the rest of the line, without its end. Raises EndOfInput."""
        self._forget()
        end = self._find(re.compile(rb"\n"), 0)
        if end < 0 and not self._buffer:
            raise EndOfInput
        line = self._buffer if end < 0 else self._buffer[:end]
        self._at = len(line) + (end >= 0)
        return line.removesuffix(b"\r").decode("utf-8", "replace")

    @property
    def place(self) -> tuple[int, int]:
        """Return the line of the last read word and the word's number in that line, both from 1."""
        read = self._buffer[: self._at].removesuffix(b"\n")
        lines = read.count(b"\n")
        words = len(read[read.rfind(b"\n") + 1 :].split())
        return 1 + self._lines + lines, words + (0 if lines else self._words)

    def row(self) -> str:
        """Return the next line; skip the blank rest of a line that was read in part."""
        begun = self._words > 0
        if self._at:
            begun = self._buffer[self._at - 1 : self._at] != b"\n"
        line = self.line()
        return self.line() if begun and not line.strip() else line

    def _forget(self) -> None:
        """Drop the consumed bytes, but keep their line and word counts."""
        read = self._buffer[: self._at]
        lines = read.count(b"\n")
        self._words = len(read[read.rfind(b"\n") + 1 :].split()) + (0 if lines else self._words)
        self._lines += lines
        self._buffer, self._at = self._buffer[self._at :], 0

    def _find(self, pattern: re.Pattern[bytes], start: int) -> int:
        """Return the offset where a one-byte pattern matches, or -1 if the input ends first."""
        while True:
            match = pattern.search(self._buffer, start)
            if match:
                return match.start()
            start = len(self._buffer)
            if not self._more():
                return -1

    def _more(self) -> bool:
        if self._ended:
            return False
        self._before_wait()
        parts = [self._buffer]
        since = monotonic()
        chunk = self._read(_CHUNK)
        now = monotonic()
        if now - since > _WAITING:
            self.arrived = now
        if not chunk:
            self._ended = True
            return False
        parts.append(chunk)
        self._buffer = b"".join(parts)
        return True


def number(word: str) -> int | None:
    """Parse an optional `-` and ASCII digits; clamp the number to 64 bits."""
    if not _NUMBER.fullmatch(word):
        return None
    negative, digits = word.startswith("-"), word.removeprefix("-").lstrip("0")
    if len(digits) > 19:
        return INTEGER_MIN if negative else INTEGER_MAX
    value = int(digits or "0")
    return max(INTEGER_MIN, min(INTEGER_MAX, -value if negative else value))
