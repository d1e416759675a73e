"""Handles of worker processes: started by the fork server, connected by sockets."""

import asyncio
import json
import socket
import subprocess
import sys
from asyncio import StreamReader, StreamWriter, Task
from collections.abc import AsyncGenerator
from contextlib import suppress

from rulesengine.errors import UsageError
from rulesengine.server.web.lru import LruCache
from rulesengine.server.web.worker import REQUEST_HEADER, RESPONSE_HEADER
from rulesengine.server.web.worker_environment import for_workers
from rulesengine.support.frozen import record
from rulesengine.support.processes import cpu_seconds, resident_bytes
from rulesengine.support.socket_process import start_with_socket

_PATIENCE = 30.0  # seconds until a process that has been started must be there
_SPECS, _CLIENTS = 16, 256  # that are remembered of a worker


@record
class Frame:
    """An answer, or a line of one."""

    data: bytes
    status: int
    ends: bool


class Worker:
    """A process that answers one request at a time.

    `nice` is its niceness. `specs` are the specs in its cache, `clients` the clients that it has
    served, each with the spec.
    """

    def __init__(self, number: int, nice: int, reader: StreamReader, writer: StreamWriter) -> None:
        self.number, self.nice = number, nice
        self.specs = LruCache[bytes, bool](_SPECS)
        self.clients = LruCache[tuple[str, bytes], bool](_CLIENTS)
        self._reader, self._writer = reader, writer

    async def send(self, name: str, body: bytes) -> AsyncGenerator[Frame]:
        """Send a request and yield the frames of its answer. Raises EOFError if the worker has
        ended.
        """
        try:
            self._writer.write(REQUEST_HEADER.pack(len(name), len(body)) + name.encode() + body)
            ends = False
            while not ends:
                size, status, last = RESPONSE_HEADER.unpack(
                    await self._reader.readexactly(RESPONSE_HEADER.size)
                )
                ends = bool(last)
                yield Frame(await self._reader.readexactly(size), status, ends)
        except OSError as error:
            raise EOFError from error

    async def close(self) -> None:
        """Close the connection; the worker ends after its current request."""
        self._writer.close()
        with suppress(OSError):  # it has already ended
            await self._writer.wait_closed()

    @property
    def has_gone(self) -> bool:
        """True if the worker has closed its connection."""
        return self._reader.at_eof()

    @property
    def seconds(self) -> float:
        """Return the CPU seconds used so far; 0 if the system does not report them."""
        return cpu_seconds(self.number)

    @property
    def memory(self) -> int:
        """Return the bytes of resident memory; 0 if the system does not report them."""
        return resident_bytes(self.number)


class ForkServer:
    """The client of the fork server."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._workers: set[Worker] = set()
        self._closing: set[Task[None]] = set()
        self._process: subprocess.Popen[bytes] | None = None
        self._line: socket.socket | None = None
        self._reader: StreamReader | None = None
        self._writer: StreamWriter | None = None
        self._is_closed = False

    async def open(self) -> None:
        """Start it. Raises UsageError where that cannot be."""
        words = [sys.executable, "-m", "rulesengine.server.web.fork_server"]
        self._process, ours = start_with_socket(words, shows_errors=True, env=for_workers())
        try:
            self._reader, self._writer = await asyncio.open_unix_connection(sock=ours)
        except BaseException:
            ours.close()
            self._process.kill()
            raise
        self._line = ours
        try:
            ready = await asyncio.wait_for(self._reader.readline(), _PATIENCE)
        except BaseException:  # until it is ready it does not notice a closed socket
            self._process.kill()
            raise
        if ready != b"ready\n":
            raise UsageError("the process that specs are played in does not start")

    async def fork(self, nice: int) -> Worker:
        """Return a new worker. Raises EOFError if the fork server has ended."""
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                number = await self._surely_forked(theirs, nice)
            reader, writer = await asyncio.open_unix_connection(sock=ours)
        except BaseException:
            ours.close()
            raise
        worker = Worker(number, nice, reader, writer)
        self._workers.add(worker)
        return worker

    async def _surely_forked(self, line: socket.socket, nice: int) -> int:
        """Return the process id of a new worker; restart the fork server if it has ended."""
        async with self._lock:
            try:
                return await self._forked(line, nice)
            except (EOFError, OSError):
                if self._is_closed:
                    raise
            await self._end()
            await self.open()
            return await self._forked(line, nice)

    async def _forked(self, line: socket.socket, nice: int) -> int:
        if not (self._reader and self._line):  # it could not be started
            raise EOFError
        command = json.dumps({"fork": nice}).encode() + b"\n"
        socket.send_fds(self._line, [command], [line.fileno()])
        response = await self._reader.readline()
        if not response:
            raise EOFError
        return int(response)

    def end(self, worker: Worker) -> None:
        """End a worker immediately, with all processes that it has started."""
        self._send_command({"end": worker.number})
        self._workers.discard(worker)
        closing = asyncio.create_task(worker.close())
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)

    def make_nice(self, worker: Worker, nice: int) -> None:
        """Lower the priority of a worker."""
        self._send_command({"nice": worker.number, "to": nice})

    def _send_command(self, command: dict[str, int]) -> None:
        if self._writer and not self._writer.is_closing():
            self._writer.write(json.dumps(command).encode() + b"\n")

    async def close(self) -> None:
        """End the fork server with all workers, and wait for it; later requests get EOFError."""
        self._is_closed = True
        await asyncio.gather(*self._closing, *(worker.close() for worker in self._workers))
        await self._end()

    async def _end(self) -> None:
        if self._writer:
            self._writer.close()
            with suppress(OSError):  # it has already ended
                await self._writer.wait_closed()
        if self._process:
            await asyncio.get_running_loop().run_in_executor(None, self._ended)

    def _ended(self) -> None:
        assert self._process
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
