"""Base class of players that are external programs: process, timeouts, faults and transcript."""

import atexit
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from time import perf_counter

from rulesengine.errors import UsageError
from rulesengine.play.players.base import CRASH, LATE, OUTPUT, SILENCE, Fault, Seat, Turn, cut
from rulesengine.sandbox import (
    ExitReason,
    Limits,
    OutputLimitExceeded,
    Program,
    ProgramError,
    ProgramFault,
    Programs,
    TimedOut,
    words_of,
)
from rulesengine.state import Move
from rulesengine.support.printable import printable

PATIENCE = 10.0  # seconds for a move without a clock, and for any other response
_MOMENT = 0.5  # seconds
_KEPT = 64 * 1024  # characters of a transcript
_USUAL = Limits()


class SubprocessPlayer:
    """A program that exchanges lines with the engine; its process is started on first use.

    All its descendants end with it. This is not a security boundary: the program has the rights of
    its user. The process is started by the `Programs` of this process, or by `starter` if given.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        limits: Limits = _USUAL,
        folder: str | None = None,
        starter: Programs | None = None,
    ) -> None:
        try:
            self.words = words_of(command) if isinstance(command, str) else list(command)
        except ProgramError as error:
            raise UsageError(f"--player: {error}") from None
        self.ending: ExitReason | None = None
        self._limits, self._folder, self._starter = limits, folder, starter
        self._program: Program | None = None
        self._transcript: list[str] = []
        self._length = 0
        self._until = 0.0
        self._is_timed = False

    def begin(self, seat: Seat) -> None:
        self.seat = seat
        self._transcript, self._length = [], 0
        self.allow(PATIENCE)
        self.start()

    def start(self) -> None:
        """Begin the game; start the process if none is running."""
        self.run()

    def run(self) -> None:
        """Start the process if it is not running. Raises Fault."""
        if self._program is None:
            try:
                starter = self._starter or programs()
                self._program = starter.start(self.words, self._limits, folder=self._folder)
            except ProgramError as error:
                raise Fault(CRASH, cut(str(error))) from None

    def end(self, moves: Sequence[Move]) -> None:
        self.close()

    def transcript(self) -> str:
        return "\n".join(self._transcript)

    def close(self) -> None:
        """End the process with its descendants and store its `ending`."""
        if self._program:
            self.ending = self._program.stop()
            self._program = None

    def in_turn(self, turn: Turn) -> None:
        """Start the timeout of a move: the remaining time of its clock, or else `PATIENCE`."""
        self._is_timed = turn.left is not None
        self.allow(PATIENCE if turn.left is None else turn.left)

    def allow(self, seconds: float) -> None:
        """Set the deadline of responses to `seconds` from now."""
        self._until = perf_counter() + seconds

    def send(self, *lines: str) -> None:
        """Send lines. Raises Fault."""
        for line in lines:
            self._note("> " + line)
        with self.guarded() as program:
            program.send("".join(line + "\n" for line in lines).encode(), self.remaining_seconds)

    def read_line(self) -> str:
        """Return the next non-empty line, stripped. Raises Fault."""
        line = ""
        while not line:
            with self.guarded() as program:
                line = program.read_line(self.remaining_seconds).decode("utf-8", "replace").strip()
        self._note("< " + line)
        return line

    @contextmanager
    def guarded(self) -> Iterator[Program]:
        """Yield the running program and convert its errors to faults. Raises Fault."""
        if self._program is None:
            raise Fault(CRASH, "has ended")
        try:
            yield self._program
        except ProgramFault as error:
            kind, reason = self._kind_of(error)
            self.close()
            raise Fault(kind, reason) from None

    @property
    def remaining_seconds(self) -> float:
        """Return the seconds until the deadline."""
        return max(self._until - perf_counter(), 0.0)

    def _kind_of(self, error: ProgramFault) -> tuple[str, str]:
        match error:
            case TimedOut():
                return LATE if self._is_timed else SILENCE, str(error)
            case OutputLimitExceeded():
                return OUTPUT, str(error)
        return CRASH, self._last_words()

    def _last_words(self) -> str:
        """Describe the program's end: exit code, signal or limit, and its last line of errors."""
        assert self._program
        with suppress(ProgramFault):  # its pipes close a moment before it ends
            self._program.wait(_MOMENT)
        ending, errors = self._program.stop(), self._program.errors
        cause = f"signal {ending.signal}" if ending.signal else f"exit code {ending.exit}"
        if ending.limit:
            cause = f"limit of {ending.limit}"
        last = printable(errors.decode("utf-8", "replace").strip().rpartition("\n")[2])
        return cut(f"has ended, {cause}: {last}" if last else f"has ended, {cause}")

    def _note(self, line: str) -> None:
        """Append a line to the transcript while it is below its maximum length."""
        self._length += len(line)
        if self._length <= _KEPT:
            self._transcript.append(
                "".join(c if c.isprintable() or c == "\n" else "?" for c in line)
            )


@lru_cache(1)
def programs() -> Programs:
    """Return the cached `Programs` of this process, closed at exit; starting one is slow."""
    created = Programs()
    atexit.register(created.close)
    return created


def end_programs() -> None:
    """End all programs of this process; players used later start new ones."""
    programs().close()
    programs.cache_clear()
