"""Progress of long commands: at a terminal, on standard error, as a bar if tqdm is installed."""

import io
import os
import pty
import select
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TextIO
from unittest import mock

import pytest

from rulesengine.cli import progress as shown
from rulesengine.cli.output import result
from rulesengine.cli.progress import progress
from rulesengine.engine.background import reported
from tests.helpers.cli_calls import call
from tests.helpers.processes import PATIENCE
from tests.helpers.terminals import INTERRUPT, at_terminal

needs_tqdm = pytest.mark.skipif(not find_spec("tqdm"), reason="no extra `progress`")


class Terminal:
    """A pseudo-terminal: `wait_for` reads its output."""

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
def test_progress_bar_shows_the_share_and_is_erased() -> None:
    with terminal() as screen:
        with progress("playout", "games", 40) as job:
            job.advance(10)
            screen.wait_for("10/40")
            assert "playout:  25%" in screen.text
            assert "games/s" in screen.text
        screen.read(0.0)
        assert last_line(screen.text) == ""


@needs_tqdm
def test_without_a_total_the_number_is_reported_and_without_a_unit_the_time() -> None:
    with terminal() as screen:
        with progress("perft", "positions") as job:
            job.advance(7)
            screen.wait_for("perft: 7 positions [")
        with progress("bench"):
            screen.wait_for("bench: 00:0")


@pytest.mark.parametrize(("fuzz", "unit"), [(None, ""), ("1", "games")])
def test_a_check_without_random_games_counts_none(
    fuzz: str | None, unit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    units: list[str] = []

    def recorded(label: str, unit: str, total: int | None) -> object:
        units.append(unit)
        return progress(label, unit, total)

    monkeypatch.setattr("rulesengine.cli.check.progress", recorded)
    call("check", "tic-tac-toe", *(("--fuzz", fuzz) if fuzz else ()))
    assert units == [unit]


@needs_tqdm
def test_a_result_is_alone_in_its_line() -> None:
    with terminal() as screen, mock.patch("sys.stdout", screen.stream):
        with progress("test", "tests") as job:
            job.advance(3)
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
            job.advance(1)
        screen.read(0.0)
        assert screen.text == ""


@contextmanager
def without_tqdm() -> Iterator[None]:
    with mock.patch.object(shown, "find_spec", return_value=None):
        yield


def test_without_tqdm_a_line_has_the_count_the_total_and_the_time() -> None:
    with terminal() as screen, without_tqdm():
        with progress("check", "games", 12_000) as job:
            job.advance(1_500)
            screen.wait_for("\rcheck: 1,500 of 12,000 games, 0:0")
        screen.read(0.0)
        assert last_line(screen.text) == ""


def test_without_tqdm_and_a_unit_the_line_has_the_time() -> None:
    with terminal() as screen, without_tqdm(), progress("bench"):
        screen.wait_for("\rbench: 0:00")


def test_without_tqdm_a_result_is_alone_in_its_line() -> None:
    with terminal() as screen, without_tqdm(), mock.patch("sys.stdout", screen.stream):
        with progress("test", "tests") as job:
            job.advance(3)
            screen.wait_for("3 tests")
            result("one line")
            screen.stream.flush()
            screen.wait_for("one line\r\n")
            job.advance(1)
            screen.wait_for("4 tests")
        assert last_line(screen.text.partition("one line")[0]) == ""


def test_a_line_is_no_longer_than_the_terminal() -> None:
    with terminal() as screen, without_tqdm(), mock.patch.object(shown, "_COLUMNS", 20):
        with progress("a long command with a name", "positions"):
            screen.wait_for("\ra long command with")
            time.sleep(0.3)
        screen.read(0.0)
        assert max(map(len, screen.text.split("\r"))) == 19


@pytest.mark.parametrize("is_plain", [True, pytest.param(False, marks=needs_tqdm)])
def test_a_compilation_is_shown_with_its_kernel_while_it_runs(is_plain: bool) -> None:
    with ExitStack() as stack:
        screen = stack.enter_context(terminal())
        if is_plain:
            stack.enter_context(without_tqdm())
        with progress("search", "positions"):
            screen.wait_for("search: 0 positions")
            with reported("Chess, search, native"):
                screen.wait_for("compiling Chess, search, native")
            before = len(screen.text)
            time.sleep(0.5)
            screen.read(0.0)
            after = screen.text[before:].replace("\r", "\n").split("\n")
            assert "compiling" not in after[-2]


@pytest.mark.parametrize("stream", [io.StringIO(), None])
def test_no_progress_without_a_terminal(
    stream: io.StringIO | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(shown, "_PATIENCE", 0.0)
    with progress("perft", "positions") as job:
        job.advance(1)
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


# A game that is read in full, since it has comments.
_LONG_GAME = '[Result "*"]\n\n' + "1. Nf3 {a} Nf6 2. Ng1 {b} Ng8 " * 60 + "*\n\n"
# A Python that finds no tqdm.
_NO_TQDM = "import sys; sys.modules['tqdm'] = None"


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["playout", "tic-tac-toe", str(10**14)], marks=pytest.mark.deep),
        ["search", "chess", "--seconds", "600", "--engine", "interpreter"],
        pytest.param(["learn", "breakthrough", "--minutes", "60", "--out"], marks=pytest.mark.deep),
        pytest.param(["check", "othello", "--fuzz", "100000"], marks=pytest.mark.deep),
        pytest.param(["count", "othello", "12"], marks=pytest.mark.deep),
        pytest.param(["solve", "othello", "--seconds", "600"], marks=pytest.mark.deep),
        pytest.param(["bench", "othello", "--seconds", "600"], marks=pytest.mark.deep),
        pytest.param(
            [
                "match",
                "neutron",
                "--player",
                "a=search:seconds=9",
                "--player",
                "b=search:seconds=8",
            ],
            marks=pytest.mark.deep,
        ),
        ["study", "othello", "--out"],
        pytest.param(["doctor", "chess"], marks=pytest.mark.deep),
        pytest.param(["replay", "games.pgn", "--spec", "chess"], marks=pytest.mark.deep),
        ["convert", "chess", "games.pgn", "--to", "san"],
    ],
    ids=lambda words: words[0],
)
def test_every_long_command_shows_a_line_until_it_is_interrupted(
    words: list[str], tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text(_NO_TQDM)
    path = os.pathsep.join([str(tmp_path), *sys.path])
    if words[-1] == "--out":
        words = [*words, str(tmp_path / "out")]
    (tmp_path / "games.pgn").write_text(_LONG_GAME * 2000)
    words = [str(tmp_path / word) if word == "games.pgn" else word for word in words]
    (tmp_path / "cache").mkdir(0o700)
    cold = {"PYTHONPATH": path, "RULESENGINE_CACHE": str(tmp_path / "cache")}
    with at_terminal(*words, env=cold) as screen:
        screen.wait_for(f"\r{words[0]}: ")
        screen.wait_for("0:0")
        screen.type(INTERRUPT)
        assert screen.end() == 130
        assert last_line(screen.text).replace("^C", "") == ""
