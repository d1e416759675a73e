"""Progress bars of long commands: at a terminal, on standard error, if tqdm is installed."""

import io
import os
import pty
import select
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TextIO
from unittest import mock

import pytest

from rulesengine.cli import progress as shown
from rulesengine.cli.output import result
from rulesengine.cli.progress import progress
from tests.helpers.cli_calls import call
from tests.helpers.processes import PATIENCE
from tests.helpers.terminals import INTERRUPT, at_terminal

needs_tqdm = pytest.mark.skipif(not find_spec("tqdm"), reason="no extra `progress`")


class Terminal:
    """A pseudo-terminal: `wait_for` reads what was written to it."""

    def __init__(self) -> None:
        self.master, slave = pty.openpty()
        self.stream: TextIO = os.fdopen(slave, "w", encoding="utf-8")
        self.text = ""

    def wait_for(self, text: str) -> None:
        limit = time.monotonic() + PATIENCE
        while text not in self.text:
            assert time.monotonic() < limit, self.text
            self.read(0.1)

    def read(self, seconds: float) -> None:
        if select.select([self.master], [], [], seconds)[0]:
            self.text += os.read(self.master, 65536).decode()

    def close(self) -> None:
        self.stream.close()
        os.close(self.master)


@contextmanager
def terminal(patience: float = 0.0) -> Iterator[Terminal]:
    """Run with a terminal as standard error; a bar is shown after so many seconds."""
    found = Terminal()
    with mock.patch("sys.stderr", found.stream), mock.patch.object(shown, "_PATIENCE", patience):
        yield found
    found.close()


@needs_tqdm
def test_a_bar_tells_how_much_is_done_of_how_much_and_goes() -> None:
    with terminal() as screen:
        with progress("playout", "games", 40) as job:
            job.add(10)
            screen.wait_for("10/40")
            assert "playout:  25%" in screen.text
            assert "games/s" in screen.text
        screen.read(0.0)
        assert last_line(screen.text) == ""


@needs_tqdm
def test_without_a_total_the_number_is_reported_and_without_a_unit_the_time() -> None:
    with terminal() as screen:
        with progress("perft", "positions") as job:
            job.add(7)
            screen.wait_for("perft: 7 positions [")
        with progress("bench"):
            screen.wait_for("bench: 00:0")


@needs_tqdm
def test_a_result_stands_alone_in_its_line() -> None:
    with terminal() as screen, mock.patch("sys.stdout", screen.stream):
        with progress("test", "tests") as job:
            job.add(3)
            screen.wait_for("3 tests")
            result("one line")
            screen.stream.flush()
            screen.wait_for("one line\r\n")
        assert last_line(screen.text.partition("one line")[0]) == ""


def last_line(text: str) -> str:
    """Return the last line of a terminal; each carriage return overwrites it from the start."""
    line = ""
    for part in text.rpartition("\n")[2].split("\r"):
        line = part + line[len(part) :]
    return line.strip()


def test_short_job_shows_no_progress() -> None:
    with terminal(PATIENCE) as screen:
        with progress("perft", "positions") as job:
            job.add(1)
        screen.read(0.0)
        assert screen.text == ""


def test_without_tqdm_nothing_is_shown() -> None:
    with terminal() as screen, mock.patch.object(shown, "find_spec", return_value=None):
        with progress("perft", "positions") as job:
            job.add(1)
            time.sleep(0.05)
        screen.read(0.0)
        assert screen.text == ""


@pytest.mark.parametrize("stream", [io.StringIO(), None])
def test_no_progress_without_a_terminal(
    stream: io.StringIO | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(shown, "_PATIENCE", 0.0)
    with progress("perft", "positions") as job:
        job.add(1)
        time.sleep(0.05)
    assert stream is None or stream.getvalue() == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["perft", "tic-tac-toe", "2", "--divide"],
        ["playout", "tic-tac-toe", "3"],
        ["check", "tic-tac-toe"],
        ["test", "tic-tac-toe"],
        ["coverage", "tic-tac-toe", "--games", "1"],
    ],
    ids=" ".join,
)
def test_commands_print_nothing_of_it_behind_pipes(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shown, "_PATIENCE", 0.0)
    assert call(*words).err == ""


@needs_tqdm
@pytest.mark.slow
def test_a_long_command_shows_a_bar_until_it_is_interrupted() -> None:
    path = os.pathsep.join(sys.path)  # wherever tqdm is
    with at_terminal("playout", "tic-tac-toe", str(10**14), env={"PYTHONPATH": path}) as screen:
        screen.wait_for("playout:   0%|")
        screen.wait_for("games/s]")
        screen.type(INTERRUPT)
        assert screen.end() == 130
