"""A worker process: it answers requests one at a time, under resource limits set by itself."""

import os
import resource
import signal
import socket
import struct
import tempfile

from rulesengine.server.web.game_cache import GameCache
from rulesengine.server.web.operations import Dispatcher
from rulesengine.support.cache import MAX_ENTRY
from rulesengine.support.processes import allow_cpu, limit_self

# The header of a request: the lengths of its name and of its body. The header of an answer or a
# line of it: its length, its status, and a flag for the last line.
REQUEST_HEADER, RESPONSE_HEADER = struct.Struct("!BI"), struct.Struct("!IHB")

MOST_SECONDS = 60  # of CPU time for one request, a hard limit behind the pool's
_ADDRESSES = 1024**3
_FILES = 64


def work(line: socket.socket) -> None:
    """Serve the requests of a socket until its other end is closed."""
    _restrict()
    dispatcher = Dispatcher(GameCache())
    with line, line.makefile("rb") as requests:
        while head := requests.read(REQUEST_HEADER.size):
            short, long = REQUEST_HEADER.unpack(head)
            name, body = requests.read(short).decode(), requests.read(long)
            allow_cpu(MOST_SECONDS)

            def emit(data: bytes, status: int, ends: bool) -> None:
                line.sendall(RESPONSE_HEADER.pack(len(data), status, ends) + data)

            dispatcher.dispatch(name, body, emit)
            dispatcher.games.load_cached_data()


def _restrict() -> None:
    """Limit this process to the resources of an untrusted spec, in a deleted directory."""
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    limit_self(
        {
            resource.RLIMIT_AS: _ADDRESSES,
            resource.RLIMIT_CORE: 0,
            resource.RLIMIT_FSIZE: MAX_ENTRY + 4096,
            resource.RLIMIT_NOFILE: _FILES,
        }
    )
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
