"""Rooms of a running server: two clients play, others watch, connections are lost and found."""

import os
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.helpers.served import ROW, serving
from tests.helpers.watched_rooms import post, watching

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="workers are forked"),
]

GAME = {"spec": {"name": "tic-tac-toe"}}


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with serving() as found:
        yield found


class Player:
    """A client with a seat."""

    def __init__(self, client: httpx.Client, room: str, taken: dict[str, str]) -> None:
        self.client, self.room = client, room
        self.name, self.token = taken["seat"], taken["token"]

    def act(self, action: str, status: int = 200, **given: Any) -> Any:
        return post(self.client, f"/{self.room}/{action}", status, token=self.token, **given)

    def move(self, ply: int, move: str, status: int = 200) -> Any:
        return self.act("move", status, ply=ply, move=move)


def opened(client: httpx.Client, seat: str = "cross", **game: Any) -> tuple[str, Player, Player]:
    """Return a room with two players; the first one has the given seat."""
    made = post(client, "", seat=seat, **{**GAME, **game})
    room: str = made["room"]
    return room, Player(client, room, made), Player(client, room, post(client, f"/{room}/seat"))


def test_two_clients_play_and_a_spectator_watches(client: httpx.Client) -> None:
    room, cross, nought = opened(client)
    with watching(client, room) as seen:
        begun = next(seen)
        assert (begun["you"], begun["moves"], begun["mover"]) == (None, [], "cross")
        assert begun["game"] == GAME
        for ply, move in enumerate("a1 b1 a2 b2 a3".split()):
            (cross, nought)[ply % 2].move(ply, move)
            assert next(seen)["moves"][-1] == move
    with watching(client, room, nought.token) as seen:
        ended = next(seen)
    assert ended["you"] == "nought"
    assert ended["outcome"] == {"winner": "cross", "reason": "a line"}


def test_illegal_moves_wrong_turns_and_strangers_are_refused(client: httpx.Client) -> None:
    room, cross, nought = opened(client)
    assert nought.move(0, "a1", 409)["kind"] == "turn"
    assert cross.move(0, "d9", 422)["kind"] == "game"
    cross.move(0, "a1")
    cross.move(0, "a1")  # sent again after a lost answer
    assert cross.move(0, "b1", 409)["kind"] == "turn"
    stranger = {"token": "guess", "ply": 1, "move": "b1"}
    assert post(client, f"/{room}/move", 403, **stranger)["kind"] == "seat"
    assert post(client, f"/{room}/seat", 409)["kind"] == "taken"
    assert post(client, "/nowhere/seat", 404)["kind"] == "unknown"
    assert post(client, f"/{room}/cheat", 404, token=cross.token)["kind"] == "unknown"


def test_requests_of_strangers_hold_up_no_player(client: httpx.Client) -> None:
    room, cross, _ = opened(client)
    answers = [client.post(f"/api/rooms/{room}/seat", json={}) for _ in range(40)]
    assert {answer.status_code for answer in answers} == {409, 503}
    cross.move(0, "a1")


def test_dice_are_thrown_by_the_server(client: httpx.Client) -> None:
    room, first, second = opened(client, "white", spec={"name": "backgammon"})
    with watching(client, room) as seen:
        begun = next(seen)
    assert len(begun["moves"]) == 1
    assert begun["mover"] in ("white", "black")
    assert {first.name, second.name} == {"white", "black"}


def test_undo_draw_and_rematch_need_consent(client: httpx.Client) -> None:
    room, cross, nought = opened(client)
    cross.move(0, "a1")
    cross.act("offer", kind="undo")
    nought.act("answer", accepts=True)
    cross.move(0, "b2")
    nought.act("offer", kind="draw")
    cross.act("answer", accepts=True)
    nought.act("offer", kind="rematch")
    cross.act("answer", accepts=True)
    with watching(client, room, cross.token) as seen:
        begun = next(seen)
    assert (begun["you"], begun["moves"], begun["number"]) == ("nought", [], 2)
    nought.move(0, "c3")


def test_same_offer_of_both_players_is_an_agreement(client: httpx.Client) -> None:
    room, cross, nought = opened(client)
    cross.act("offer", kind="draw")
    nought.act("offer", kind="draw")
    with watching(client, room) as seen:
        assert next(seen)["settled"] == {"kind": "agreed"}


def test_a_spec_of_a_client_is_played_and_one_with_mistakes_refused(client: httpx.Client) -> None:
    room, one, _ = opened(client, "one", spec={"text": ROW})
    one.move(0, "a1")
    with watching(client, room) as seen:
        assert next(seen)["moves"] == ["a1"]
    broken = {"spec": {"text": ROW.replace("to: empty", "to: emty")}}
    assert post(client, "", 422, **broken)["kind"] == "spec"
    long = {"spec": {"text": ROW + "#" * 70_000}}
    assert post(client, "", 413, **long)["kind"] == "size"


def test_presence_follows_connections(client: httpx.Client) -> None:
    room, cross, nought = opened(client)
    with watching(client, room, cross.token) as seen:
        assert next(seen)["seats"]["nought"]["present"] is False
        with watching(client, room, nought.token) as other:
            next(other)
            while not next(seen)["seats"]["nought"]["present"]:
                pass
        while next(seen)["seats"]["nought"]["present"]:
            pass


def test_a_server_with_a_watched_room_ends() -> None:
    with serving() as client:
        room, _, _ = opened(client)
        with watching(client, room) as seen:
            next(seen)
