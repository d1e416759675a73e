"""Load on a server by concurrent clients, some of them hostile, and the times of the others.

`python -m tests.helpers.crowd CLIENTS SECONDS` prints it.
"""

import asyncio
import json
import os
import random
import re
import resource
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from urllib.parse import urlsplit

from rulesengine.support.frozen import field, record, replace
from tests.helpers.processes import COMMAND, PATIENCE, running
from tests.helpers.served import ENDLESS, ROW, descendants

CLICK, EDIT = 2.0, 10.0  # seconds from one to the next
_GAMES = ("othello", "hex", "tic-tac-toe", "connect-four", "breakthrough")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_BOMB = "a: &a [x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 8)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@record
class LoadFigures:
    """Figures of a run: seconds of each honest click and edit, the number without an answer, the
    most memory used by all processes of the server at a time, the number of these left after its
    end, and seconds of processor time by consumer.
    """

    clicks: list[float]
    edits: list[float]
    unanswered: int = 0
    memory: int = 0
    left: int = 0
    processor: Mapping[str, float] = field(default_factory=dict)


def crowd(clients: int, seconds: float) -> LoadFigures:
    """Let so many clients, a quarter of them hostile, send requests to a new server for so long."""
    with running(*COMMAND, "serve", "--port", "0") as process:
        assert process.stdout
        home = process.stdout.readline().decode().split()[0]
        below = _used(resource.RUSAGE_CHILDREN)
        found = run_load(home, clients, seconds, process.pid)
        workers = descendants(process.pid)
        process.terminate()
        process.wait(PATIENCE)
        left = sum(Path(f"/proc/{worker}").exists() for worker in workers)
        known = found.processor["the hostile"] + found.processor["the server"]
        theirs = _used(resource.RUSAGE_CHILDREN) - below - known
    return replace(found, left=left, processor={**found.processor, "its workers": theirs})


def run_load(home: str, clients: int, seconds: float, server: int) -> LoadFigures:
    """Let so many clients, a quarter of them hostile, send requests to a server for so long."""
    until, hostile = time.monotonic() + seconds, clients // 4
    own, below = _used(resource.RUSAGE_SELF), _used(resource.RUSAGE_CHILDREN)
    # In a process of their own: their own cost must not delay the other clients.
    others = get_context("spawn").Process(target=_ill_meaning, args=(home, hostile, until))
    others.start()
    found = asyncio.run(_measured(home, clients - hostile, until, server))
    others.join()
    processor = {
        "the honest": _used(resource.RUSAGE_SELF) - own,
        "the hostile": _used(resource.RUSAGE_CHILDREN) - below,
        "the server": _processor(server),
    }
    return replace(found, processor=processor)


def _used(who: int) -> float:
    """Return the processor seconds of this process, or of its finished children."""
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def _processor(number: int) -> float:
    """Return the processor seconds of a process so far."""
    fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def part(of: float, times: list[float]) -> float:
    """Return this quantile of the times."""
    return sorted(times)[min(len(times) - 1, int(of * len(times)))]


async def _measured(home: str, clients: int, until: float, server: int) -> LoadFigures:
    found = LoadFigures([], [])
    watching = asyncio.create_task(_most_memory(server, until))
    missing = await asyncio.gather(*(_honest(home, n, until, found) for n in range(clients)))
    return replace(found, unanswered=sum(missing), memory=await watching)


def _ill_meaning(home: str, clients: int, until: float) -> None:
    async def all() -> None:
        await asyncio.gather(*(_hostile(home, number, until) for number in range(clients)))

    asyncio.run(all())


async def _most_memory(server: int, until: float) -> int:
    most = 0
    while time.monotonic() < until:
        most = max(most, sum(map(_resident, [server, *descendants(server)])))
        await asyncio.sleep(0.5)
    return most


def _resident(number: int) -> int:
    with suppress(OSError):
        return int(Path(f"/proc/{number}/statm").read_text().split()[1]) * _PAGE
    return 0


class _Client:
    """A persistent connection: the client of a library would cost more than its requests."""

    def __init__(self, home: str) -> None:
        self._home = home
        self._line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, operation: str, body: bytes) -> tuple[int, bytes]:
        """Return the status of an answer, and its body. Raises OSError and EOFError."""
        if self._line is None:
            self._line = await _connected(self._home)
        reader, writer = self._line
        head = f"POST /api/{operation} HTTP/1.1\r\nhost: 127.0.0.1\r\n"
        head += f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        await writer.drain()
        header = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = re.search(r"content-length: (\d+)", header)
        return int(header.split()[1]), await reader.readexactly(int(length[1]) if length else 0)

    def close(self) -> None:
        if self._line:
            self._line[1].close()
            self._line = None


async def _honest(home: str, number: int, until: float, found: LoadFigures) -> int:
    """Click every two seconds, edit every ten; return the number of unanswered requests."""
    draw, unanswered, clicks = random.Random(number), 0, 0
    spec: dict[str, str] = {"name": _GAMES[number % len(_GAMES)]}
    moves: list[str] = []
    client = _Client(home)
    await asyncio.sleep(draw.random() * CLICK)
    while time.monotonic() < until:
        due = time.monotonic() + CLICK
        if clicks % (EDIT / CLICK) == number % (EDIT / CLICK):
            text = {"text": f"{ROW}# of {number}, {clicks}\n"}
            unanswered += not await _timed(client, "check", {"spec": text}, found.edits)
        answer = await _timed(client, "position", {"spec": spec, "moves": moves}, found.clicks)
        legal = json.loads(answer)["legal"] if answer else []
        moves = [*moves, draw.choice(legal)["text"]] if legal else []
        unanswered += not answer
        clicks += 1
        await asyncio.sleep(max(0.0, due - time.monotonic()))
    client.close()
    return unanswered


async def _timed(
    client: _Client, operation: str, asked: Mapping[str, object], times: list[float]
) -> bytes:
    """Return the body of a successful answer, else an empty one."""
    began = time.monotonic()
    try:
        status, body = await client.post(operation, json.dumps(asked).encode())
    except (OSError, EOFError):
        client.close()
        return b""
    times.append(time.monotonic() - began)
    return body if status == 200 else b""


async def _hostile(home: str, number: int, until: float) -> None:
    """Repeat the hostile requests in turn."""
    kinds: tuple[Callable[[str, str], Awaitable[None]], ...]
    kinds = (_endless, _bomb, _large, _slow, _broken)
    round = 0
    while time.monotonic() < until:
        round += 1
        with suppress(OSError, EOFError):
            async with asyncio.timeout(max(0.1, until - time.monotonic())):
                await kinds[number % len(kinds)](home, f"{number} {round}")


async def _posted(home: str, body: bytes) -> None:
    client = _Client(home)
    try:
        await client.post("position", body)
    finally:
        client.close()


async def _text(home: str, text: str) -> None:
    await _posted(home, json.dumps({"spec": {"text": text}}).encode())


async def _endless(home: str, name: str) -> None:
    await _text(home, f"{ENDLESS}# {name}")


async def _bomb(home: str, name: str) -> None:
    await _text(home, f"{_BOMB}# {name}")


async def _large(home: str, name: str) -> None:
    await _posted(home, bytes(10_000_000))


async def _slow(home: str, name: str) -> None:
    _, writer = await _connected(home)
    try:
        for byte in b"POST /api/position HTTP/1.1\r\nhost: 127.0.0.1\r\n" * 100:
            writer.write(bytes((byte,)))
            await writer.drain()
            await asyncio.sleep(0.5)
    finally:
        writer.close()


async def _broken(home: str, name: str) -> None:
    reader, writer = await _connected(home)
    writer.write(b"\x16\x03\x01 what is this\r\n\r\n")
    await reader.read()
    writer.close()
    await asyncio.sleep(0.05)


async def _connected(home: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    address = urlsplit(home)
    return await asyncio.open_connection(address.hostname, address.port)


if __name__ == "__main__":
    load = crowd(int(sys.argv[1]), float(sys.argv[2]))
    every = load.clicks + load.edits
    for name, times in (("clicks", load.clicks), ("edits", load.edits), ("both", every)):
        parts = ", ".join(f"{of:.0%} {part(of, times) * 1000:.0f} ms" for of in (0.5, 0.95, 0.99))
        sys.stdout.write(f"{name}: {len(times)}, {parts}\n")
    sys.stdout.write(f"unanswered: {load.unanswered}; memory: {load.memory / 2**20:.0f} MiB")
    sys.stdout.write(f"; left: {load.left} processes\n")
    used = ", ".join(f"{who} {seconds:.1f} s" for who, seconds in load.processor.items())
    sys.stdout.write(f"processor: {used}\n")
