"""Starts programs: owns the supervisor process, with one socket per program."""

import errno
import json
import os
import select
import shlex
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Lock
from types import MappingProxyType, TracebackType
from typing import NoReturn
from uuid import uuid4

from rulesengine.errors import RulesError
from rulesengine.sandbox.exit_reason import RunResult
from rulesengine.sandbox.limits import Limits
from rulesengine.sandbox.program import NO_MORE, PATIENCE, Program
from rulesengine.sandbox.supervisor_handle import Confinement, SupervisorHandle, kill_server
from rulesengine.support.frozen import names_of
from rulesengine.support.processes import is_subreaper, set_subreaper
from rulesengine.support.socket_process import start_with_socket

_SCRIPT = Path(__file__).with_name("start_supervisor.py")
_DEFAULT = Limits()
_END_PATIENCE = 5.0  # seconds for a fork server to end by itself
_REASONS = MappingProxyType(
    {
        os.strerror(errno.ENOENT): "no such program, or its interpreter is missing",
        os.strerror(errno.EACCES): "is no program that may be run",
        os.strerror(errno.ENOEXEC): "is no program",
    }
)


class ProgramError(RulesError):
    """A program that cannot be started, since it does not exist or is not executable."""


class Programs:
    """Starts programs, which end when it is closed. Threads may share it.

    Without `namespaces` programs get no PID namespace even where the system allows it. Then this
    process adopts their orphaned descendants while programs run.
    """

    def __init__(self, *, namespaces: bool = True) -> None:
        self._lock = Lock()
        self._confinement = "namespace" if namespaces else "subreaper"
        self._adopts = False
        self._closed = False
        self._keeper: subprocess.Popen[bytes] | None = None
        self._host: socket.socket | None = None
        self._idle: list[SupervisorHandle] = []
        self._running: set[Program] = set()

    def __enter__(self) -> "Programs":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End all running programs and the supervisor; no other program starts."""
        with self._lock:
            self._closed = True
            running = tuple(self._running)
        for program in running:
            program.stop()
        with self._lock:
            for supervisor in self._idle:
                supervisor.control.close()
            self._idle.clear()
            self._end_keeper()
            if self._adopts:
                set_subreaper(False)

    def start(
        self,
        command: str | Sequence[str],
        limits: Limits = _DEFAULT,
        *,
        folder: str | Path | None = None,
    ) -> Program:
        """Start a program. Raises ProgramError."""
        words = words_of(command) if isinstance(command, str) else list(command)
        place = Path.cwd() if folder is None else Path(folder).absolute()
        if not place.is_dir():
            raise ProgramError(f"{folder}: no such folder")
        mark = uuid4().hex
        request = {
            "words": words,
            "folder": str(place),
            "mark": mark,
            "limits": {name: getattr(limits, name) for name in names_of(limits) or ()},
        }
        program = self._begin(json.dumps(request).encode() + b"\n", limits, mark)
        if program.refusal:
            program.stop()
            raise ProgramError(f"{words[0][:80]}: {_REASONS.get(program.refusal, program.refusal)}")
        return program

    def run(
        self,
        command: str | Sequence[str],
        input: bytes = b"",
        limits: Limits = _DEFAULT,
        *,
        folder: str | Path | None = None,
    ) -> RunResult:
        """Run a program with an input until it ends. Raises ProgramError."""
        with self.start(command, limits, folder=folder) as program:
            return program.finish(input)

    def confinement(self) -> Confinement:
        """Return how programs are confined on this machine. Raises ProgramError."""
        supervisor = self._supervisor()
        with self._lock:
            self._idle.append(supervisor)
        return supervisor.confinement

    def _begin(self, request: bytes, limits: Limits, mark: str) -> Program:
        """Start a program below an idle supervisor or a new one. Raises ProgramError."""
        try:
            supervisor = self._supervisor()
            with ExitStack() as theirs, ExitStack() as ours:
                ours.callback(supervisor.control.close)
                pairs = [_pipe(ours, theirs, is_input) for is_input in (True, False, False)]
                own_ends = [own_ends for _, own_ends in pairs]
                program = Program(supervisor, own_ends, limits, mark, self._release)
                self._admit(program)
                ours.pop_all()
                program.begin(request, [fd for fd, _ in pairs])
        except OSError as error:
            raise ProgramError(f"cannot start programs: {error.strerror or error}") from None
        return program

    def _admit(self, program: Program) -> None:
        """Register a program to be ended on close. Raises ProgramError."""
        with self._lock:
            if self._closed:
                raise ProgramError(NO_MORE)
            self._running.add(program)

    def _release(self, program: Program, supervisor: SupervisorHandle, is_free: bool) -> None:
        """Return the supervisor of a program that has ended to the idle ones."""
        with self._lock:
            self._running.discard(program)
            if is_free and self._host:
                self._idle.append(supervisor)
                return
        supervisor.control.close()

    def _supervisor(self) -> SupervisorHandle:
        """Return an idle supervisor or a new one. Raises ProgramError."""
        with self._lock:
            if self._closed:
                raise ProgramError(NO_MORE)
            while self._idle:
                supervisor = self._idle.pop()
                serves = self._keeper is not None and self._keeper.poll() is None
                if serves and not select.select([supervisor.control], [], [], 0)[0]:
                    return supervisor
                supervisor.control.close()  # it or the fork server has died in the meantime
            return self._forked() or self._forked(again=True) or _refuse()

    def _forked(self, *, again: bool = False) -> SupervisorHandle | None:
        """Return a new supervisor, or None if the fork server does not answer.

        With `again` the fork server is replaced first.
        """
        if again:
            self._end_keeper()
        server, host = self._running_server()
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                socket.send_fds(host, [b"\n"], [theirs.fileno()])
            handle = SupervisorHandle.from_socket(ours, server.pid, PATIENCE)
        except ConnectionError:
            handle = None
        except BaseException:
            ours.close()
            raise
        if handle is None:
            ours.close()
        elif handle.confinement.kind == "subreaper" and not is_subreaper():
            set_subreaper(True)
            self._adopts = True
        return handle

    def _running_server(self) -> tuple[subprocess.Popen[bytes], socket.socket]:
        """Return the fork server and its socket; start it on first use, or if it has died."""
        if self._keeper and self._host and self._keeper.poll() is None:
            return self._keeper, self._host
        if not hasattr(os, "fork"):
            raise ProgramError("programs run on Linux and macOS only")
        if self._host:
            self._host.close()
        command = [sys.executable, "-I", "-S", str(_SCRIPT), self._confinement]
        self._keeper, self._host = start_with_socket(command)
        return self._keeper, self._host

    def _end_keeper(self) -> None:
        """End the fork server with all supervisors; it ends by itself unless it was stopped."""
        if self._host:
            self._host.close()
        if self._keeper:
            try:
                self._keeper.wait(_END_PATIENCE)
            except subprocess.TimeoutExpired:
                kill_server(self._keeper.pid)
                self._keeper.wait()
        self._host = self._keeper = None


def confinement() -> Confinement:
    """Return how programs are confined on this machine. Raises ProgramError."""
    with Programs() as programs:
        return programs.confinement()


def _refuse() -> NoReturn:
    raise ProgramError("cannot start programs: their fork server does not answer")


def words_of(command: str) -> list[str]:
    """Split a command like a shell. Raises ProgramError."""
    words: list[str] = []
    with suppress(ValueError):
        words = shlex.split(command)
    if not words:
        raise ProgramError(f"expected the words of a command, found `{command[:80]}`")
    return words


def _pipe(ours: ExitStack, theirs: ExitStack, is_input: bool) -> tuple[int, int]:
    """Create a pipe; return the program's end and ours."""
    reads, writes = os.pipe()
    program_end, own_end = (reads, writes) if is_input else (writes, reads)
    theirs.callback(os.close, program_end)
    ours.callback(os.close, own_end)
    return program_end, own_end
