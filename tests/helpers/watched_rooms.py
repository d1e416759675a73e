"""Requests about rooms to a running server."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx


def post(client: httpx.Client, path: str, status: int = 200, **given: Any) -> Any:
    """Return the response of a request, or its error."""
    answer = client.post(f"/api/rooms{path}", json=given)
    assert answer.status_code == status, answer.text
    return answer.json() if status == 200 else answer.json()["error"]


def opened(
    client: httpx.Client, seat: str, **game: Any
) -> tuple[str, dict[str, str], dict[str, str]]:
    """Return a room of two persons with the seats and tokens; the first one has the given seat."""
    made = post(client, "", seat=seat, **game)
    room: str = made["room"]
    return room, made, post(client, f"/{room}/seat")


@contextmanager
def watching(client: httpx.Client, room: str, token: str = "") -> Iterator[Iterator[Any]]:
    """Yield the observations of a room."""
    address = f"/api/rooms/{room}/watch"
    with client.stream("POST", address, json={"token": token}) as answer:
        assert answer.status_code == 200
        yield (json.loads(line) for line in answer.iter_lines() if line)
