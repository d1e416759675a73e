"""Latency of moves in many rooms of one server, over the loopback interface.

`python -m tests.benchmarks.bench_rooms ROOMS SECONDS` starts a server, opens rooms with two
connected players each, and lets each room make a move every two seconds. After a warm-up, in which
the server loads games and kernels, it prints the time from the request of a move to its arrival at
the other player, and the processor time of a move.
"""

import asyncio
import json
import random
import sys
import time
from collections.abc import Callable
from urllib.parse import urlsplit

from rulesengine.support.frozen import record
from rulesengine.support.processes import cpu_seconds
from tests.helpers.crowd import part
from tests.helpers.processes import COMMAND, PATIENCE, running
from tests.helpers.served import descendants

PACE = 2.0  # seconds between two moves of a room
WARM_UP = 20.0  # seconds
GAMES = ("othello", "hex", "chess", "connect-four", "breakthrough", "go", "backgammon")
_JSON = "content-type: application/json\r\n"


@record
class RoomFigures:
    """Seconds from a move to its arrival at the other player, and the number of failed moves."""

    times: list[float]
    failed: list[str]


class _Line:
    """A persistent connection for requests with short answers."""

    def __init__(self, home: str) -> None:
        self._address = urlsplit(home)
        self._ends: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, path: str, **given: object) -> dict[str, object]:
        reader = await self.send(path, **given)
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(head.partition("content-length: ")[2].split()[0])
        found: dict[str, object] = json.loads(await reader.readexactly(length))
        return found

    async def send(self, path: str, **given: object) -> asyncio.StreamReader:
        """Send a request and return the stream of its answer."""
        if self._ends is None:
            self._ends = await asyncio.open_connection(
                self._address.hostname, self._address.port, limit=2**20
            )
        body = json.dumps(given).encode()
        head = f"POST /api/{path} HTTP/1.1\r\nhost: 127.0.0.1\r\n{_JSON}"
        self._ends[1].write(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
        await self._ends[1].drain()
        return self._ends[0]

    def close(self) -> None:
        if self._ends:
            self._ends[1].close()


class _Room:
    """A room with two players, each connected; moves are random legal ones."""

    def __init__(self, home: str, number: int, found: RoomFigures) -> None:
        self._home, self._found = home, found
        self._draw = random.Random(number)
        self._game = {"spec": {"name": GAMES[number % len(GAMES)]}}
        self._line = _Line(home)
        self._watches = [_Line(home), _Line(home)]
        self._seen = [asyncio.Queue[dict[str, object]]() for _ in self._watches]
        self._tasks: list[asyncio.Task[None]] = []
        self._tokens: dict[str, str] = {}
        self._seats: list[str] = []
        self._name = ""

    async def open(self) -> None:
        made = await self._line.post("rooms", **self._game)
        self._name = str(made["room"])
        taken = await self._line.post(f"rooms/{self._name}/seat")
        for one in (made, taken):
            self._tokens[str(one["seat"])] = str(one["token"])
            self._seats.append(str(one["seat"]))
        for watch, seat, seen in zip(self._watches, self._seats, self._seen, strict=True):
            reader = await watch.send(f"rooms/{self._name}/watch", token=self._tokens[seat])
            self._tasks.append(asyncio.create_task(_listen(reader, seen)))

    async def play(self, until: float) -> None:
        """Make a move every two seconds until a time."""
        await asyncio.sleep(self._draw.random() * PACE)
        now = await self._latest(0)
        while time.monotonic() < until:
            due = time.monotonic() + PACE
            now = await self._move(now)
            await asyncio.sleep(max(0.0, due - time.monotonic()))

    async def _move(self, now: dict[str, object]) -> dict[str, object]:
        """Make a random move, and wait until the other player knows it."""
        moves, mover = now["moves"], str(now["mover"])
        assert isinstance(moves, list)
        shown = await self._line.post("position", **self._game, moves=moves)
        if "error" in shown:
            self._found.failed.append(f"position: {shown['error']}")
            return now
        legal = shown["legal"]
        if not isinstance(legal, list) or not legal:
            return await self._begin_again(now)
        move = self._draw.choice(legal)["text"]
        began = time.monotonic()
        answer = await self._line.post(
            f"rooms/{self._name}/move", token=self._tokens[mover], ply=len(moves), move=move
        )
        if "error" in answer:
            self._found.failed.append(str(answer["error"]))
            return now
        other = 1 - self._seats.index(mover)
        while True:
            seen = await self._seen[other].get()
            known = seen["moves"]
            assert isinstance(known, list)
            if seen["number"] == now["number"] and len(known) > len(moves):
                self._found.times.append(time.monotonic() - began)
                return seen

    async def _begin_again(self, now: dict[str, object]) -> dict[str, object]:
        """Agree to a rematch after the end of a game."""
        first, second = self._tokens.values()
        await self._line.post(f"rooms/{self._name}/offer", token=first, kind="rematch")
        await self._line.post(f"rooms/{self._name}/answer", token=second, accepts=True)
        tokens = list(self._tokens.values())
        self._tokens = dict(zip(self._tokens, reversed(tokens), strict=True))
        self._seats.reverse()
        while True:
            seen = await self._seen[0].get()
            if seen["number"] != now["number"]:
                return seen

    async def _latest(self, seat: int) -> dict[str, object]:
        seen = await self._seen[seat].get()
        while not self._seen[seat].empty():
            seen = self._seen[seat].get_nowait()
        return seen

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        for line in (self._line, *self._watches):
            line.close()


async def _listen(reader: asyncio.StreamReader, seen: asyncio.Queue[dict[str, object]]) -> None:
    """Put the observations of a stream in chunks into a queue."""
    await reader.readuntil(b"\r\n\r\n")
    while size := int(await reader.readuntil(b"\r\n"), 16):
        chunk = await reader.readexactly(size + 2)
        for line in chunk.splitlines():
            if line:
                seen.put_nowait(json.loads(line))


async def run(
    home: str, rooms: int, seconds: float, used: Callable[[], dict[str, float]]
) -> tuple[RoomFigures, dict[str, float]]:
    """Play in so many rooms for so long; return the figures and the CPU seconds after a warm-up."""
    found, before = RoomFigures([], []), dict[str, float]()
    all_rooms = [_Room(home, number, found) for number in range(rooms)]
    for room in all_rooms:
        await room.open()

    def begin() -> None:
        found.times.clear()
        before.update(used())

    asyncio.get_running_loop().call_later(WARM_UP, begin)
    until = time.monotonic() + WARM_UP + seconds
    await asyncio.gather(*(room.play(until) for room in all_rooms))
    spent = {name: seconds - before[name] for name, seconds in used().items()}
    for room in all_rooms:
        room.close()
    return found, spent


def main(rooms: int, seconds: float) -> None:
    with running(*COMMAND, "serve", "--port", "0") as process:
        assert process.stdout
        home = process.stdout.readline().decode().split()[0].rstrip("/")

        def used() -> dict[str, float]:
            return {
                "server": cpu_seconds(process.pid),
                "workers": sum(map(cpu_seconds, descendants(process.pid))),
                "clients": time.process_time(),
            }

        found, spent = asyncio.run(run(home, rooms, seconds, used))
        process.terminate()
        process.wait(PATIENCE)
    quantiles = ", ".join(
        f"{of:.0%} {part(of, found.times) * 1000:.0f} ms" for of in (0.5, 0.95, 0.99)
    )
    late = sum(took > 0.5 for took in found.times) / max(1, len(found.times))
    sys.stdout.write(f"{rooms} rooms, {seconds:g} s: {len(found.times)} moves, {quantiles}\n")
    sys.stdout.write(f"later than 0.5 s: {late:.1%}; failed: {len(found.failed)}\n")
    moves = max(1, len(found.times))
    shares = ", ".join(f"{who} {seconds / moves * 1000:.2f} ms" for who, seconds in spent.items())
    sys.stdout.write(f"processor time of a move: {shares}\n")
    for message in sorted(set(found.failed))[:5]:
        sys.stdout.write(f"  {message}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
