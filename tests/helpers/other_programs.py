"""Programs of other projects as clients and referees, where they are installed."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer

import pytest

from tests.helpers.processes import COMMAND, PATIENCE, Process, end, start

FOLDERS = os.pathsep.join((os.environ.get("PATH", ""), "/usr/games"))
ENGINE = (sys.executable, "-m", "rulesengine", "engine")


def program(name: str) -> str:
    """Return the path of a program; skip the test if it is not installed."""
    found = shutil.which(name, path=FOLDERS)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def command(variable: str, name: str) -> tuple[str, ...]:
    """Return the command of an environment variable, else a program of the path, else skip."""
    if words := shlex.split(os.environ.get(variable, "")):
        return tuple(words)
    found = shutil.which(name, path=FOLDERS)
    if found is None:
        pytest.skip(f"{name} is not installed, and {variable} names none")
    return (found,)


def engine(spec: str, protocol: str, *options: str) -> str:
    """Return the command of an engine as a line for a shell; it interprets the rules."""
    words = (*COMMAND, "engine", spec, "--engine", "interpreter", "--protocol", protocol)
    return shlex.join((*words, *options))


@contextmanager
def session(*words: str, folder: Path, env: Mapping[str, str] | None = None) -> Iterator[Process]:
    """Yield a process, and end it and its children after the block or after some minutes."""
    pipe = subprocess.PIPE
    own = {"PATH": FOLDERS, "HOME": str(folder), **(env or {})}
    process = start(*words, files=(pipe, pipe, pipe), folder=folder, env=own, session=True)
    watchdog = Timer(PATIENCE, _kill, (process,))
    watchdog.start()
    try:
        yield process
    finally:
        watchdog.cancel()
        _kill(process)
        end(process)


def output(*words: str, folder: Path, env: Mapping[str, str] | None = None, text: str = "") -> str:
    """Return all that a program prints until it ends by itself."""
    with session(*words, folder=folder, env=env) as process:
        printed, errors = process.communicate(text.encode())
        assert process.returncode == 0, printed.decode() + errors.decode()
    return printed.decode() + errors.decode()


def send(process: Process, *lines: str) -> None:
    """Write lines to the input of a process."""
    assert process.stdin is not None
    process.stdin.write("".join(f"{line}\n" for line in lines).encode())
    process.stdin.flush()


def await_line(process: Process, begin: str) -> str:
    """Return the next line of the output that begins so; fail at the end of the output."""
    assert process.stdout is not None
    seen: list[str] = []
    for line in process.stdout:
        seen.append(line.decode().rstrip())
        if seen[-1].startswith(begin):
            return seen[-1]
    pytest.fail(f"no line `{begin}` in {seen}")


def answer_of(process: Process, line: str) -> str:
    """Return the answer to a command of the Go Text Protocol; fail if it is an error."""
    send(process, line)
    assert process.stdout is not None
    found = ""
    while (read := process.stdout.readline().decode()) not in ("", "\n") or not found:
        assert read, f"no answer to `{line}`"
        found += read.strip() + " "
    assert found.startswith("="), f"{line}: {found}"
    return found.removeprefix("=").strip()


def _kill(process: Process) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
