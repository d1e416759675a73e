"""Supervisors of external programs: each runs one program at a time and kills all its descendants.

The host starts a fork server from this module, by `start_supervisor.py`. For each supervisor that
it needs it sends one byte and a socket. The fork server answers with a line of JSON: the process
number of the supervisor and its confinement.

Where the system allows it, a supervisor is the init process of a PID namespace. Its program reaches
no other processes, cannot stop or kill the supervisor, and ends with it. Elsewhere the supervisor
is the subreaper of its program: an orphaned descendant becomes its child, even after `setsid`. In
both cases its process tree consists of the program's descendants only.

Over its socket a supervisor receives a request: a line of JSON, with three streams as descriptors.
It answers with a line when the program has started or could not be started, and with another one
when the whole tree has ended. An empty line, or the end of the socket, ends the program. An idle
supervisor serves the next request: a program costs a spawn, not the fork of an interpreter.

See decisions 041 and 099.
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

from rulesengine.support.namespaces import kill_namespace, mount_proc, unshare_pids
from rulesengine.support.processes import (
    HAS_TREE,
    MARK,
    ProcessTree,
    become_subreaper,
    child_exit_pipe,
    clear_pipe,
    cpu_seconds,
    end_with_parent,
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


def main(fd: int, confinement: str) -> None:
    """Fork supervisors until the host has ended, with `namespace` confinement if it is possible."""
    host = socket.socket(fileno=fd)
    host.set_inheritable(False)
    parent = os.getppid()
    become_subreaper()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    exits = child_exit_pipe()
    gc.freeze()
    server = _ForkServer(host, confinement)
    poll = poll_of(host.fileno(), exits)
    while os.getppid() == parent:
        ready = {fd for fd, _ in poll.poll(_HOST_INTERVAL * 1000)}
        if exits in ready:
            clear_pipe(exits)
            server.reap()
        if host.fileno() in ready:
            data, sockets = receive(host, 1, 1)
            if not data:
                return
            server.fork(sockets[0])


class _ForkServer:
    """Forks supervisors and reaps them. `reason` explains why `namespace` was not possible."""

    def __init__(self, host: socket.socket, confinement: str) -> None:
        self._host = host
        self._confinement = confinement if HAS_TREE else "group"
        self._reason = "" if confinement == "namespace" else "not requested"
        self._supervisors: set[int] = set()

    def reap(self) -> None:
        """Reap supervisors; the tree of a killed one is inherited by this process and killed."""
        killed = False
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                killed |= ended[0] in self._supervisors and ended[1] != 0
                self._supervisors.discard(ended[0])
        if killed:
            ProcessTree(self._supervisors).kill()

    def fork(self, control: int) -> None:
        """Fork a supervisor that serves a socket, and report it there."""
        pid = self._fork_namespaced(control) if self._confinement == "namespace" else 0
        if not pid:
            pid = os.fork()
            if pid == 0:
                self._host.close()
                _serve(control, owns_namespace=False)
        self._supervisors.add(pid)
        with socket.socket(fileno=control) as line:
            report = {"supervisor": pid, "confinement": self._confinement, "reason": self._reason}
            _send(line, report)

    def _fork_namespaced(self, control: int) -> int:
        """Fork the init process of a new PID namespace; return 0 if that is not possible.

        A process between them enters the namespaces and ends, so that the fork server stays out of
        them and remains the parent.
        """
        reads, writes = os.pipe()
        between = os.fork()
        if between == 0:
            self._host.close()
            os.close(reads)
            _fork_init(control, writes)
        os.close(writes)
        with os.fdopen(reads) as pipe:
            report = dict(line.split(" ", 1) for line in pipe.read().splitlines())
        os.waitpid(between, 0)
        if "problem" in report:
            self._confinement, self._reason = "subreaper", report["problem"]
            if "pid" in report:
                os.waitpid(int(report["pid"]), 0)
            return 0
        return int(report["pid"])


def _fork_init(control: int, report: int) -> None:
    """Fork the init process of a new PID namespace, and end; both report to a pipe."""
    try:
        unshare_pids()
        pid = os.fork()
        if pid == 0:
            mount_proc()
            os.close(report)
            _serve(control, owns_namespace=True)
        os.write(report, b"pid %d\n" % pid)
    except OSError as error:
        os.write(report, f"problem {error.strerror}\n".encode())
    finally:
        os._exit(0)


def _serve(control: int, *, owns_namespace: bool) -> None:
    """Run the programs that a socket requests, and end this process."""
    code = 1
    try:
        parent = 0 if owns_namespace else os.getppid()
        become_subreaper()
        exits = child_exit_pipe()
        with socket.socket(fileno=control) as line:
            while _supervise(line, exits, parent):
                pass
        code = 0
    finally:
        os._exit(code)


def _supervise(control: socket.socket, exits: int, parent: int) -> bool:
    """Run one program to its end and report it. False if the host or the fork server has ended.

    `parent` is the fork server, or 0 for the init process of a namespace: its parent is outside.
    """
    request, streams = _request(control)
    if not request or os.getppid() != parent:
        return False
    if not parent:
        end_with_parent()  # the fork server, since the process between them has ended by now
    tree = ProcessTree(set(), None if parent else kill_namespace)
    watch, error = _Watch(control, exits, request["limits"], tree, parent), ""
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
    message: dict[str, Any] = json.loads(data)
    return message, streams


def _send(control: socket.socket, value: dict[str, Any]) -> None:
    with suppress(OSError):  # the host may have ended
        control.sendall(json.dumps(value).encode() + b"\n")


def _spawn(request: dict[str, Any], streams: list[int]) -> int:
    """Start a program in a session of its own. Raises OSError."""
    os.chdir(request["folder"])
    group = {"setsid": True} if HAS_TREE else {"setpgroup": 0}
    actions = [(os.POSIX_SPAWN_DUP2, fd, number) for number, fd in enumerate(streams)]
    words = request["words"]
    environment = {**os.environ, MARK: request["mark"], "PWD": request["folder"]}
    environment.pop("OLDPWD", None)
    pid = os.posix_spawnp(
        words[0], words, environment, file_actions=actions, setsigdef=_RESET, **group
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

    def __init__(
        self,
        control: socket.socket,
        exits: int,
        limits: dict[str, Any],
        tree: ProcessTree,
        parent: int,
    ) -> None:
        self._control, self._exits, self._limits = control, exits, limits
        self._tree, self._parent = tree, parent
        self._peak = 0
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
