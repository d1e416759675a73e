"""`run` over a real pipe: a word is answered when its separator arrives; prompts precede a read."""

import io
import os
import select
import time
from pathlib import Path

import pytest

from rulesengine.script.tokens import Tokenizer
from tests.helpers.processes import COMMAND, PATIENCE, Process, running

CENTRE = b"....\n.*0.\n.0*.\n....\n"
START = b"........\n" * 3 + b"...*0...\n...0*...\n" + b"........\n" * 3 + b"\n"
# White flips one piece from c5, d6, f4 or e3, the lowest of which is e3.
AFTER_ONE = b"........\n" * 3 + b"...*0...\n...00...\n....0...\n" + b"........\n" * 2 + b"\n"


def read(process: Process, wanted: int) -> bytes:
    """Read so many bytes of the output, or those that arrive before the time limit."""
    assert process.stdout is not None
    got, end = b"", time.monotonic() + PATIENCE
    while len(got) < wanted and time.monotonic() < end:
        if select.select([process.stdout], [], [], 0.1)[0]:
            chunk = os.read(process.stdout.fileno(), wanted - len(got))
            if not chunk:
                break
            got += chunk
    return got


def send(process: Process, data: bytes) -> None:
    assert process.stdin is not None
    process.stdin.write(data)
    process.stdin.flush()


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="pipes cannot be waited for in another way")
def test_a_number_and_a_blank_down_a_pipe_bring_the_board() -> None:
    with running(*COMMAND, "run", "bio97-othello") as process:
        send(process, CENTRE)
        first = b"Strategy 1\n" + START
        assert read(process, len(first)) == first
        send(process, b"1 ")
        assert read(process, len(AFTER_ONE)) == AFTER_ONE
        assert process.poll() is None
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(PATIENCE) == 0


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="pipes cannot be waited for in another way")
def test_a_word_without_its_end_waits_and_a_prompt_does_not() -> None:
    prompt = b"Enter the board dimension: "
    with running(*COMMAND, "run", "aps105-reversi") as process:
        assert read(process, len(prompt)) == prompt
        send(process, b"4")
        time.sleep(0.3)
        assert process.stdout is not None
        assert select.select([process.stdout], [], [], 0)[0] == []
        send(process, b"\r\n")
        colour = b"Computer plays (B/W) : "
        assert read(process, len(colour)) == colour
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(PATIENCE) == 0


def test_the_size_of_the_input_is_known_for_a_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "input.txt"
    path.write_bytes(b"one two\n" * 100)
    with path.open("rb") as source:
        assert Tokenizer(source, lambda: None).expected_bytes == 800
        source.read(40)
        assert Tokenizer(source, lambda: None).expected_bytes == 760
    reading, writing = os.pipe()
    os.write(writing, b"one two")
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        assert Tokenizer(pipe, lambda: None).expected_bytes == 0
    assert Tokenizer(io.BytesIO(b"one two"), lambda: None).expected_bytes == 0
