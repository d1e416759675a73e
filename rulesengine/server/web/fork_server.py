"""The process that workers are forked from: what they need is loaded once, and shared by all.

`python -m rulesengine.server.web.fork_server FD`: on the socket FD it takes a line of JSON for each
worker, `{"fork": NICE}` with a socket beside it, and tells the number of the process; or
`{"end": NUMBER}`, `{"nice": NUMBER, "to": NICE}`. Workers end with it, and it ends with the socket.
"""

import ctypes
import gc
import json
import os
import select
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path

from rulesengine.server.web.game_cache import Games
from rulesengine.server.web.operations import Answering
from rulesengine.server.web.worker import work

# A spec, and what is asked of it before workers are forked.
_SPEC = """\
spec: 1
name: Row
board: {rows: 3, columns: 3}
players: [one, two]
pieces: {stone: {one: x, two: o}, empty: "."}
rules:
  moves: {place: stone, to: empty}
  end:
    - {when: any(line(own, at least 3)), result: player wins}
    - {when: none(empty), result: draw}
"""
_WARMING = ("check", "position", "why", "rules", "complete")
_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG


def main() -> int:
    """Fork workers until the other end of the socket has gone."""
    host = socket.socket(fileno=int(sys.argv[1]))
    host.set_inheritable(False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _end_with_parent()
    _warm()
    bell, workers = _bell(), set[int]()
    host.sendall(b"ready\n")
    poll = select.poll()
    poll.register(host, select.POLLIN)
    poll.register(bell, select.POLLIN)
    try:
        while _serve(host, bell, workers, {fd for fd, _ in poll.poll()}):
            pass
    finally:
        for worker in workers:
            _end(worker)
        with suppress(ChildProcessError):
            while True:
                os.wait()
    return 0


def _warm() -> None:
    """Do once what takes long the first time, so that workers find it done."""
    answering = Answering(Games())
    for name in _WARMING:
        asked = {"spec": {"text": _SPEC}, "offset": _SPEC.index("none")}
        answering.answer(name, json.dumps(asked).encode(), lambda *_: None)
    gc.collect()
    gc.freeze()


def _serve(host: socket.socket, bell: int, workers: set[int], ready: set[int]) -> bool:
    """Do what has come; whether there may be more."""
    if bell in ready:
        os.read(bell, 4096)
        _take(workers)
    if host.fileno() not in ready:
        return True
    data, given, _, _ = socket.recv_fds(host, 65536, 16)
    for line in data.splitlines():
        _carry_out(host, json.loads(line), given, workers)
    return bool(data)


def _carry_out(
    host: socket.socket, wish: dict[str, int], given: list[int], workers: set[int]
) -> None:
    if "fork" in wish:
        worker = _fork(host, given.pop(0), wish["fork"])
        workers.add(worker)
        host.sendall(b"%d\n" % worker)
    elif wish.get("end") in workers:
        _end(wish["end"])
    elif wish.get("nice") in workers:
        _make_nice(wish["nice"], wish["to"])


def _fork(host: socket.socket, line: int, nice: int) -> int:
    worker = os.fork()
    if worker:
        os.close(line)
        return worker
    code = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        host.close()
        os.setsid()
        _end_with_parent()
        if nice:
            _make_nice(os.getpid(), nice)
        with suppress(OSError):  # the server has gone
            work(socket.socket(fileno=line))
        code = 0
    finally:
        os._exit(code)


def _take(workers: set[int]) -> None:
    """Take the exit codes of those who have ended, and end what they have left."""
    with suppress(ChildProcessError):
        while worker := os.waitpid(-1, os.WNOHANG)[0]:
            workers.discard(worker)
            _end_group(worker)


def _end(worker: int) -> None:
    """End a worker, also one that has just begun and leads no group yet."""
    with suppress(ProcessLookupError, PermissionError):
        os.kill(worker, signal.SIGKILL)
    _end_group(worker)


def _end_group(worker: int) -> None:
    """End what compiles for a worker."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(worker, signal.SIGKILL)


def _make_nice(worker: int, nice: int) -> None:
    """Let others go before a worker and what compiles for it.

    Linux may share time out by sessions first: then it is its session that has to be nice, if
    less, so that it comes to an end beside much other work.
    """
    with suppress(OSError):
        os.setpriority(os.PRIO_PGRP, worker, nice)
    with suppress(OSError):
        Path(f"/proc/{worker}/autogroup").write_text(str(nice // 2))


def _end_with_parent() -> None:
    """Leave nothing behind, whatever becomes of the parent; Linux alone has a call for that."""
    parent = os.getppid()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    if parent == 1:
        os._exit(1)


def _bell() -> int:
    """A pipe that can be read when a child has ended."""
    reads, writes = os.pipe()
    os.set_blocking(reads, False)
    os.set_blocking(writes, False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    signal.set_wakeup_fd(writes, warn_on_full_buffer=False)
    return reads


if __name__ == "__main__":
    os._exit(main())  # there is nothing to write, and to take Python down takes a tenth of a second
