"""Observations and information states, on a small board whose pieces are partly hidden."""

import copy
import pickle

import pytest

import rulesengine
from rulesengine import Game, UsageError

# Two players place stones on four cells. A player sees the own stones, and a try on a stone that
# was hidden shows it. `secret` is seen by its player alone, `count` by nobody.
SPEC = """
spec: 1
name: Hidden stones
board: {rows: 1, columns: 4}
players: [left, right]
pieces: {stone: {left: x, right: o}, empty: "."}
registers:
  met: {type: cells, each: player, seen: own}
  secret: {type: number, each: player, from: 0, to: 9, seen: own}
  count: {type: number, from: 0, to: 9, seen: nobody}
  said: {type: number, from: 0, to: 9}
rules:
  sees: {cells: own or met, owners: d1}
  moves:
    - select: unknown
      do:
        - if to in enemy then set met to met or to else put stone on to
        - add 1 to count
    - pass: true
      choice: [1, 2]
      when: secret = 0
      do: set secret to choice
      written: hide
    - pass: true
      when: said = 0
      do: set said to 3
      written: say
      told: all
  turn: if any(placed) or plies > 3 then next(player) else player
  end: {when: plies = 6, result: draw, reason: six moves}
"""


@pytest.fixture(scope="module")
def game() -> Game:
    return rulesengine.loads(SPEC, engine="interpreter")


def test_a_player_sees_the_own_pieces_and_registers(game: Game) -> None:
    session = game.start()
    session.push("a1")
    left, right, all_see = (game.observation(session.state, p) for p in ("left", "right", None))
    assert str(left) == ("x??.\nmover: right\nmet of left: none\nsecret of left: 0\nsaid: 0")
    assert str(right) == "???.\nmover: right\nmet of right: none\nsecret of right: 0\nsaid: 0"
    assert str(all_see) == "???.\nmover: right\nsaid: 0"
    assert (left.cells, left.known) == (0b0001, 0b1001)
    assert left.planes[0] == 0b0001
    assert right.planes == (0, 0, 0)


def test_the_owner_of_a_piece_is_seen_without_its_kind(game: Game) -> None:
    state = game.state_from("...x\nmover: right")
    observation = game.observation(state, "right")
    assert str(observation).splitlines()[:2] == ["????", "pieces of left: d1"]
    assert observation.owners == (0b1000, 0, 0)


def test_a_try_shows_what_was_hidden_to_the_player_who_tries_alone(game: Game) -> None:
    session = game.start()
    session.push("a1")
    before = session.information_state("left")
    session.push("a1")
    assert session.mover == "right"
    assert game.observation(session.state, "right").rows == ("x??.",)
    assert session.information_state("left") == before
    assert session.information_state("right").events[-2] == "move a1"


def test_moves_with_one_text_are_distinguished_by_their_player(game: Game) -> None:
    state = game.initial_state()
    one, two = (move for move in game.legal_moves(state) if str(move) == "hide")
    info = game.information_state((), "left")
    after = [info.after(state, move, game.apply(state, move)) for move in (one, two)]
    assert after[0].events[1:2] == after[1].events[1:2] == ("move hide",)
    assert after[0].key != after[1].key
    other = game.information_state((), "right")
    assert other.after(state, one, game.apply(state, one)) is other


def test_a_public_move_is_an_event_of_all_players(game: Game) -> None:
    for player in ("right", None):
        info = game.information_state(["say"], player)
        assert info.events[1] == "told left: say"
    assert game.information_state(["say"], "left").events[1] == "move say"


def test_keys_are_equal_in_every_process_and_differ_between_players(game: Game) -> None:
    info = game.information_state(["a1", "b1"], "left")
    again = rulesengine.loads(SPEC, engine="interpreter").information_state(["a1", "b1"], "left")
    assert len(info.key) == 16
    assert info == again
    assert hash(info) == hash(again)
    start = {game.information_state((), player).key for player in (*game.players, None)}
    assert len(start) == 3


def test_a_change_of_hidden_parts_changes_no_byte_of_an_observation(game: Game) -> None:
    one = game.state_from("x..o\nmover: left\nsecret of right: 4\ncount: 2\nmet of right: a1")
    two = game.state_from("xo.o\nmover: left\nsecret of right: 7\ncount: 5")
    assert str(game.observation(one, "left")) == str(game.observation(two, "left"))
    assert str(game.observation(one, "right")) != str(game.observation(two, "right"))


def test_legal_moves_depend_on_what_the_player_sees(game: Game) -> None:
    one = game.state_from("x...\nmover: left")
    two = game.state_from("xoo.\nmover: left")
    assert [*map(str, game.legal_moves(one))] == [*map(str, game.legal_moves(two))]
    assert [*map(str, game.legal_moves(one))] == ["b1", "c1", "hide", "hide", "say"]


def test_a_reason_against_a_move_names_no_clause(game: Game) -> None:
    state = game.state_from("xo..\nmover: left")
    assert game.why_not("a1", state) == "`a1` is not legal for left"


def test_the_result_is_seen_by_all(game: Game) -> None:
    state = game.state_from("x...\nmover: left\nplies: 6")
    for player in (*game.players, None):
        lines = str(game.observation(state, player)).splitlines()
        assert lines[-2:] == ["over: no winner, six moves", "payoffs: left 0, right 0"]
        assert game.observation(state, player).mover == ""


def test_a_game_hides_nothing_without_the_words(game: Game) -> None:
    assert game.is_hidden
    plain = rulesengine.load("tic-tac-toe", engine="interpreter")
    assert not plain.is_hidden
    state = plain.apply(plain.initial_state(), "b2")
    assert str(plain.observation(state, "nought")) == str(state)


def test_a_player_who_does_not_exist_is_wrong_use(game: Game) -> None:
    with pytest.raises(UsageError, match="no player `north`: there is left, right"):
        game.observation(game.initial_state(), "north")
    with pytest.raises(UsageError, match="no player `north`"):
        game.information_state((), "north")


def test_copies_and_pickles_of_an_information_state_continue_it(game: Game) -> None:
    session = game.start()
    for text in ("a1", "say", "b1"):
        session.push(text)
    info = session.information_state("left")
    before, move = session.state, session.legal_moves[0]
    expected = info.after(before, move, game.apply(before, move))
    assert expected != info
    for again in (copy.deepcopy(info), pickle.loads(pickle.dumps(info))):
        assert (again, again.events, again.line) == (info, info.events, info.line)
        assert again.after(before, move, game.apply(before, move)) == expected
