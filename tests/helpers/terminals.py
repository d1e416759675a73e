"""A program at a pseudo-terminal, with simulated key presses."""

import os
import pty
import select
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from tests.helpers.processes import PATIENCE, Process, end, start

# Control keys reach the program only if standard input is the terminal of its session.
_PROGRAM = """
import fcntl, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from rulesengine.cli import main
sys.exit(main())
"""
END, INTERRUPT = "\x04", "\x03"


class Screen:
    """The output of a program; `type` sends keys, `wait_for` waits for a text."""

    def __init__(self, process: Process, terminal: int) -> None:
        self._process = process
        self._terminal = terminal
        self.text = ""
        self._seen = 0

    def type(self, keys: str) -> None:
        """Send keys unchanged; `say` adds the return."""
        os.write(self._terminal, keys.encode())

    def say(self, line: str) -> None:
        self.type(line + "\n")

    def wait_for(self, text: str) -> str:
        """Return the output up to a text that comes after the last one waited for."""
        limit = time.monotonic() + PATIENCE
        while text not in self.text[self._seen :]:
            if time.monotonic() > limit or not self._read(limit):
                raise AssertionError(f"no `{text}` in:\n{self.text[self._seen :]}")
        end = self.text.index(text, self._seen) + len(text)
        found, self._seen = self.text[self._seen : end], end
        return found

    def interrupt(self) -> int:
        """Press Ctrl-C once and return the exit code."""
        self.type(INTERRUPT)
        return self._process.wait(PATIENCE)

    def end(self) -> int:
        """Wait for the end of the program and return the exit code."""
        limit = time.monotonic() + PATIENCE
        while time.monotonic() < limit and self._read(limit):
            pass
        return self._process.wait(PATIENCE)

    def _read(self, limit: float) -> bool:
        """Read the available output; return False when the program has closed its end."""
        ready, _, _ = select.select([self._terminal], [], [], max(0.0, limit - time.monotonic()))
        try:
            data = os.read(self._terminal, 65536) if ready else b""
        except OSError:  # on Linux the end of a terminal is an error
            data = b""
        self.text += data.decode().replace("\r\n", "\n")
        return bool(data)


@contextmanager
def at_terminal(*words: str, env: Mapping[str, str] | None = None) -> Iterator[Screen]:
    """Run `rulesengine WORDS` with a terminal of its own, ended with the block."""
    master, slave = pty.openpty()
    try:
        process = start(
            sys.executable, "-c", _PROGRAM, *words,
            files=(slave, slave, slave), env={"TERM": "dumb", **(env or {})}, session=True,
        )  # fmt: skip
    finally:
        os.close(slave)
    try:
        yield Screen(process, master)
    finally:
        end(process)
        os.close(master)
