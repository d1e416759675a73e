"""System calls for processes that supervise others: limits, signals, descriptors, process trees.

It imports nothing of the package: a supervisor starts without the package. On systems other than
Unix it can be imported, since many modules import it, but limits nothing.
"""

import ctypes
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress

with suppress(ImportError):
    import resource

HAS_LIMITS = "resource" in globals()  # the system is a Unix, which limits processes
HAS_TREE = sys.platform == "linux"  # the system lists the children of a process
MARK = "RULESENGINE_PROGRAM"  # environment variable that identifies the processes of a program

_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG
_CHILD_SUBREAPER, _IS_CHILD_SUBREAPER = 36, 37  # PR_SET_CHILD_SUBREAPER, PR_GET_CHILD_SUBREAPER
_END_PATIENCE = 5.0  # seconds for a process that cannot be killed, such as one waiting for a disk
_PAGE = resource.getpagesize() if HAS_LIMITS else 1
_TICKS = os.sysconf("SC_CLK_TCK") if HAS_LIMITS else 1


def cores() -> int:
    """Return the number of CPU cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# this process


def become_subreaper() -> None:
    """Make this process the parent of its orphaned descendants; does nothing except on Linux."""
    set_subreaper(True)


def set_subreaper(adopts: bool) -> None:
    """Set if this process adopts its orphaned descendants; for Linux only."""
    if HAS_TREE:
        ctypes.CDLL(None).prctl(_CHILD_SUBREAPER, int(adopts), 0, 0, 0)


def is_subreaper() -> bool:
    """True if orphaned descendants become children of this process."""
    flag = ctypes.c_int()
    if HAS_TREE:
        ctypes.CDLL(None).prctl(_IS_CHILD_SUBREAPER, ctypes.byref(flag), 0, 0, 0)
    return bool(flag.value)


def end_with_parent() -> None:
    """Make the system kill this process when its parent ends; does nothing except on Linux.

    Ends this process if its parent has ended already.
    """
    parent = os.getppid()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    if parent == 1:
        os._exit(1)


def child_exit_pipe() -> int:
    """Return the read end of a pipe that becomes readable when a child has ended."""
    reads, writes = os.pipe()
    os.set_blocking(reads, False)
    os.set_blocking(writes, False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    signal.set_wakeup_fd(writes, warn_on_full_buffer=False)
    return reads


def clear_pipe(reads: int) -> None:
    """Read all notifications of `child_exit_pipe`."""
    os.read(reads, 4096)


def poll_of(*fds: int) -> "select.poll":
    """Return a poll object for descriptors that become readable."""
    poll = select.poll()
    for fd in fds:
        poll.register(fd, select.POLLIN)
    return poll


def receive(line: socket.socket, size: int, most: int) -> tuple[bytes, list[int]]:
    """Receive bytes with at most `most` descriptors, which child processes do not inherit."""
    data, descriptors, _, _ = socket.recv_fds(line, size, most)
    for fd in descriptors:
        os.set_inheritable(fd, False)
    return data, list(descriptors)


# limits


def limit_self(limits: Mapping[int, int]) -> None:
    """Set resource limits of this process; limits that the system does not support are skipped."""
    for kind, most in limits.items():
        with suppress(OSError, ValueError):
            resource.setrlimit(kind, (most, most))


def limit_other(pid: int, limits: Mapping[int, int]) -> None:
    """Lower resource limits of another process; does nothing except on Linux."""
    for kind, most in limits.items():
        with suppress(OSError, ValueError, AttributeError):
            hard = resource.prlimit(pid, kind)[1]
            limit = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.prlimit(pid, kind, (limit, limit))


def allow_cpu(seconds: int) -> None:
    """Limit the CPU time of this process to `seconds` more than it has used."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    with suppress(OSError, ValueError):
        most = int(used.ru_utime + used.ru_stime) + seconds
        resource.setrlimit(resource.RLIMIT_CPU, (most, hard))


# other processes


def send_signal(pid: int, number: int) -> None:
    """Send a signal to a process; to a process group if `pid` is negative."""
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def kill_group(pid: int) -> None:
    """Kill a process group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def children(pid: int) -> list[int]:
    """Return the children of all threads of a process; none except on Linux."""
    pids: list[int] = []
    with suppress(OSError):
        for thread in os.scandir(f"/proc/{pid}/task"):
            with suppress(OSError):
                pids += map(int, _read(f"{thread.path}/children").split())
    return pids


def parent_and_state(pid: int) -> tuple[int, str]:
    """Return the parent of a process and the letter of its state; 0 and none if it is not known."""
    with suppress(OSError, LookupError, ValueError):
        fields = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
        return int(fields[1]), fields[0].decode()
    return 0, ""


def marked(mark: str) -> set[int]:
    """Return the processes with a value of `MARK` in their environment; none except on Linux."""
    pids, wanted = set[int](), f"{MARK}={mark}".encode()
    names = os.listdir("/proc") if HAS_TREE else []  # noqa: PTH208 (faster)
    for pid in map(int, filter(str.isdecimal, names)):
        with suppress(OSError):
            if wanted in _read(f"/proc/{pid}/environ", 2**22).split(b"\0"):
                pids.add(pid)
    return pids


def resident_bytes(pid: int) -> int:
    """Return the resident memory of a process; 0 if it is not known."""
    with suppress(OSError, LookupError, ValueError):
        return int(_read(f"/proc/{pid}/statm").split()[1]) * _PAGE
    return 0


def proportional_bytes(pid: int) -> int:
    """Return the resident memory of a process, with shared pages divided by their users."""
    with suppress(OSError):
        for line in _read(f"/proc/{pid}/smaps_rollup").splitlines():
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) * 1024
    return 0


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process and its ended children; 0 if it is not known."""
    with suppress(OSError, LookupError, ValueError):
        fields = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
        return sum(map(int, fields[11:15])) / _TICKS
    return 0.0


class ProcessTree:
    """The descendants of this process, except for some of its children.

    `kill_others` kills all of them in one call, where the system has such a call. `status` is that
    of the child `main`. `cpu` (seconds) and `peak` (bytes) are those of all reaped children and of
    the descendants that these have reaped.
    """

    def __init__(self, spared: set[int], kill_others: Callable[[], None] | None = None) -> None:
        self._spared, self._kill_others = spared, kill_others
        self.main = 0
        self.status: int | None = None
        self.cpu = 0.0
        self.peak = 0

    def pids(self) -> list[int]:
        """Return all current descendants, parents first."""
        pids = [pid for pid in children(os.getpid()) if pid not in self._spared]
        for pid in pids:
            pids += children(pid)
        return pids

    def reap(self) -> bool:
        """Reap the children that have ended. True if no process of the tree is left."""
        try:
            while (ended := os.wait4(-1, os.WNOHANG))[0]:
                pid, status, used = ended
                self.cpu += used.ru_utime + used.ru_stime
                self.peak = max(self.peak, used.ru_maxrss * (1024 if HAS_TREE else 1))
                if pid == self.main:
                    self.status = status
        except ChildProcessError:
            return True
        return bool(self._spared) and not self.pids()

    def kill(self) -> int:
        """Kill the tree and return the number of processes that could not be killed.

        All processes are stopped first, so that none continues to fork.
        """
        limit = time.monotonic() + _END_PATIENCE
        if not HAS_TREE and self.main:
            send_signal(-self.main, signal.SIGKILL)
        while not self.reap() and time.monotonic() < limit:
            if self._kill_others:
                self._kill_others()
                time.sleep(0.001)
                continue
            self._stop()
            for pid in self.pids():
                send_signal(pid, signal.SIGKILL)
            time.sleep(0.001)
        return len(self.pids())

    def _stop(self) -> None:
        """Stop processes until no new ones appear: a stopped process cannot fork."""
        stopped: set[int] = set()
        while new := {*self.pids()} - stopped:
            for pid in new:
                send_signal(pid, signal.SIGSTOP)
            stopped |= new


def _read(path: str, size: int = 65536) -> bytes:
    """Read a file of /proc; `open` would take several times as long."""
    fd = os.open(path, os.O_RDONLY)
    try:
        return os.read(fd, size)
    finally:
        os.close(fd)
