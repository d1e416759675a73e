"""After a swap, text, JSON, the page and searches name the same player to move."""

import io

import pytest

from rulesengine import Game, State
from rulesengine.loading import load_source
from rulesengine.script import run
from rulesengine.support.source import Source
from tests.server.test_serving import found

PIE = """
spec: 1
name: Pie
board: {rows: 1, columns: 3}
players: [white, black]
pieces: {stone: {white: w, black: b}, empty: "."}
rules:
  moves:
    - {place: stone, to: empty}
    - swap: true
      when: plies = 1
  end: {when: none(empty), result: white wins}
"""


@pytest.fixture(scope="module")
def game() -> Game:
    return load_source(Source("pie.yaml", PIE))


def swapped(game: Game) -> State:
    state = game.apply(game.initial_state(), "a1")
    return game.apply(state, "swap")


def test_text_names_the_player_to_move_as_the_state_does(game: Game) -> None:
    # White places a white stone. Black takes over the white side, and the black side is to move:
    # that is White now.
    state = swapped(game)
    assert state.mover == "white"
    assert state.player(0) == "black"
    assert str(state).splitlines() == ["w..", "mover: white", "seats: black white", "plies: 2"]


def test_text_after_a_swap_is_read_again_in_any_order(game: Game) -> None:
    state = swapped(game)
    board, mover, seats, plies = str(state).splitlines()
    for lines in ((board, mover, seats, plies), (board, seats, plies, mover)):
        again = game.state_from("\n".join(lines))
        assert again == state
        assert again.mover == "white"
    after = game.apply(state, "b1")
    assert str(after).splitlines()[:2] == ["wb.", "mover: black"]
    assert game.state_from(str(after)) == after


def test_the_page_names_the_same_player(game: Game) -> None:
    shown = found("position", spec={"text": PIE}, moves=["a1", "swap"])
    assert shown["mover"] == "white"
    assert "mover: white" in shown["text"].splitlines()
    assert "white to move" in shown["drawing"]["svg"]
    over = found("position", spec={"text": PIE}, moves=["a1", "swap", "b1", "c1"])
    assert [move["player"] for move in over["moves"]] == ["white", "black", "white", "black"]
    assert over["outcome"]["winner"] == "black"


def test_words_of_a_script_name_the_side_and_not_the_player() -> None:
    script = 'repeat until over\n  read word w\n  play move w\n  print "{mover}"\nprint "{winner}"'
    text = PIE + "io: |\n" + "".join(f"  {line}\n" for line in script.splitlines())
    printed = io.BytesIO()
    run(load_source(Source("pie.yaml", text)), io.BytesIO(b"a1 swap b1 c1"), printed)
    # The white side moved last and wins, which Black plays.
    assert printed.getvalue().split() == [b"black", b"black", b"white", b"black", b"white"]
