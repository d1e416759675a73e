"""Rooms of games with hidden information: responses depend on the view of the client alone.

Random games are played with many choices of the other players. Wherever a viewer knows the same in
two of them, all responses to this viewer must be the same bytes.
"""

import json
import os
import random
from collections.abc import Iterator
from itertools import chain
from typing import Any

import httpx
import pytest

import rulesengine
from rulesengine import Game
from rulesengine.server.web import analysis
from rulesengine.server.web.errors import RequestError
from rulesengine.server.web.game_cache import GameCache
from rulesengine.server.web.operations import Dispatcher
from rulesengine.server.web.rooms.room import Advance, PlayedMove, Room, observation
from tests.helpers.hidden_states import HIDDEN_NAMES, SMALLER
from tests.helpers.served import respond, serving
from tests.helpers.watched_rooms import opened, post, watching

GAMES, PLIES = 14, 9
QUICK = {"kuhn-poker", "liars-dice", "phantom-tic-tac-toe", "rock-paper-scissors"}
LONG = {"dark-chess", "german-whist", "mastermind"}
CASES = [
    pytest.param(
        name,
        marks=() if name in QUICK else pytest.mark.deep if name in LONG else pytest.mark.slow,
    )
    for name in HIDDEN_NAMES
]


class Play:
    """A game of a room in this process, with all its responses to a viewer."""

    def __init__(self, name: str, dispatcher: Dispatcher, viewer: str, seed: int) -> None:
        self.spec = {"spec": {"name": name}, "parameters": SMALLER.get(name, {})}
        self.dispatcher, self.viewer = dispatcher, viewer
        self.draw = random.Random(seed)
        start, players = self.advance("")
        self.room = Room(self.spec, players, "")
        self.room.begin(start)
        self.tokens = {player: f"token of {player}" for player in players}
        self.room.tokens = dict(self.tokens)

    @property
    def texts(self) -> list[str]:
        return [move.text for move in self.room.moves] if hasattr(self, "room") else []

    def request(self, operation: str, **more: Any) -> bytes:
        """Return the bytes of a response of a worker."""
        parts: list[bytes] = []
        body = json.dumps({**self.spec, "moves": self.texts, **more}).encode()
        self.dispatcher.dispatch(operation, body, lambda data, *_: parts.append(data))
        return parts[-1]

    def advance(self, move: str) -> tuple[Advance, tuple[str, ...]]:
        table = json.loads(self.request("advance", move=move, seed=self.draw.getrandbits(60)))
        played = tuple(PlayedMove(one["text"], one["player"]) for one in table["played"])
        step = Advance(played, table["mover"], table["outcome"], table["knowledge"])
        return step, tuple(table["players"])

    def responses(self) -> list[bytes]:
        """Return everything that the viewer can get: the observation, views, a refused move."""
        token = self.tokens.get(self.viewer, "")
        seen = [json.dumps(observation(self.room, token, 0)).encode()]
        seen += [self.request("view", viewer=self.viewer, theme=t) for t in ("light", "dark")]
        if self.room.mover == self.viewer:
            seen += [self.request("advance", move=text) for text in ("zz", "a1", "b2", "a1a2")]
        return [one for one in seen if b'"played"' not in one]

    def play_on(self, game: Game) -> None:
        """Make a move: one that depends on the knowledge of the viewer, or a random one."""
        state = game.initial_state()
        for text in self.texts:
            state = game.apply(state, game.move(text, state))
        is_own = self.room.mover == self.viewer
        draw = random.Random(self.room.knowledge[self.viewer]) if is_own else self.draw
        step, _ = self.advance(str(draw.choice(game.legal_moves(state))))
        self.room.advance(step, 0)


@pytest.mark.parametrize("name", CASES)
def test_responses_are_equal_where_a_viewer_knows_the_same(name: str) -> None:
    game = rulesengine.load(name, engine="interpreter", **SMALLER.get(name, {}))
    dispatcher = Dispatcher(GameCache())
    ambiguous = 0
    for viewer in (*game.players, ""):
        known: dict[str, tuple[list[bytes], set[tuple[str, ...]]]] = {}
        for seed in range(GAMES):
            play = Play(name, dispatcher, viewer, seed)
            for _ in range(PLIES):
                if play.room.is_over:
                    break
                responses = play.responses()
                assert all(b"Traceback" not in one for one in responses)
                first, lines = known.setdefault(play.room.knowledge[viewer], (responses, set()))
                assert responses == first, (viewer, play.texts, lines)
                lines.add(tuple(play.texts))
                play.play_on(game)
        ambiguous += sum(len(lines) > 1 for _, lines in known.values())
    assert ambiguous


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with serving() as found:
        yield found


served = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="workers are forked")]


@pytest.fixture
def poker(client: httpx.Client) -> tuple[str, dict[str, str], dict[str, str]]:
    """Return a room of a game of cards, and the seats of its two persons."""
    return opened(client, "first", spec={"name": "kuhn-poker"})


def table(client: httpx.Client, room: str, taken: dict[str, str], viewer: str) -> str:
    """Return the symbols on the cells of a view."""
    seen = post(client, f"/{room}/view", token=taken.get("token", ""), viewer=viewer)
    return "".join(cell["symbol"] for cell in seen["drawing"]["cells"])


class TestServed:
    """Requests to a running server."""

    pytestmark = served

    def test_each_seat_and_a_spectator_have_their_own_views(
        self, client: httpx.Client, poker: tuple[str, dict[str, str], dict[str, str]]
    ) -> None:
        room, first, second = poker
        views = [table(client, room, first, "first"), table(client, room, second, "second")]
        assert views[0][0] in "JQK"
        assert views[1][1] in "JQK"
        assert (views[0][1], views[1][0]) == ("?", "?")
        assert table(client, room, {}, "") == "??"
        for token, viewer in ((first["token"], "second"), ("", "first"), ("guess", "second")):
            refused = post(client, f"/{room}/view", 403, token=token, viewer=viewer)
            assert refused["kind"] == "seat"

    def test_moves_are_sent_at_the_end_alone(
        self, client: httpx.Client, poker: tuple[str, dict[str, str], dict[str, str]]
    ) -> None:
        room, first, second = poker
        for taken in (first, second):
            with watching(client, room, taken["token"]) as seen:
                before = next(seen)
            assert before["moves"] is None
            assert "version" not in before
            assert list(before["knowledge"]) == [taken["seat"]]
            key = before["knowledge"][taken["seat"]]
            sent = {"token": taken["token"], "move": "pass", "knowledge": key}
            assert post(client, f"/{room}/move", **sent) == {}
            assert post(client, f"/{room}/move", **sent) == {}  # sent again after a lost answer
        with watching(client, room) as seen:
            after = next(seen)
        assert len(after["moves"]) == 4
        assert after["moves"][2:] == ["pass", "pass"]
        assert post(client, f"/{room}/view", 409, token="", viewer="")["kind"] == "turn"
        shown = client.post("/api/position", json={**after["game"], "moves": after["moves"]})
        symbols = [cell["symbol"] for cell in shown.json()["drawing"]["cells"]]
        assert set(symbols) <= {"J", "Q", "K"}

    def test_a_move_needs_the_current_knowledge_and_undo_is_refused(
        self, client: httpx.Client, poker: tuple[str, dict[str, str], dict[str, str]]
    ) -> None:
        room, first, second = poker
        sent = {"token": first["token"], "move": "pass", "knowledge": "0" * 32}
        assert post(client, f"/{room}/move", 409, **sent)["kind"] == "turn"
        other = {"token": second["token"], "move": "pass", "knowledge": ""}
        assert post(client, f"/{room}/move", 409, **other)["kind"] == "turn"
        offer = {"token": first["token"], "kind": "undo"}
        assert "taken back" in post(client, f"/{room}/offer", 409, **offer)["message"]

    def test_a_guess_of_what_the_other_player_knows_is_not_confirmed(
        self, client: httpx.Client, poker: tuple[str, dict[str, str], dict[str, str]]
    ) -> None:
        room, first, second = poker
        for taken, text in ((first, "pass"), (second, "bet")):
            with watching(client, room, taken["token"]) as seen:
                key = next(seen)["knowledge"][taken["seat"]]
            post(client, f"/{room}/move", token=taken["token"], move=text, knowledge=key)
        cards = {"J": "jack", "Q": "queen", "K": "king"}
        own = cards[table(client, room, first, "first")[0]]
        game = rulesengine.load("kuhn-poker")
        for other in {*cards.values()} - {own}:  # the second player knew one of these
            state, moves = game.initial_state(), []
            for text in (own, other, "pass"):
                moves.append(game.move(text, state))
                state = game.apply(state, moves[-1])
            key = game.information_state(tuple(moves), "second").key.hex()
            sent = {"token": first["token"], "move": "bet", "knowledge": key}
            assert post(client, f"/{room}/move", 409, **sent)["kind"] == "turn"
        by_ply = {"token": first["token"], "move": "pass"}
        for ply in range(5):  # the place of an own move among those of others
            assert post(client, f"/{room}/move", 409, **by_ply, ply=ply)["kind"] == "turn"

    def test_a_computer_plays_and_persons_share_a_device(self, client: httpx.Client) -> None:
        game: dict[str, Any] = {"spec": {"name": "kuhn-poker"}}
        made = post(client, "", **game, seat="second", computers={"first": "search:level=1"})
        with watching(client, made["room"], made["token"]) as seen:
            while (now := next(seen))["mover"] == "first":
                pass
        assert (now["own"], now["computers"]) == (["second"], {"first": "search:level=1"})
        shared = post(client, "", **game, seat="first", shared=True)
        views = [table(client, shared["room"], shared, name) for name in ("first", "second")]
        assert (views[0][1], views[1][0]) == ("?", "?")
        for wrong in ({"first": "human"}, {"first": "cmd:true"}, {"nobody": "random"}):
            answer = client.post("/api/rooms", json={**game, "seat": "", "computers": wrong})
            assert answer.status_code in (400, 422)
        start = str(rulesengine.load("kuhn-poker").initial_state())
        assert "first position" in post(client, "", 422, **game, seat="", start=start)["message"]


def test_an_offer_ends_with_the_turn_and_not_with_a_move_that_is_not_noticed() -> None:
    room = Room({}, ("black", "white"), "")
    room.begin(Advance((), "black", None, {"black": "a", "white": "b", "": "c"}))
    room.take("black")
    room.take("white")
    room.propose("white", "draw")
    room.advance(Advance((PlayedMove("a1", "black"),), "black", None, room.knowledge), 0)
    assert room.offer is not None
    room.advance(Advance((PlayedMove("b1", "black"),), "white", None, room.knowledge), 0)
    assert room.offer is None


def test_a_substitute_plays_to_the_end_of_the_game() -> None:
    room = Room({}, ("black", "white"), "", {"white": "search:level=3"})
    _, token = room.take("black")
    room.begin(Advance((), "white", None))
    assert room.computer_to_move == "search:level=3"
    room.substitute("white", "random")
    assert room.computer_to_move == "random"
    assert observation(room, token, 0)["computers"] == {"white": "random"}
    room.begin(Advance((), "white", None))
    assert room.computer_to_move == "search:level=3"


def test_an_offer_without_another_person_is_refused_or_taken() -> None:
    room = Room({}, ("black", "white", "red"), "", {"red": "random"})
    room.begin(Advance((), "black", None))
    _, token = room.take("black")
    room.take_rest(token)
    assert room.is_full
    assert room.seats_of(token) == ("black", "white")
    with pytest.raises(RequestError, match="another person"):
        room.propose("black", "draw")
    room.resign("white", 0)
    room.propose("black", "rematch")
    assert room.is_agreed
    assert room.answer("black", True, 0) == "rematch"
    assert {*chain(room.tokens, room.computers)} == {"black", "white", "red"}
    assert room.computers == {"black": "random"}


@pytest.mark.slow
def test_a_search_that_takes_too_long_has_a_substitute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "_REPLAY_SECONDS", 0.2)
    moves = ["destroyer-a1-east", "destroyer-l1-east", "submarine-a2-east"]
    given: dict[str, Any] = {
        "spec": {"name": "battleship"},
        "moves": moves,
        "player": "search:level=8",
        "seed": 1,
    }
    status, (answer,) = respond("play", **given)
    assert (status, answer["substitute"], answer["value"]) == (200, "random", None)
    game = rulesengine.load("battleship", engine="interpreter")
    state = game.initial_state()
    for text in moves:
        state = game.apply(state, text)
    assert game.find(answer["move"], state) is not None
