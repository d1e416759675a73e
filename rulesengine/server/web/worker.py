"""A worker process: it answers requests one at a time, under resource limits set by itself."""

import os
import resource
import signal
import socket
import struct
import tempfile
from contextlib import suppress

from rulesengine.server.web.game_cache import Games
from rulesengine.server.web.operations import Answering
from rulesengine.support.cache import MAX_ENTRY

# The header of a request: the lengths of its name and of its body. The header of an answer or a
# line of it: its length, its status, and whether it is the last.
QUESTION, ANSWER = struct.Struct("!BI"), struct.Struct("!IHB")

MOST_SECONDS = 60  # of CPU time for one request, a hard limit behind the pool's
_ADDRESSES = 1024**3
_FILES = 64


def work(line: socket.socket) -> None:
    """Answer the requests of a socket until its other end is closed."""
    _restrict()
    answering = Answering(Games())
    with line, line.makefile("rb") as asked:
        while head := asked.read(QUESTION.size):
            short, long = QUESTION.unpack(head)
            name, body = asked.read(short).decode(), asked.read(long)
            _allow(MOST_SECONDS)

            def tell(data: bytes, status: int, ends: bool) -> None:
                line.sendall(ANSWER.pack(len(data), status, ends) + data)

            answering.answer(name, body, tell)
            answering.games.settle()


def _restrict() -> None:
    """Limit this process to the resources of an untrusted spec, in a deleted directory."""
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    limits = {
        resource.RLIMIT_AS: _ADDRESSES,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: MAX_ENTRY + 4096,
        resource.RLIMIT_NOFILE: _FILES,
    }
    for kind, most in limits.items():
        with suppress(OSError, ValueError):  # the system does not support this limit
            resource.setrlimit(kind, (most, most))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)


def _allow(seconds: int) -> None:
    """Allow the given number of further CPU seconds."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    with suppress(OSError, ValueError):
        resource.setrlimit(
            resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + seconds, hard)
        )
