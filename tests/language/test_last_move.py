"""The record of the last move as ends read it: part of the state from then on."""

import pytest

from rulesengine.game import Game
from rulesengine.loading import load_source
from rulesengine.support.source import Source

SPEC = """
spec: 1
name: Taking two at once wins
board: {rows: 3, columns: 4}
players: [left, right]
pieces: {stone: {left: x, right: o}, empty: "."}
rules:
  moves:
    place: stone
    to: empty
    do: remove enemy between to and own
  end:
    - {when: count(captured) >= 2, result: player wins, reason: two at once}
    - {when: any(placed and corners) and plies > 4, result: draw, reason: a corner}
    - {when: none(empty), result: draw}
"""


@pytest.fixture(params=["interpreter", "python", "native"])
def game(request: pytest.FixtureRequest) -> Game:
    if request.param == "native":
        pytest.importorskip("llvmlite")
    return load_source(Source("taking.yaml", SPEC), engine=request.param)


def played(game: Game, moves: str) -> list[str]:
    """Return the state after each of some moves."""
    state, found = game.initial_state(), []
    for word in moves.split():
        assert game.outcome(state) is None
        state = game.apply(state, game.move(word, state))
        found.append(str(state))
    return found


@pytest.mark.slow
def test_state_includes_the_records_that_ends_read(game: Game) -> None:
    # x a1, o b1, x b3, o c1, x d1 takes b1 and c1
    states = played(game, "a1 b1 b3 c1 d1")
    assert [s.splitlines()[4:] for s in states] == [
        ["last placed: a1", "plies: 1"],
        ["last placed: b1", "plies: 2"],
        ["last placed: b3", "plies: 3"],
        ["last placed: c1", "plies: 4"],
        ["last captured: b1 c1", "last placed: d1", "plies: 5"],
    ]
    state = game.state_from(states[-1])
    assert str(state) == states[-1]
    outcome = game.outcome(state)
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == ("left", "two at once")


def test_an_end_forgets_all_but_the_last_move(game: Game) -> None:
    # one is captured at a time: no end applies, and the next move captures no piece
    states = played(game, "a1 b1 c1 b2 c2 a2")
    assert "last captured: b1" in states[2]
    assert "last captured" not in states[3]
    assert "last captured" not in states[4]
    # o a2 is no corner
    assert game.outcome(game.state_from(states[-1])) is None
    corner = game.state_from(states[-1])
    after = game.outcome(game.apply(corner, game.move("d3", corner)))
    assert after is not None
    assert after.reason == "a corner"


def test_a_position_without_it_has_no_last_move(game: Game) -> None:
    state = game.state_from("x..x\n....\n....\nmover: right")
    assert game.outcome(state) is None


@pytest.mark.slow
def test_random_games_agree_with_the_interpreter(game: Game) -> None:
    defined = load_source(Source("taking.yaml", SPEC), engine="interpreter")
    assert game.playouts(30, seed=4) == defined.playouts(30, seed=4)
    assert game.perft(3) == defined.perft(3)
