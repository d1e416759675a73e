"""Rooms: seats, moves, offers that need consent, clocks, limits. Times are passed in by hand."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, cast

import pytest

from rulesengine.server.web.errors import RequestError
from rulesengine.server.web.game_cache import GameCache
from rulesengine.server.web.operations import Dispatcher
from rulesengine.server.web.rooms import routes
from rulesengine.server.web.rooms.lobby import Lobby, RoomLimits
from rulesengine.server.web.rooms.room import Advance, PlayedMove, Room, observation
from rulesengine.server.web.worker_handle import Frame
from rulesengine.server.web.worker_pool import Pool
from rulesengine.server.web.worker_request import WorkerRequest
from rulesengine.support.frozen import replace

BEGUN = Advance((), "black", None)


def room(pace: str = "") -> tuple[Room, str, str]:
    """Return a room with both seats taken, and their tokens."""
    found = Room({"spec": {"name": "othello"}}, ("black", "white"), pace)
    found.begin(BEGUN)
    return found, found.take("black")[1], found.take("")[1]


def step(text: str, player: str, mover: str, **more: Any) -> Advance:
    return replace(Advance((PlayedMove(text, player),), mover, None), **more)


def refused(kind: str) -> Any:
    """Expect a request error of a kind."""
    return pytest.raises(RequestError, check=lambda error: error.kind == kind)


def test_a_seat_is_held_by_its_token_alone() -> None:
    found, black, white = room()
    assert [found.player_of(token) for token in (black, white, "", "é\ud800")] == [
        "black",
        "white",
        None,
        None,
    ]
    assert black != white
    with refused("taken"):
        found.take("black")
    with refused("taken"):
        found.take("")
    with refused("request"):
        found.take("red")
    with refused("seat"):
        found.require_player("guess")


def test_moves_are_made_in_turn_and_once() -> None:
    found, _, _ = room()
    with refused("turn"):
        found.require_turn("white", 0)
    found.require_turn("black", 0)
    found.advance(step("d3", "black", "white"), 0)
    assert found.is_repeated("black", 0, "d3")
    assert not found.is_repeated("black", 0, "c4")
    with refused("turn"):
        found.require_turn("white", 0)
    found.require_turn("white", 1)


def test_a_game_begins_when_all_seats_are_taken() -> None:
    found = Room({}, ("black", "white"), "")
    found.begin(BEGUN)
    found.take("black")
    with refused("turn"):
        found.require_turn("black", 0)


def test_undo_needs_consent_and_goes_back_to_the_last_own_move() -> None:
    found, _, _ = room()
    found.advance(step("d3", "black", "white"), 0)
    with refused("turn"):
        found.propose("white", "undo")
    dice = (PlayedMove("c3", "white"), PlayedMove("6", None))
    found.advance(Advance(dice, "black", None), 0)
    found.propose("black", "undo")
    assert found.answer("black", True, 0) == ""
    assert len(found.moves) == 3
    assert found.answer("white", True, 0) == "undo"
    assert (found.moves, found.mover) == ([], "black")


def test_draw_is_agreed_or_declined() -> None:
    found, _, _ = room()
    found.propose("black", "draw")
    found.answer("white", False, 0)
    assert found.offer is None
    assert not found.is_over
    with refused("turn"):
        found.answer("white", True, 0)
    found.propose("white", "draw")
    found.answer("black", True, 0)
    assert found.settled == {"kind": "agreed"}


def test_an_offer_ends_with_the_next_move() -> None:
    found, _, _ = room()
    found.propose("white", "draw")
    found.advance(step("d3", "black", "white"), 0)
    assert found.offer is None


def test_rematch_exchanges_the_seats() -> None:
    found, black, white = room()
    with refused("turn"):
        found.propose("black", "rematch")
    found.resign("black", 0)
    with refused("turn"):
        found.resign("white", 0)
    found.propose("black", "rematch")
    assert found.answer("white", True, 0) == "rematch"
    found.begin(BEGUN)
    assert (found.player_of(black), found.player_of(white)) == ("white", "black")
    assert (found.moves, found.settled, found.number) == ([], None, 2)


def test_clocks_run_after_the_first_move_and_a_lapsed_one_loses() -> None:
    found, _, _ = room("1+2")
    assert observation(found, "", 50)["clock"] == {
        "left": {"black": 60, "white": 60},
        "running": None,
    }
    found.advance(step("d3", "black", "white"), 100)
    found.advance(step("c3", "white", "black"), 110)
    clock = observation(found, "", 125)["clock"]
    assert clock == {"left": {"black": 45, "white": 52}, "running": "black"}
    assert not found.flag(169)
    assert found.flag(170)
    assert found.settled == {"kind": "time", "player": "black"}
    with refused("request"):
        Room({}, ("black", "white"), "fast").begin(BEGUN)


def test_observation_has_no_token_and_tells_each_client_its_seat() -> None:
    found, black, white = room()
    found.add_connection(white)
    seen = observation(found, white, 0)
    assert seen["you"] == "white"
    assert seen["seats"] == {
        "black": {"taken": True, "present": False},
        "white": {"taken": True, "present": True},
    }
    assert black not in str(seen)
    assert white not in str(seen)


class Time:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_rooms_are_limited_in_number_and_by_client() -> None:
    lobby = Lobby(RoomLimits(rooms=3, of_client=2), Time())
    for client in ("a", "a", "b"):
        lobby.open(Room({}, (), ""), client)
    with refused("busy"):
        lobby.open(Room({}, (), ""), "c")
    lobby = Lobby(RoomLimits(rooms=3, of_client=2), Time())
    for client in ("a", "a", "b"):
        lobby.open(Room({}, (), ""), client)
    lobby = Lobby(RoomLimits(rooms=9, of_client=1), Time())
    lobby.open(Room({}, (), ""), "a")
    with refused("busy"):
        lobby.open(Room({}, (), ""), "a")


def test_rooms_without_actions_or_connections_are_closed() -> None:
    time = Time()
    lobby = Lobby(RoomLimits(idle=100, empty=10), time)
    idle, empty = (lobby.open(Room({}, (), ""), "") for _ in range(2))
    lobby.find(idle).watchers = 1
    time.now = 10
    lobby.sweep()
    assert len(lobby) == 2
    time.now = 11
    lobby.sweep()
    with refused("unknown"):
        lobby.find(empty)
    watched = lobby.find(idle)
    time.now = 101
    lobby.sweep()
    assert watched.is_closed
    assert len(lobby) == 0


def test_actions_of_a_room_are_limited_by_a_rate() -> None:
    time = Time()
    lobby = Lobby(RoomLimits(rate=1, burst=2), time)
    found = lobby.find(lobby.open(Room({}, (), ""), ""))
    found.charge(0)
    found.charge(0)
    with refused("busy"):
        found.charge(0.5)
    found.charge(1.5)
    with refused("busy"):
        found.charge(1.5)


def test_actions_of_others_in_a_room_are_not_counted() -> None:
    time = Time()
    lobby = Lobby(RoomLimits(rate=1, burst=2), time)
    found = lobby.find(lobby.open(Room({}, (), ""), ""))
    for token in ("", "black", "white"):
        found.charge(0, token)
        found.charge(0, token)
        with refused("busy"):
            found.charge(0, token)


class BusyPool:
    """A pool that refuses the first requests for moves of computers, then answers in-process."""

    def __init__(self, refusals: int) -> None:
        self.refusals, self.dispatcher = refusals, Dispatcher(GameCache())
        self.long: list[bool] = []

    async def send(self, request: WorkerRequest) -> AsyncIterator[Frame]:
        if request.name == "play":
            self.long.append(request.is_long)
            if len(self.long) <= self.refusals:
                raise RequestError("busy", "too many long requests: try again later")
        frames = list[Frame]()
        self.dispatcher.dispatch(
            request.name, request.body, lambda *one: frames.append(Frame(*one))
        )
        yield frames[-1]


def test_a_computer_waits_while_the_workers_are_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "_PAUSE", 0.0)
    pool, game = BusyPool(12), {"spec": {"name": "tic-tac-toe"}}
    found = Room(game, ("cross", "nought"), "", {"cross": "random"})
    found.begin(Advance((), "cross", None))
    found.take("nought")
    lobby = Lobby()
    open_room = lobby.find(lobby.open(found, ""))
    requests = routes.RoomRequests(lobby, cast(Pool, pool))
    asyncio.run(requests._let_computers_move(open_room))
    assert [move.player for move in found.moves] == ["cross"]
    assert pool.long == [False] + [True] * 12


def test_connections_are_limited_by_room_and_in_total() -> None:
    lobby = Lobby(RoomLimits(watchers=1, connections=3), Time())
    first, second, third = (lobby.find(lobby.open(Room({}, (), ""), "")) for _ in range(3))
    lobby.require_connection(first)
    first.room.add_connection("")
    first.watchers = 1
    with refused("busy"):
        lobby.require_connection(first)
    second.watchers = 2
    with refused("busy"):
        lobby.require_connection(third)


def test_spectators_keep_out_no_player() -> None:
    found, black, white = room()
    lobby = Lobby(RoomLimits(watchers=1), Time())
    opened = lobby.find(lobby.open(found, ""))
    for token in ("", black, white):
        lobby.require_connection(opened, token)
        found.add_connection(token)
        opened.watchers += 1
        with refused("busy"):
            lobby.require_connection(opened, token)
