"""`run` over a real pipe: a word is answered when its separator arrives, prompts before a read."""

import os
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CENTRE = b"....\n.*0.\n.0*.\n....\n"
START = b"........\n" * 3 + b"...*0...\n...0*...\n" + b"........\n" * 3 + b"\n"
# White turns one piece from c5, d6, f4 or e3, the lowest of which is e3.
AFTER_ONE = b"........\n" * 3 + b"...*0...\n...00...\n....0...\n" + b"........\n" * 2 + b"\n"


def start(*words: str) -> "subprocess.Popen[bytes]":
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, "-m", "rulesengine", "run", *words],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, bufsize=0,
    )  # fmt: skip


def read(process: "subprocess.Popen[bytes]", wanted: int) -> bytes:
    """So many bytes of the output, or what has come after twenty seconds."""
    assert process.stdout is not None
    got, end = b"", time.monotonic() + 20
    while len(got) < wanted and time.monotonic() < end:
        if select.select([process.stdout], [], [], 0.1)[0]:
            chunk = os.read(process.stdout.fileno(), wanted - len(got))
            if not chunk:
                break
            got += chunk
    return got


def send(process: "subprocess.Popen[bytes]", data: bytes) -> None:
    assert process.stdin is not None
    process.stdin.write(data)


@pytest.mark.skipif(os.name != "posix", reason="pipes cannot be waited for in another way")
def test_a_number_and_a_blank_down_a_pipe_bring_the_board() -> None:
    with start("bio97-othello") as process:
        send(process, CENTRE)
        first = b"Strategy 1\n" + START
        assert read(process, len(first)) == first
        send(process, b"1 ")
        assert read(process, len(AFTER_ONE)) == AFTER_ONE
        assert process.poll() is None
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(20) == 0


@pytest.mark.skipif(os.name != "posix", reason="pipes cannot be waited for in another way")
def test_a_word_without_its_end_waits_and_a_prompt_does_not() -> None:
    prompt = b"Enter the board dimension: "
    with start("aps105-reversi") as process:
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
        assert process.wait(20) == 0
