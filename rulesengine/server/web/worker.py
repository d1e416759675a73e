"""A process that answers requests, one at a time, within limits that it sets itself first."""

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

# Before an operation: the lengths of its name and of the request. Before an answer or a line of
# one: its length, its status, whether it ends.
QUESTION, ANSWER = struct.Struct("!BI"), struct.Struct("!IHB")

MOST_SECONDS = 60  # of the processor for one request, if nobody looks
_ADDRESSES = 1024**3
_FILES = 64


def work(line: socket.socket) -> None:
    """Answer what comes on a socket until its other end has gone."""
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
    """Keep to what a stranger's spec may use, in a folder that is no longer there."""
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    limits = {
        resource.RLIMIT_AS: _ADDRESSES,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: MAX_ENTRY + 4096,
        resource.RLIMIT_NOFILE: _FILES,
    }
    for kind, most in limits.items():
        with suppress(OSError, ValueError):  # what the system does not limit
            resource.setrlimit(kind, (most, most))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)


def _allow(seconds: int) -> None:
    """So much more time of the processor."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    with suppress(OSError, ValueError):
        resource.setrlimit(
            resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + seconds, hard)
        )
