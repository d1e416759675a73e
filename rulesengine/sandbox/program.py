"""The host's interface to a running program: lines sent and received with timeouts."""

import json
import os
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Lock, RLock
from types import TracebackType
from typing import Any

from rulesengine.sandbox.exit_reason import ExitReason, RunResult
from rulesengine.sandbox.limits import Limits
from rulesengine.sandbox.pipes import Pipes
from rulesengine.sandbox.supervisor_handle import SupervisorHandle

_LINE = 65536
NO_MORE = "no program starts any more"
PATIENCE = 20.0  # timeout of a supervisor that ends a program; it gives up after 5 seconds itself


class ProgramFault(Exception):
    """A program that did not behave as expected."""


class TimedOut(ProgramFault):
    """A timeout: the program was silent or did not read its input."""


class OutputClosed(ProgramFault):
    """The program has ended, or has closed the pipe."""


class OutputLimitExceeded(ProgramFault):
    """The program printed more than its limit, or a line that is too long."""


class Program:
    """A running program below a supervisor, which communicates over a socket."""

    def __init__(
        self,
        supervisor: SupervisorHandle,
        streams: Sequence[int],
        limits: Limits,
        mark: str,
        release: Callable[["Program", SupervisorHandle, bool], None],
    ) -> None:
        self._supervisor, self._release = supervisor, release
        self._control, self._mark = supervisor.control, mark
        # The supervisor checks the limit; the host has a deadline in case it does not.
        self._deadline = None if limits.wall is None else limits.wall + PATIENCE
        self._pipes = Pipes(streams, self._control.fileno(), limits.output)
        self._answers = b""
        self._answered = False
        self._ending: ExitReason | None = None
        self._lock = RLock()  # held while waiting for the program
        self._line = Lock()  # held while writing to its supervisor
        self._started = self._released = False
        self.refusal = ""

    def __enter__(self) -> "Program":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    def begin(self, request: bytes, streams: Sequence[int]) -> None:
        """Send the request and the program's streams to the supervisor.

        `refusal` is then the reason if the program could not be started. A program that was stopped
        before is not started. A stop waits for the first answer: a supervisor would miss a stop
        that arrives with the request.
        """
        with self._line:
            if self._answered:
                self.refusal = NO_MORE
                return
            self._started = True
            self._control.settimeout(PATIENCE)
            with suppress(OSError):
                sent = socket.send_fds(self._control, [request], streams)
                self._control.sendall(request[sent:])
            self.refusal = self._first_answer()
            self._answered = bool(self.refusal) or self._answers.endswith(b"\n")

    def _first_answer(self) -> str:
        """Return the reason why the program could not be started, or an empty text."""
        with suppress(OSError):
            while b"\n" not in self._answers and self._read():
                pass
        line, newline, self._answers = self._answers.partition(b"\n")
        refusal: str = json.loads(line)["error"] if newline else "its supervisor was ended"
        return refusal

    @property
    def errors(self) -> bytes:
        """Return the first part of its standard error so far."""
        return bytes(self._pipes.errors)

    @property
    def pending(self) -> bytes:
        """Return the output that was received but not read."""
        self._pipes.read_now()
        return bytes(self._pipes.received)

    def send(self, data: bytes, seconds: float | None = None) -> None:
        """Write to its standard input. Raises ProgramFault."""
        pipes = self._pipes
        with self._lock:
            if pipes.takes_input:
                pipes.outgoing = memoryview(data)
                if not pipes.pump(lambda: not pipes.outgoing or pipes.flooded, seconds):
                    raise TimedOut("it does not read its input")
                self._refuse_flood()
            if not pipes.takes_input:
                raise OutputClosed("it has closed its input")

    def read_line(self, seconds: float | None = None, most: int = _LINE) -> bytes:
        """Return the next line with its newline. Raises ProgramFault."""
        self._receive_until(lambda: b"\n" in self._pipes.received[:most], seconds, most)
        return self._pipes.take(self._pipes.received.index(b"\n") + 1)

    def read_exactly(self, count: int, seconds: float | None = None) -> bytes:
        """Return the next `count` bytes. Raises ProgramFault."""
        self._receive_until(lambda: len(self._pipes.received) >= count, seconds)
        return self._pipes.take(count)

    def read_some(self, seconds: float | None = None) -> bytes:
        """Return available output, at least one byte. Raises ProgramFault."""
        self._receive_until(lambda: bool(self._pipes.received), seconds)
        return self._pipes.take(len(self._pipes.received))

    def close_input(self) -> None:
        """Close its standard input."""
        self._pipes.close(output=False)

    def finish(self, input: bytes = b"") -> RunResult:
        """Write an input, close it, and wait for the end, bounded by the program's limits."""
        pipes = self._pipes
        pipes.outgoing = memoryview(input)

        def is_over() -> bool:
            if not pipes.outgoing:
                pipes.close(output=False)
            return self._has_ended() or pipes.flooded

        with self._lock:
            pipes.pump(is_over, self._deadline)
            if self._answered and not pipes.flooded:
                pipes.pump(lambda: pipes.drained, PATIENCE)
            ending = self.stop()
            return RunResult(pipes.take(len(pipes.received)), self.errors, ending)

    def wait(self, seconds: float | None = None) -> ExitReason:
        """Wait until it ends by itself, reading its output. Raises ProgramFault."""
        with self._lock:
            if not self._pipes.pump(lambda: self._has_ended() or self._pipes.flooded, seconds):
                raise TimedOut("it does not end")
            self._refuse_flood()
            return self.stop()

    def stop(self) -> ExitReason:
        """End it and its descendants unless it has ended, and return its end.

        Another thread may call this; a thread that waits for the program then raises
        `OutputClosed`.
        """
        self._interrupt()
        with self._lock:
            if self._ending is None:
                self._ending = self._end()
            return self._ending

    def _interrupt(self) -> None:
        """Make the supervisor end the program, unless it has ended or the supervisor runs another
        one.

        Before the request there is nothing to end, and no answer to wait for.
        """
        with self._line, suppress(OSError):
            self._answered |= not self._started
            if not (self._released or self._answered):
                self._control.send(b"\n")

    def _end(self) -> ExitReason:
        self._pipes.read_now()
        with suppress(OSError):
            if not self._answered:
                self._supervisor.wait(lambda: self._receive() and not self._answered, PATIENCE)
        self._pipes.close()
        if self._started and not self._answered:
            self._supervisor.kill(self._mark)
        ending = ExitReason(None, None, "lost", 0.0, 0.0, 0)
        if self._answered and self._answers:
            ending = _ending(json.loads(self._answers), self._pipes.flooded)
        with self._line:
            self._released = True
        self._release(self, self._supervisor, self._answered and not ending.left)
        return ending

    def _receive_until(
        self, done: Callable[[], bool], seconds: float | None, most: int | None = None
    ) -> None:
        pipes = self._pipes

        def is_settled() -> bool:
            full = most is not None and len(pipes.received) >= most
            return done() or full or pipes.flooded or not pipes.prints

        with self._lock:
            settled = pipes.pump(is_settled, seconds)
        if not settled:
            raise TimedOut("it printed too little" if pipes.received else "it printed nothing")
        if not done():
            self._refuse_flood()
            if not pipes.prints:
                raise OutputClosed("it has ended, or closed its output")
            raise OutputLimitExceeded(f"it printed a line of more than {most} bytes")

    def _refuse_flood(self) -> None:
        if self._pipes.flooded:
            raise OutputLimitExceeded("it printed more than its limit")

    def _has_ended(self) -> bool:
        """True if the supervisor has reported the end, has died or was stopped.

        After a stop by another thread the socket must not be used.
        """
        if self._released:
            return True
        self._control.setblocking(False)
        with suppress(BlockingIOError):
            while not self._answered:
                if not self._receive():
                    return True
        return self._answered or self._supervisor.is_stopped

    def _receive(self) -> bool:
        """Read from the supervisor and check for a complete answer. False if it has died."""
        is_there = self._read()
        self._answered = self._answers.endswith(b"\n")
        return is_there

    def _read(self) -> bool:
        try:
            data = self._control.recv(_LINE)
        except ConnectionError:
            return False
        self._answers += data
        return bool(data)


def _ending(report: dict[str, Any], flooded: bool) -> ExitReason:
    status = report["status"]
    code = None if status is None else os.waitstatus_to_exitcode(status)
    ended = code is not None and code >= 0
    return ExitReason(
        exit=code if ended else None,
        signal=-code if code is not None and code < 0 else None,
        limit="output" if flooded else report["limit"],
        wall=report["wall"],
        cpu=report["cpu"],
        memory=report["memory"],
        left=report["left"],
    )
