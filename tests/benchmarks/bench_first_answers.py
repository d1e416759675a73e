"""The first answers of the page after a new installation: servers with an empty cache.

Usage: `python -m tests.benchmarks.bench_first_answers answers|analysis [GAME...]`. Figures are
wall-clock seconds between a request and its answer, so the machine should be idle.
"""

import http.client
import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

from rulesengine.support.resources import bundled_names
from tests.helpers.browser import served

LEVEL = "search:level=2"
ANSWERS = 4  # moves of the computer against itself
SECONDS = 6.0  # of an analysis
WITHIN = 3.0  # the time in which an analysis should become fast
ANALYSED = ("chess", "xiangqi", "othello", "go", "hex-pie", "international-draughts", "y")


@contextmanager
def cached(folder: str) -> Iterator["Client"]:
    """Yield a client of a new server with this cache."""
    with served(env={"RULESENGINE_CACHE": folder}) as address:
        yield Client(address)


class Client:
    """Requests to one server over one connection."""

    def __init__(self, address: str) -> None:
        self._connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=120)

    def lines(self, operation: str, **fields: object) -> Iterator[tuple[float, dict[str, Any]]]:
        """Yield the lines of an answer, each with the seconds since the request."""
        since = perf_counter()
        self._connection.request(
            "POST", f"/api/{operation}", json.dumps(fields), {"Content-Type": "application/json"}
        )
        answer = self._connection.getresponse()
        while line := answer.readline():
            assert answer.status == 200, line
            yield perf_counter() - since, json.loads(line)
        answer.read()  # the connection is free after the end of the body

    def answer(self, operation: str, **fields: object) -> tuple[float, dict[str, Any]]:
        """Return the only line of an answer."""
        ((seconds, found),) = self.lines(operation, **fields)
        return seconds, found


def answers(client: Client, name: str) -> tuple[list[str], list[float]]:
    """Return the first moves of the computer in both seats, and the seconds of those it chose."""
    moves: list[str] = []
    times: list[float] = []
    while len(times) < ANSWERS:
        fields = {"spec": {"name": name}, "moves": moves}
        _, shown = client.answer("position", **fields)
        if shown["outcome"] is not None:
            break
        seconds, found = client.answer("play", player=LEVEL, seed=1, **fields)
        if not shown["chance"] and len(shown["legal"]) > 1:
            times.append(seconds)
        moves.append(found["move"])
    return moves, times


def analysis(client: Client, name: str) -> list[tuple[float, int]]:
    """Return the seconds and nodes of each line of an analysis after the position is shown."""
    fields = {"spec": {"name": name}, "moves": []}
    client.answer("position", **fields)
    lines = client.lines("search", seconds=SECONDS, **fields)
    return [(seconds, int(found["nodes"])) for seconds, found in lines]


def rate(lines: list[tuple[float, int]], since: float, until: float) -> float:
    """Return the nodes a second between two times, interpolated between lines."""
    return (_nodes(lines, until) - _nodes(lines, since)) / (until - since)


def _nodes(lines: list[tuple[float, int]], time: float) -> float:
    known = [(0.0, 0), *lines]
    for (one, before), (other, after) in pairwise(known):
        if one <= time <= other:
            return before + (after - before) * (time - one) / (other - one or 1)
    return known[-1][1]


def print_answers(names: list[str]) -> None:
    """Print the seconds of the first answers of each game."""
    print("| game | first | second | third | fourth | first, cached |")
    print("|---|---|---|---|---|---|")
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            with cached(folder) as client:
                _, cold = answers(client, name)
            with cached(folder) as client:
                _, warm = answers(client, name)
        figures = " | ".join(f"{seconds:.2f}" for seconds in [*cold, *warm[:1]])
        print(f"| {name} | {figures} |", flush=True)


def print_analysis(names: list[str]) -> None:
    """Print the rates of analyses with an empty cache, relative to those with a full one."""
    print("| game | nodes in 3 s, empty | full | rate at 3 s, empty | full | ratio of rates |")
    print("|---|---|---|---|---|---|")
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            with cached(folder) as client:
                cold = analysis(client, name)
                analysis(client, name)  # the compilers end meanwhile
            with cached(folder) as client:
                warm = analysis(client, name)
        totals = [_nodes(cold, WITHIN), _nodes(warm, WITHIN)]
        rates = [rate(lines, WITHIN - 0.5, WITHIN + 0.5) for lines in (cold, warm)]
        figures = " | ".join(f"{n:,.0f}" for n in [*totals, *rates])
        print(f"| {name} | {figures} | {rates[0] / (rates[1] or 1):.2f} |", flush=True)


def main() -> None:
    """Print the chosen table."""
    kind, *names = sys.argv[1:]
    if kind == "answers":
        print_answers(names or list(bundled_names()))
    else:
        print_analysis(names or list(ANALYSED))


if __name__ == "__main__":
    main()
