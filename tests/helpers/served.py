"""A server for tests: the application with its processes, and its requests."""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import httpx

from rulesengine.server.web.game_cache import GameCache
from rulesengine.server.web.http_server import HttpServer
from rulesengine.server.web.operations import Dispatcher
from rulesengine.server.web.static_files import StaticFiles
from rulesengine.server.web.worker_pool import Limits
from tests.helpers.processes import PATIENCE

ROW = """\
spec: 1
name: Row
board: {rows: 3, columns: 3}
players: [one, two]
pieces: {stone: {one: x, two: o}, empty: "."}
rules:
  moves:
    place: stone
    to: empty
  end:
    - when: any(line(own, at least 3))
      result: player wins
      reason: three in a row
    - when: none(empty)
      result: draw
      reason: the board is full
tests:
  - moves: a1 b1 a2 b2 a3
    outcome: one wins
"""

TILES = """\
spec: 1
name: Tiles
board: {rows: 3, columns: 3}
players: [one, two]
pieces: {stone: {one: x, two: o, tile: "#. ##"}, empty: "."}
rules:
  moves: [{place: stone, cover: stone, to: empty}, {place: stone, to: empty}]
  end: {when: none(empty), result: draw}
"""
# Minutes for a move: each of 625 cells evaluates a sum over a row for every cell.
ENDLESS = """\
spec: 1
name: Endless
board: {rows: 25, columns: 25}
players: [one, two]
pieces: {stone: {one: x, two: o}, empty: "."}
rules:
  moves:
    place: stone
    to: empty where sum(x in all, sum(y in rows(1), row(x) * column(y) + row(it))) > 0
  end:
    - when: none(empty)
      result: draw
      reason: full
"""


def respond(
    operation: str, dispatcher: Dispatcher | None = None, **given: Any
) -> tuple[int, list[Any]]:
    """Return the status and the lines of an answer, computed in this process."""
    lines: list[tuple[bytes, int]] = []
    dispatcher = dispatcher or Dispatcher(GameCache())
    dispatcher.dispatch(operation, json.dumps(given).encode(), lambda d, s, e: lines.append((d, s)))
    return lines[-1][1], [json.loads(data) for data, _ in lines if data]


@contextmanager
def serving(
    *, host: str = "127.0.0.1", limits: Limits | None = None, assets: Path | None = None
) -> Iterator[httpx.Client]:
    """Yield a client of a server in a thread of this process."""
    pages = StaticFiles(assets) if assets else None
    server = HttpServer(host, limits, pages)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            until = time.monotonic() + PATIENCE
            while not server.started and thread.is_alive() and time.monotonic() < until:
                time.sleep(0.01)
            home = f"http://127.0.0.1:{listening.getsockname()[1]}"
            with httpx.Client(base_url=home, timeout=PATIENCE) as client:
                yield client
        finally:
            server.should_exit = True
            thread.join()


def descendants(number: int) -> list[int]:
    """Return the descendants of a process."""
    found = children(number)
    return found + [below for child in found for below in descendants(child)]


def children(number: int) -> list[int]:
    """Return the children of a process."""
    found = list[int]()
    with suppress(OSError):  # it has ended
        for thread in Path(f"/proc/{number}/task").glob("*/children"):
            with suppress(OSError):  # this thread has ended
                found += map(int, thread.read_text().split())
    return found
