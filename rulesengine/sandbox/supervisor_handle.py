"""A supervisor as the host sees it: its socket, its confinement, and its end by force."""

import json
import os
import signal
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from types import MappingProxyType

from rulesengine.support.frozen import record
from rulesengine.support.processes import (
    HAS_TREE,
    children,
    marked,
    parent_and_state,
    send_signal,
)

_POLL = 0.25  # seconds between two checks of a supervisor that does not answer
_END_PATIENCE = 5.0  # seconds until killed processes must have ended
_STOPPED = ("T", "t")  # states of a process: stopped by a signal, by a debugger


@record
class Confinement:
    """How programs are separated from other processes, and from their supervisor.

    - `namespace`: a PID namespace; a program reaches its own descendants only.
    - `subreaper`: descendants are found by the system's list of children.
    - `group`: a process group; descendants that leave it are not found.

    `reason` explains why it is not `namespace`.
    """

    kind: str
    reason: str

    def __str__(self) -> str:
        return f"{_KINDS[self.kind]}{self.reason and f' (no PID namespace: {self.reason})'}"


_KINDS = MappingProxyType(
    {
        "namespace": "a PID namespace for each program",
        "subreaper": "process trees below a subreaper",
        "group": "process groups",
    }
)


class SupervisorHandle:
    """The host's socket to a supervisor, and its process number."""

    def __init__(
        self, control: socket.socket, pid: int, keeper: int, confinement: Confinement
    ) -> None:
        self.control, self.confinement = control, confinement
        self._pid, self._keeper = pid, keeper

    @classmethod
    def from_socket(
        cls, control: socket.socket, keeper: int, seconds: float
    ) -> "SupervisorHandle | None":
        """Receive the report of a fork server; None if it does not answer in time."""
        control.settimeout(seconds)
        data = b""
        with suppress(OSError):
            while not data.endswith(b"\n") and (more := control.recv(4096)):
                data += more
        if not data.endswith(b"\n"):
            return None
        message = json.loads(data)
        confinement = Confinement(message["confinement"], message["reason"])
        return cls(control, message["supervisor"], keeper, confinement)

    @property
    def is_stopped(self) -> bool:
        """True if the supervisor was stopped, so it cannot enforce limits."""
        return parent_and_state(self._pid)[1] in _STOPPED

    def wait(self, receives: Callable[[], bool], seconds: float) -> None:
        """Call `receives`, which reads from the socket, until it returns False.

        This ends early if the supervisor was stopped, or after so many seconds.
        """
        limit = time.monotonic() + seconds
        self.control.settimeout(_POLL)
        while time.monotonic() < limit and not self.is_stopped:
            with suppress(TimeoutError):
                if not receives():
                    return

    def kill(self, mark: str) -> None:
        """Kill the supervisor and its program, including descendants that have left both.

        A fork server that is stopped is killed too: it could not reap them.
        """
        is_ours = parent_and_state(self._pid)[0] in (self._keeper, os.getpid())
        if is_ours or not HAS_TREE:  # elsewhere the parent is not known
            send_signal(self._pid, signal.SIGKILL)
        if self.confinement.kind == "namespace":
            _wait_until(lambda: not _is_running(self._pid))
            return
        if parent_and_state(self._keeper)[1] in _STOPPED:
            _kill_all(lambda: descendants(self._keeper) | {self._keeper})
        _kill_all(lambda: marked(mark))


def kill_server(keeper: int) -> None:
    """Kill a fork server that does not end, with its descendants."""
    _kill_all(lambda: descendants(keeper) | {keeper})


def descendants(pid: int) -> set[int]:
    """Return all descendants of a process."""
    tree = children(pid)
    for each in tree:
        tree += children(each)
    return set(tree)


def _kill_all(pids: Callable[[], set[int]]) -> None:
    """Kill processes until none of them is running, and reap those that this process adopted."""
    seen = set[int]()

    def are_gone() -> bool:
        running = {pid for pid in pids() if _is_running(pid)}
        for number in (signal.SIGSTOP, signal.SIGKILL):  # a stopped process cannot fork
            for pid in running:
                send_signal(pid, number)
        seen.update(running)
        return not running

    _wait_until(are_gone)
    for pid in seen:
        with suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)


def _is_running(pid: int) -> bool:
    return parent_and_state(pid)[1] not in ("", "Z", "X")


def _wait_until(holds: Callable[[], bool]) -> None:
    limit = time.monotonic() + _END_PATIENCE
    while not holds() and time.monotonic() < limit:
        time.sleep(0.005)
