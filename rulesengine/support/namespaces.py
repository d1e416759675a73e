"""A PID namespace with a `/proc` of its own, for processes that must not reach any others.

It runs on Linux only and imports nothing of the package: a supervisor starts without the package.
"""

import ctypes
import os
import signal
from contextlib import suppress

_NEW_MOUNTS, _NEW_USER, _NEW_PIDS = 0x00020000, 0x10000000, 0x20000000  # CLONE_NEW* of sched.h
_RECURSIVE, _PRIVATE = 0x4000, 0x40000  # MS_REC, MS_PRIVATE of mount.h
_LOCKED = 2 | 4 | 8  # MS_NOSUID, MS_NODEV, MS_NOEXEC


def unshare_pids() -> None:
    """Put the later children of this process into a new PID namespace. Raises OSError.

    The first child is the init process of the namespace: no process in it can stop or kill it, and
    all of them end with it. A process without privileges also enters a user namespace in which its
    user and group keep their numbers. The process must have one thread only.
    """
    spaces = _NEW_PIDS | _NEW_MOUNTS
    try:
        _call("unshare", spaces)
    except PermissionError:
        user, group = os.geteuid(), os.getegid()
        _call("unshare", spaces | _NEW_USER)
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{user} {user} 1")
        _write("/proc/self/gid_map", f"{group} {group} 1")


def mount_proc() -> None:
    """Replace `/proc` in this process's mount namespace by its PID namespace's. Raises OSError."""
    _call("mount", b"none", b"/", None, _RECURSIVE | _PRIVATE, None)
    _call("mount", b"proc", b"/proc", b"proc", _LOCKED, None)


def kill_namespace() -> None:
    """Kill all other processes of the namespace; this process must be its init process."""
    with suppress(ProcessLookupError):
        os.kill(-1, signal.SIGKILL)


def _call(name: str, *arguments: object) -> None:
    """Call a function of the C library. Raises OSError."""
    if getattr(ctypes.CDLL(None, use_errno=True), name)(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _write(path: str, text: str) -> None:
    fd = os.open(path, os.O_WRONLY)
    try:
        os.write(fd, text.encode())
    finally:
        os.close(fd)
