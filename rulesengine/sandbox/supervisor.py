"""Starts programs apart from the host: each below a supervisor that ends all that came of it.

This file runs by itself, `python -I -S keeper.py FD`, and imports nothing of the package. For
each supervisor that it wants the host writes a byte to FD, with a socket. A supervisor runs one
program at a time, as its subreaper: whatever loses its parent becomes a child of the supervisor,
after `setsid` too, so that its tree holds all of the program's descendants and nothing else.

On its socket a supervisor takes a request, a line of JSON with three streams beside it, and tells
in a line that the program has started, or why not, and in another one how everything has ended.
An empty line, or the end of the socket, ends the program. The next request finds a supervisor
that waits: to start a program costs a spawn, and not a fork of an interpreter.
"""

import ctypes
import gc
import json
import os
import resource
import select
import signal
import socket
import sys
import time
from contextlib import suppress
from typing import Any

_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER
_LOOKS = (0.01, 0.02, 0.03, 0.05)  # seconds between two looks at a tree, the last one from then on
_HOST_LOOK = 1.0  # seconds; a host that has gone is known by its socket, this is for its forks
_ROOM = 2**30  # bytes that may be written beyond the limit of memory: they are not all used
_END_PATIENCE = 5.0  # seconds for what cannot be ended, such as a process that waits for a disk
_PAGE = resource.getpagesize()
_TICKS = os.sysconf("SC_CLK_TCK")
_HAS_TREE = sys.platform == "linux"
_RESET = (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT)  # what Python and we ignore


def main() -> None:
    """Fork supervisors until the host has gone."""
    host = socket.socket(fileno=int(sys.argv[1]))
    host.set_inheritable(False)
    parent = os.getppid()
    _become_subreaper()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    bell = _bell()
    gc.freeze()
    supervisors: set[int] = set()
    poll = _poll(host.fileno(), bell)
    while os.getppid() == parent:
        ready = {fd for fd, _ in poll.poll(_HOST_LOOK * 1000)}
        if bell in ready:
            _take_supervisors(bell, supervisors)
        if host.fileno() in ready:
            data, given, _, _ = socket.recv_fds(host, 1, 1)
            if not data:
                return
            supervisors.add(_fork_supervisor(host, given[0]))


def _take_supervisors(bell: int, supervisors: set[int]) -> None:
    """Take the exit codes of supervisors; one that was killed leaves its tree to us."""
    os.read(bell, 4096)
    killed = False
    with suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            killed |= found[0] in supervisors and found[1] != 0
            supervisors.discard(found[0])
    if killed:
        _Tree(supervisors).end()


def _fork_supervisor(host: socket.socket, control: int) -> int:
    os.set_inheritable(control, False)
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            host.close()
            _become_subreaper()
            bell = _bell()
            with socket.socket(fileno=control) as each:
                while _supervise(each, bell):
                    pass
            code = 0
        finally:
            os._exit(code)
    os.close(control)
    return pid


def _supervise(control: socket.socket, bell: int) -> bool:
    """Run one program to its end, and tell the host; whether there is one that may ask for more."""
    request, streams = _request(control)
    if not request:
        return False
    watch, error = _Watch(control, bell, request["limits"]), ""
    try:
        watch.start(request, streams)
    except (OSError, ValueError) as problem:
        error = getattr(problem, "strerror", None) or str(problem)
    for fd in streams:
        os.close(fd)
    _tell(control, {"error": error})
    if not error:
        _tell(control, watch.ending())
    return True


def _request(control: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """What to run, with its streams; nothing where the host has gone. Empty lines are late."""
    data, streams = b"", list[int]()
    while not data.endswith(b"\n"):
        try:
            more, given, _, _ = socket.recv_fds(control, 65536, 3)
        except ConnectionError:
            more, given = b"", []
        if not more:
            return {}, streams
        streams += given
        data = (data + more).lstrip(b"\n")
    for fd in streams:
        os.set_inheritable(fd, False)
    found: dict[str, Any] = json.loads(data)
    return found, streams


def _tell(control: socket.socket, value: dict[str, Any]) -> None:
    with suppress(OSError):  # a host that has gone needs no answer
        control.sendall(json.dumps(value).encode() + b"\n")


def _spawn(request: dict[str, Any], streams: list[int]) -> int:
    """A program in a session of its own. Raises OSError."""
    if request["folder"] is not None:
        os.chdir(request["folder"])
    group = {"setsid": True} if _HAS_TREE else {"setpgroup": 0}
    actions = [(os.POSIX_SPAWN_DUP2, fd, number) for number, fd in enumerate(streams)]
    words = request["words"]
    pid = os.posix_spawnp(
        words[0], words, os.environ, file_actions=actions, setsigdef=_RESET, **group
    )
    _limit(pid, request["limits"])
    return pid


def _limit(pid: int, limits: dict[str, Any]) -> None:
    """What the system holds each process to; the watch holds their sum to the limits."""
    most = {resource.RLIMIT_CORE: 0}
    if limits["memory"] is not None:
        most[resource.RLIMIT_DATA] = limits["memory"] + _ROOM
    if limits["file"] is not None:
        most[resource.RLIMIT_FSIZE] = limits["file"]
    if limits["cpu"] is not None:
        most[resource.RLIMIT_CPU] = int(limits["cpu"]) + 2
    for kind, value in most.items():
        with suppress(OSError, ValueError, AttributeError):  # Linux alone has a call for that
            hard = resource.prlimit(pid, kind)[1]
            wanted = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.prlimit(pid, kind, (wanted, wanted))


class _Watch:
    """Looks at a program from time to time, and ends all of it when it ends or breaks a limit."""

    def __init__(self, control: socket.socket, bell: int, limits: dict[str, Any]) -> None:
        self._control, self._bell, self._limits = control, bell, limits
        self._tree = _Tree(set())
        self._peak = 0
        self._keeper = os.getppid()
        self._started = time.monotonic()

    def start(self, request: dict[str, Any], streams: list[int]) -> None:
        """Start the program. Raises OSError."""
        self._tree.main = _spawn(request, streams)

    def ending(self) -> dict[str, Any]:
        """Wait for the end; what there is to tell of it."""
        broken = self._broken()
        wall = time.monotonic() - self._started
        left = self._tree.end()
        return {
            "status": self._tree.status,
            "limit": broken,
            "wall": wall,
            "cpu": self._tree.cpu,
            "memory": max(self._peak, self._tree.peak),
            "left": left,
        }

    def _broken(self) -> str:
        """Which limit was broken; nothing when the program ended by itself."""
        poll = _poll(self._control.fileno(), self._bell)
        looks, look = iter(_LOOKS), 0.0
        wall = self._limits["wall"]
        over = float("inf") if wall is None else self._started + wall
        due = self._started
        while True:
            now = time.monotonic()
            if now >= over:
                return "wall"
            if now >= due:
                if broken := self._look() if look else "":
                    return broken
                look = next(looks, look)
                due = time.monotonic() + look
            wait = max(0.0, min(due, over) - time.monotonic())
            ready = {fd for fd, _ in poll.poll(wait * 1000 + 1)}
            if self._bell in ready:
                os.read(self._bell, 4096)
                self._tree.take()
                if self._tree.status is not None:
                    return ""
            if self._control.fileno() in ready or os.getppid() != self._keeper:
                return "stopped"

    def _look(self) -> str:
        """Which limit the tree breaks now."""
        pids, limits = self._tree.pids(), self._limits
        if len(pids) > limits["processes"]:
            return "processes"
        most = float("inf") if limits["memory"] is None else limits["memory"]
        memory = sum(map(_resident, pids))
        if memory > most and len(pids) > 1:
            memory = sum(map(_own_share, pids))  # what forks share counts once
        self._peak = max(self._peak, memory)
        if memory > most:
            return "memory"
        if limits["cpu"] is not None and self._tree.cpu + sum(map(_cpu, pids)) > limits["cpu"]:
            return "cpu"
        return ""


class _Tree:
    """The descendants of this process, but for some of its children.

    Of the one called `main` it keeps the `status`; of all whose exit code was taken, and of what
    these have waited for, the processor time and the largest memory.
    """

    def __init__(self, spared: set[int]) -> None:
        self._spared = spared
        self.main = 0
        self.status: int | None = None
        self.cpu = 0.0
        self.peak = 0

    def pids(self) -> list[int]:
        """All that there are now, parents first."""
        found = [pid for pid in _children(os.getpid()) if pid not in self._spared]
        for pid in found:
            found += _children(pid)
        return found

    def take(self) -> bool:
        """Take the exit codes of those that have ended; whether there is nobody left."""
        try:
            while (found := os.wait4(-1, os.WNOHANG))[0]:
                pid, status, used = found
                self.cpu += used.ru_utime + used.ru_stime
                self.peak = max(self.peak, used.ru_maxrss * (1024 if _HAS_TREE else 1))
                if pid == self.main:
                    self.status = status
        except ChildProcessError:
            return True
        return bool(self._spared) and not self.pids()

    def end(self) -> int:
        """End all of them: stop them first, so that none goes on forking. How many are left."""
        limit = time.monotonic() + _END_PATIENCE
        if not _HAS_TREE and self.main:
            _signal(-self.main, signal.SIGKILL)
        while not self.take() and time.monotonic() < limit:
            self._stop()
            for pid in self.pids():
                _signal(pid, signal.SIGKILL)
            time.sleep(0.001)
        return len(self.pids())

    def _stop(self) -> None:
        """Stop those there are until no new ones come; who is stopped forks no more."""
        stopped: set[int] = set()
        while new := {*self.pids()} - stopped:
            for pid in new:
                _signal(pid, signal.SIGSTOP)
            stopped |= new


def _signal(pid: int, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def _children(pid: int) -> list[int]:
    """The children of all threads of a process."""
    found: list[int] = []
    with suppress(OSError):
        for thread in os.scandir(f"/proc/{pid}/task"):
            with suppress(OSError):
                found += map(int, _read(f"{thread.path}/children").split())
    return found


def _resident(pid: int) -> int:
    with suppress(OSError, IndexError):
        return int(_read(f"/proc/{pid}/statm").split()[1]) * _PAGE
    return 0


def _own_share(pid: int) -> int:
    """Bytes in memory, each page by the number of those who share it."""
    with suppress(OSError):
        for line in _read(f"/proc/{pid}/smaps_rollup").splitlines():
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) * 1024
    return 0


def _cpu(pid: int) -> float:
    """Seconds of a process and of those of its children that have ended."""
    with suppress(OSError, IndexError):
        fields = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
        return sum(map(int, fields[11:15])) / _TICKS
    return 0.0


def _read(path: str) -> bytes:
    fd = os.open(path, os.O_RDONLY)
    try:
        return os.read(fd, 65536)
    finally:
        os.close(fd)


def _become_subreaper() -> None:
    if _HAS_TREE:
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)


def _bell() -> int:
    """A pipe that can be read when a child has ended."""
    reads, writes = os.pipe()
    os.set_blocking(reads, False)
    os.set_blocking(writes, False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    signal.set_wakeup_fd(writes, warn_on_full_buffer=False)
    return reads


def _poll(*fds: int) -> "select.poll":
    poll = select.poll()
    for fd in fds:
        poll.register(fd, select.POLLIN)
    return poll


if __name__ == "__main__":
    main()
