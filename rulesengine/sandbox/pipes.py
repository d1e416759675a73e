"""The three streams of a program, read and written by one `poll`, so that they cannot deadlock."""

import os
import select
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

_CHUNK = 65536
_TICK = 0.25  # seconds after which a wait checks its condition without an event
_KEPT_ERRORS = 65536  # bytes of standard error that are kept


class Pipes:
    """The host's ends of a program's standard input, output and error.

    `received` is output that was not taken yet, `errors` the first part of standard error.
    `flooded` is set when either stream has exceeded `most` bytes; then nothing more is read.
    `outgoing` is written while waiting. `signal` is a descriptor that interrupts a wait.
    """

    def __init__(self, streams: Sequence[int], signal: int, most: int) -> None:
        self._input, self._output, self._errors = streams
        self._signal, self._most = signal, most
        self._open = set(streams)
        self._printed = dict.fromkeys(streams[1:], 0)
        self._poll = select.poll()
        self._writes = False
        self.received, self.errors = bytearray(), bytearray()
        self.outgoing = memoryview(b"")
        self.flooded = False
        for fd in streams:
            os.set_blocking(fd, False)
        for fd in (*streams[1:], signal):
            self._poll.register(fd, select.POLLIN)

    @property
    def takes_input(self) -> bool:
        """True if the program may still read; updated by writing."""
        return self._input in self._open

    @property
    def prints(self) -> bool:
        """True if standard output is open."""
        return self._output in self._open

    @property
    def drained(self) -> bool:
        """True if no more output can arrive."""
        return self.flooded or not self._open & {*self._printed}

    def pump(self, until: Callable[[], bool], seconds: float | None) -> bool:
        """Write and read until a condition is true. False if it is not within `seconds`."""
        deadline = None if seconds is None else time.monotonic() + seconds
        self._write()
        while not until():
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left < 0:
                return False
            for fd, _ in self._ready(_TICK if left is None else min(left, _TICK)):
                if fd == self._input:
                    self._write()
                elif fd != self._signal:
                    self._read(fd)
        return True

    def read_now(self) -> None:
        """Read available output without waiting."""
        while fds := [fd for fd, _ in self._ready(0.0) if fd in self._printed]:
            for fd in fds:
                self._read(fd)

    def take(self, count: int) -> bytes:
        """Remove and return the first bytes of the received output."""
        data = bytes(self.received[:count])
        del self.received[:count]
        return data

    def close(self, *, output: bool = True) -> None:
        """Close all pipes, or only the program's input."""
        self.outgoing = memoryview(b"")
        for fd in tuple(self._open) if output else (self._input,):
            self._close(fd)

    def _ready(self, seconds: float | None) -> list[tuple[int, int]]:
        self._watch_input(bool(self.outgoing))
        wait = None if seconds is None else max(0.0, seconds) * 1000
        return self._poll.poll(wait)

    def _watch_input(self, writes: bool) -> None:
        if writes != self._writes and self.takes_input:
            self._writes = writes
            if writes:
                self._poll.register(self._input, select.POLLOUT)
            else:
                self._poll.unregister(self._input)

    def _write(self) -> None:
        try:
            while self.outgoing:
                count = os.write(self._input, self.outgoing)
                self.outgoing = self.outgoing[count:]
        except BlockingIOError:
            return
        except OSError:
            self.close(output=False)

    def _read(self, fd: int) -> None:
        try:
            data = os.read(fd, _CHUNK)
        except BlockingIOError:
            return
        if not data:
            self._close(fd)
            return
        self._printed[fd] += len(data)
        over = max(0, self._printed[fd] - self._most)
        head = data[: len(data) - over]
        if fd == self._output:
            self.received += head
        else:
            self.errors += head[: _KEPT_ERRORS - len(self.errors)]
        if over:
            self.flooded = True
            for each in self._open & {*self._printed}:
                self._poll.unregister(each)
                os.close(each)
                self._open.discard(each)

    def _close(self, fd: int) -> None:
        if fd in self._open:
            self._open.discard(fd)
            # standard input is registered only while there is data to write
            with suppress(KeyError):
                self._poll.unregister(fd)
            os.close(fd)
