"""Processes that tests start: each ends, with its pipes closed, at the end of its block."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from time import sleep

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-m", "rulesengine")
PATIENCE = 180.0  # seconds until a hanging test fails; no test measures a speed by it

Process = subprocess.Popen[bytes]


@contextmanager
def running(
    *command: str, folder: Path | None = None, env: Mapping[str, str] | None = None
) -> Iterator[Process]:
    """Yield a process connected by three pipes."""
    pipe = subprocess.PIPE
    process = start(*command, files=(pipe, pipe, pipe), folder=folder, env=env)
    try:
        yield process
    finally:
        end(process)


def start(
    *command: str,
    files: tuple[int, int, int],
    folder: Path | None = None,
    env: Mapping[str, str] | None = None,
    session: bool = False,
) -> Process:
    """Start a process that receives interrupts, even if ours was started to ignore them."""
    stdin, stdout, stderr = files
    with interrupts():
        return subprocess.Popen(
            command, stdin=stdin, stdout=stdout, stderr=stderr, cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), **(env or {})}, start_new_session=session,
        )  # fmt: skip


def end(process: Process) -> None:
    """Kill a process that still runs, take its exit code and close its pipes."""
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream:
            with suppress(OSError):  # unwritten output is lost with its reader
                stream.close()


@contextmanager
def interrupts() -> Iterator[None]:
    """Restore the default for interrupts in child processes: an ignored signal is inherited."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def are_running(words: str) -> bool:
    """True if a process has these words in its command line.

    A program may have a process number of its namespace: it cannot be found by the number.
    """
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if words.encode() in path.read_bytes():
                return True
    return False


def wait_for_writes(path: Path, writes: int, process: Process) -> None:
    """Wait until a file has been written so often, or the process has ended."""
    seen = {stamp(path)}
    while len(seen) <= writes and process.poll() is None:
        seen.add(stamp(path))
        sleep(0.002)


def stamp(path: Path) -> int:
    return path.stat().st_mtime_ns if path.exists() else 0
