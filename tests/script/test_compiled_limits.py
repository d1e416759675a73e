"""Compiled scripts under bad conditions: broken output, long and binary input, failing code."""

import io
import os
import signal
import subprocess
from pathlib import Path
from typing import IO

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulesengine import load
from rulesengine.errors import InputError
from rulesengine.script import run
from rulesengine.script.compiled_script import CompiledScript
from tests.helpers.processes import COMMAND, PATIENCE, ROOT, running
from tests.helpers.script_engines import ending, with_engine

CHUNK = 65_536
BOARD = b"XXXT\n....\nOO..\n....\n\n"
ANSWER = b"Case #%d: X won\n"

engines = pytest.mark.parametrize(
    "engine", ["python", pytest.param("native", marks=pytest.mark.slow)]
)
posix = pytest.mark.skipif(os.name != "posix", reason="signals and pipes of POSIX")


def boards(count: int) -> bytes:
    return b"%d\n" % count + BOARD * count


class Stream:
    """A stream of equal chunks after a beginning; it counts the chunks that were read."""

    def __init__(self, beginning: bytes, chunk: bytes, count: int) -> None:
        self.left, self._next, self._chunk = count, beginning, chunk

    def read(self, size: int) -> bytes:
        found, self._next = self._next, self._chunk if self.left > 0 else b""
        self.left -= 1
        return found


@engines
def test_a_line_of_two_hundred_megabytes_ends_the_run_before_it_is_read(engine: str) -> None:
    game, target = with_engine(load("gcj13-tomek"), engine), io.BytesIO()
    stream = Stream(boards(300).replace(b"300", b"301", 1), b"x" * CHUNK, 3200)
    with pytest.raises(InputError, match="a word or line of the input is longer than"):
        run(game, stream, target)
    assert stream.left > 3000
    assert target.getvalue() == b"".join(ANSWER % n for n in range(1, 301))


@engines
def test_two_hundred_megabytes_of_blanks_are_skipped(engine: str) -> None:
    game, target = with_engine(load("gcj13-tomek"), engine), io.BytesIO()
    stream = Stream(b"2\n" + BOARD, b" " * CHUNK, 3200)
    run(game, stream, target)
    assert stream.left < 0
    assert target.getvalue() == ANSWER % 1


TOMEK = load("gcj13-tomek")
OTHELLO = load("acm92-othello")


@given(st.binary(max_size=300), st.sampled_from([b"", boards(2), b"2\nXX\x00T\n"]))
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_binary_input_has_the_same_output_and_the_same_error(data: bytes, before: bytes) -> None:
    for game in (TOMEK, OTHELLO):
        expected = ending(game, before + data, "interpreter")
        assert ending(game, before + data, "python", 64) == expected


@posix
@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
@pytest.mark.parametrize("engine", ["interpreter", "python", "native"])
def test_a_full_disk_ends_a_compiled_script_with_one_line(engine: str) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "run", "gcj13-tomek", "--engine", engine],
            input=boards(9000),
            stdout=full,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            timeout=PATIENCE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (2, b"rulesengine: no space left on device\n")


def write_until_broken(pipe: IO[bytes]) -> None:
    """Write boards until the reader of the pipe has ended."""
    try:
        for _ in range(10_000):
            os.write(pipe.fileno(), BOARD * 1000)
    except BrokenPipeError:
        return
    raise AssertionError("the reader goes on")


@posix
@pytest.mark.slow
@pytest.mark.parametrize("engine", ["interpreter", "python", "native"])
def test_a_closed_pipe_ends_a_compiled_script_silently(engine: str) -> None:
    with running(*COMMAND, "run", "gcj13-tomek", "--engine", engine) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(b"1000000\n")
        process.stdin.write(BOARD * 20)
        process.stdin.flush()
        assert process.stdout.read(10) == b"Case #1: X"
        process.stdout.close()
        write_until_broken(process.stdin)
        assert (process.wait(PATIENCE), process.stderr.read()) == (0, b"")


@posix
@pytest.mark.slow
@pytest.mark.parametrize("engine", ["python", "native"])
def test_an_interrupt_ends_a_compiled_script_that_computes(engine: str, tmp_path: Path) -> None:
    spec = tmp_path / "endless.yaml"
    spec.write_text(
        "spec: 1\nname: Endless\nextends: tic-tac-toe\nio: |\n"
        "  print board\n  repeat\n    read number rounds\n    repeat rounds times\n"
        '      start anew\n      let x be count(empty)\n    print "{rounds}"\n'
    )
    with running(*COMMAND, "run", str(spec), "--engine", engine) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"1000 " + b"900000 " * 1000)
        process.stdin.flush()
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.stdout.read()
        assert process.wait(PATIENCE) == 130


@pytest.mark.parametrize("good", [0, 1, 2])
def test_code_that_fails_from_some_call_on_leaves_all_to_the_interpreter(
    monkeypatch: pytest.MonkeyPatch, good: int
) -> None:
    call, calls = CompiledScript._call, []

    def failing(self: CompiledScript) -> int | None:
        calls.append(self)
        return call(self) if len(calls) <= good else None

    monkeypatch.setattr(CompiledScript, "_call", failing)
    content = boards(120)
    printed = ending(TOMEK, content, "python", 256)
    assert printed == (b"".join(ANSWER % n for n in range(1, 121)), "", "")
    assert len(calls) > good
