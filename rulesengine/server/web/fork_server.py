"""The fork server: it imports the package once, so workers share the loaded modules.

`python -m rulesengine.server.web.fork_server FD`: on the socket FD it reads lines of JSON.
`{"fork": NICE}` comes with the descriptor of a worker's socket, and the answer is the worker's
process id. `{"end": PID}` and `{"nice": PID, "to": NICE}` have no answer. Workers end with the fork
server, and it ends when the socket is closed.
"""

import gc
import json
import os
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path

from rulesengine.engine.kernel.backends.registry import working
from rulesengine.server.web.game_cache import GameCache
from rulesengine.server.web.operations import Dispatcher
from rulesengine.server.web.worker import work
from rulesengine.support.processes import (
    child_exit_pipe,
    clear_pipe,
    end_with_parent,
    kill_group,
    poll_of,
    receive,
    send_signal,
)

# A spec, processed once before workers are forked.
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


def main() -> int:
    """Fork workers until the other end of the socket is closed."""
    host = socket.socket(fileno=int(sys.argv[1]))
    host.set_inheritable(False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    _warm()
    exits, workers = child_exit_pipe(), set[int]()
    host.sendall(b"ready\n")
    poll = poll_of(host.fileno(), exits)
    try:
        while _serve(host, exits, workers, {fd for fd, _ in poll.poll()}):
            pass
    finally:
        for worker in workers:
            _end(worker)
        with suppress(ChildProcessError):
            while True:
                os.wait()
    return 0


def _warm() -> None:
    """Run each slow first-use initialisation once, so workers inherit its result."""
    dispatcher = Dispatcher(GameCache())
    for name in _WARMING:
        request = {"spec": {"text": _SPEC}, "offset": _SPEC.index("none")}
        dispatcher.dispatch(name, json.dumps(request).encode(), lambda *_: None)
    _import_compilers()
    gc.collect()
    gc.freeze()


def _import_compilers() -> None:
    """Import the modules that compile the kernels of a search, which takes half a second."""
    import rulesengine.engine.kernel.emission
    import rulesengine.search.searches  # noqa: F401

    for backend in working():
        backend.processor()


def _serve(host: socket.socket, exits: int, workers: set[int], ready: set[int]) -> bool:
    """Reap ended workers and handle pending requests; return False at the end of the stream."""
    if exits in ready:
        clear_pipe(exits)
        _take(workers)
    if host.fileno() not in ready:
        return True
    data, descriptors = receive(host, 65536, 16)
    for line in data.splitlines():
        _carry_out(host, json.loads(line), descriptors, workers)
    return bool(data)


def _carry_out(
    host: socket.socket, command: dict[str, int], descriptors: list[int], workers: set[int]
) -> None:
    if "fork" in command:
        worker = _fork(host, descriptors.pop(0), command["fork"])
        workers.add(worker)
        host.sendall(b"%d\n" % worker)
    elif command.get("end") in workers:
        _end(command["end"])
    elif command.get("nice") in workers:
        _make_nice(command["nice"], command["to"])


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
        end_with_parent()
        if nice:
            _make_nice(os.getpid(), nice)
        with suppress(OSError):  # the server has gone
            work(socket.socket(fileno=line))
        code = 0
    finally:
        os._exit(code)


def _take(workers: set[int]) -> None:
    """Reap ended workers, and end the processes that they started."""
    with suppress(ChildProcessError):
        while worker := os.waitpid(-1, os.WNOHANG)[0]:
            workers.discard(worker)
            kill_group(worker)


def _end(worker: int) -> None:
    """Kill a worker with its compiler processes, even before it leads a process group."""
    send_signal(worker, signal.SIGKILL)
    kill_group(worker)


def _make_nice(worker: int, nice: int) -> None:
    """Lower the priority of a worker and of its compilers.

    Linux may schedule by sessions first (autogroup), so the session's niceness is raised too, by
    half as much: the worker must finish under other load.
    """
    with suppress(OSError):
        os.setpriority(os.PRIO_PGRP, worker, nice)
    with suppress(OSError):
        Path(f"/proc/{worker}/autogroup").write_text(str(nice // 2))


if __name__ == "__main__":
    os._exit(main())  # skips interpreter shutdown, which takes 0.1 s and has nothing to flush
