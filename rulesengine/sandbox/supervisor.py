"""Supervisors of external programs: each runs one program at a time and kills all its descendants.

The host starts a fork server from this module, by `start_supervisor.py`. For each supervisor that
it needs it sends one byte and a socket. A supervisor is the subreaper of its program: an orphaned
descendant becomes its child, even after `setsid`. So its process tree consists of the program's
descendants only.

Over its socket a supervisor receives a request: a line of JSON, with three streams as descriptors.
It answers with a line when the program has started or could not be started, and with another one
when the whole tree has ended. An empty line, or the end of the socket, ends the program. An idle
supervisor serves the next request: a program costs a spawn, not the fork of an interpreter.

See decision 041.
"""

import gc
import json
import os
import resource
import signal
import socket
import time
from contextlib import suppress
from typing import Any

from rulesengine.support.processes import (
    HAS_TREE,
    ProcessTree,
    become_subreaper,
    child_exit_pipe,
    clear_pipe,
    cpu_seconds,
    limit_other,
    poll_of,
    proportional_bytes,
    receive,
    resident_bytes,
)

# Seconds between two checks of a tree, from its start; the last one repeats.
_INTERVALS = (0.01, 0.02, 0.03, 0.05)
# Seconds between two checks for the host; its end closes the socket unless a fork of it has a copy.
_HOST_INTERVAL = 1.0
_ROOM = 2**30  # writable bytes per process beyond the memory limit, since not all are used
_RESET = (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT)  # signals that Python or we ignore


def main(fd: int) -> None:
    """Fork supervisors until the host has ended."""
    host = socket.socket(fileno=fd)
    host.set_inheritable(False)
    parent = os.getppid()
    become_subreaper()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    exits = child_exit_pipe()
    gc.freeze()
    supervisors: set[int] = set()
    poll = poll_of(host.fileno(), exits)
    while os.getppid() == parent:
        ready = {fd for fd, _ in poll.poll(_HOST_INTERVAL * 1000)}
        if exits in ready:
            _reap_supervisors(exits, supervisors)
        if host.fileno() in ready:
            data, sockets = receive(host, 1, 1)
            if not data:
                return
            supervisors.add(_fork_supervisor(host, sockets[0]))


def _reap_supervisors(exits: int, supervisors: set[int]) -> None:
    """Reap supervisors; the tree of a killed one is inherited by this process and killed."""
    clear_pipe(exits)
    killed = False
    with suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            killed |= found[0] in supervisors and found[1] != 0
            supervisors.discard(found[0])
    if killed:
        ProcessTree(supervisors).kill()


def _fork_supervisor(host: socket.socket, control: int) -> int:
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            host.close()
            become_subreaper()
            exits = child_exit_pipe()
            with socket.socket(fileno=control) as line:
                while _supervise(line, exits):
                    pass
            code = 0
        finally:
            os._exit(code)
    os.close(control)
    return pid


def _supervise(control: socket.socket, exits: int) -> bool:
    """Run one program to its end and report it. False if the host has ended."""
    request, streams = _request(control)
    if not request:
        return False
    watch, error = _Watch(control, exits, request["limits"]), ""
    try:
        watch.start(request, streams)
    except (OSError, ValueError) as problem:
        error = getattr(problem, "strerror", None) or str(problem)
    for fd in streams:
        os.close(fd)
    _send(control, {"error": error})
    if not error:
        _send(control, watch.ending())
    return True


def _request(control: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """Return the next request and its streams; an empty one if the host has ended.

    Empty lines are late requests to end an earlier program, and are skipped.
    """
    data, streams = b"", list[int]()
    while not data.endswith(b"\n"):
        try:
            more, descriptors = receive(control, 65536, 3)
        except ConnectionError:
            more, descriptors = b"", []
        if not more:
            return {}, streams
        streams += descriptors
        data = (data + more).lstrip(b"\n")
    found: dict[str, Any] = json.loads(data)
    return found, streams


def _send(control: socket.socket, value: dict[str, Any]) -> None:
    with suppress(OSError):  # the host may have ended
        control.sendall(json.dumps(value).encode() + b"\n")


def _spawn(request: dict[str, Any], streams: list[int]) -> int:
    """Start a program in a session of its own. Raises OSError."""
    if request["folder"] is not None:
        os.chdir(request["folder"])
    group = {"setsid": True} if HAS_TREE else {"setpgroup": 0}
    actions = [(os.POSIX_SPAWN_DUP2, fd, number) for number, fd in enumerate(streams)]
    words = request["words"]
    pid = os.posix_spawnp(
        words[0], words, os.environ, file_actions=actions, setsigdef=_RESET, **group
    )
    limit_other(pid, _system_limits(request["limits"]))
    return pid


def _system_limits(limits: dict[str, Any]) -> dict[int, int]:
    """Return the limits that the system enforces on each process; sums are checked by `_Watch`."""
    most = {resource.RLIMIT_CORE: 0}
    if limits["memory"] is not None:
        most[resource.RLIMIT_DATA] = limits["memory"] + _ROOM
    if limits["file"] is not None:
        most[resource.RLIMIT_FSIZE] = limits["file"]
    if limits["cpu"] is not None:
        most[resource.RLIMIT_CPU] = int(limits["cpu"]) + 2
    return most


class _Watch:
    """Checks a program periodically; kills its tree when it ends or exceeds a limit."""

    def __init__(self, control: socket.socket, exits: int, limits: dict[str, Any]) -> None:
        self._control, self._exits, self._limits = control, exits, limits
        self._tree = ProcessTree(set())
        self._peak = 0
        self._parent = os.getppid()
        self._started = time.monotonic()

    def start(self, request: dict[str, Any], streams: list[int]) -> None:
        """Start the program. Raises OSError."""
        self._tree.main = _spawn(request, streams)

    def ending(self) -> dict[str, Any]:
        """Wait for the end and return the report."""
        broken = self._broken()
        wall = time.monotonic() - self._started
        left = self._tree.kill()
        return {
            "status": self._tree.status,
            "limit": broken,
            "wall": wall,
            "cpu": self._tree.cpu,
            "memory": max(self._peak, self._tree.peak),
            "left": left,
        }

    def _broken(self) -> str:
        """Wait for the end and return the broken limit, or an empty text."""
        poll = poll_of(self._control.fileno(), self._exits)
        intervals, interval = iter(_INTERVALS), 0.0
        wall = self._limits["wall"]
        over = float("inf") if wall is None else self._started + wall
        due = self._started
        while True:
            now = time.monotonic()
            if now >= over:
                return "wall"
            if now >= due:
                if broken := self._check() if interval else "":
                    return broken
                interval = next(intervals, interval)
                due = time.monotonic() + interval
            wait = max(0.0, min(due, over) - time.monotonic())
            ready = {fd for fd, _ in poll.poll(wait * 1000 + 1)}
            if self._exits in ready:
                clear_pipe(self._exits)
                self._tree.reap()
                if self._tree.status is not None:
                    return ""
            if self._control.fileno() in ready or os.getppid() != self._parent:
                return "stopped"

    def _check(self) -> str:
        """Return the limit that the tree exceeds now, or an empty text."""
        pids, limits = self._tree.pids(), self._limits
        if len(pids) > limits["processes"]:
            return "processes"
        most = float("inf") if limits["memory"] is None else limits["memory"]
        memory = sum(map(resident_bytes, pids))
        if memory > most and len(pids) > 1:
            memory = sum(map(proportional_bytes, pids))  # shared pages count once
        self._peak = max(self._peak, memory)
        if memory > most:
            return "memory"
        cpu = limits["cpu"]
        if cpu is not None and self._tree.cpu + sum(map(cpu_seconds, pids)) > cpu:
            return "cpu"
        return ""
