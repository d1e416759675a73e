"""Processes of a failing test end, and interrupts reach them however the tests were started."""

import os
import signal
import sys

import pytest

from tests.helpers.processes import PATIENCE, Process, running
from tests.helpers.work import Hangs, patience

WAITS = "import time; print('ready', flush=True); time.sleep(600)"


def test_a_process_ends_with_the_test_that_fails() -> None:
    started: list[Process] = []
    with pytest.raises(AssertionError, match="never read"):
        fail(started)
    process = started[0]
    assert process.returncode == -signal.SIGKILL
    assert all(s and s.closed for s in (process.stdin, process.stdout, process.stderr))


def fail(started: list[Process]) -> None:
    with running(sys.executable, "-c", WAITS) as process:
        started.append(process)
        assert process.stdin
        process.stdin.write(b"some of a line")
        raise AssertionError("never read")


@pytest.mark.skipif(os.name != "posix", reason="signals are sent in another way")
def test_a_process_is_interrupted_even_where_interrupts_are_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with running(sys.executable, "-c", WAITS) as process:
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
            assert process.stdout
            assert process.stdout.readline() == b"ready\n"
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE) == -signal.SIGINT
            assert process.stderr
            assert b"KeyboardInterrupt" in process.stderr.read()
    finally:
        signal.signal(signal.SIGINT, before)


def test_hanging_call_times_out() -> None:
    with pytest.raises(Hangs), patience(0.05):
        loop()


def loop() -> None:
    while True:
        pass
