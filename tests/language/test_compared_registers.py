"""Positions are equal only if the registers named by `compared` are."""

import random

import pytest

from rulesengine.game import Game
from rulesengine.loading import load_source
from rulesengine.support.source import Source

# Each piece moves to and fro; after it passes the right corner its player has lost a right for
# good.
SPEC = """
spec: 1
name: To and fro
board: {{rows: 2, columns: 4}}
players: [white, black]
pieces: {{king: {{white: w, black: b}}, empty: "."}}
registers:
  right: {{type: flag, start: true, each: player{compared}}}
  far: {{type: cells{compared}}}
start: ["put king of white on a1", "put king of black on a2"]
rules:
  moves:
    move: own
    to: shift(from, [east, west]) and empty
    do:
      - if to in right then set right to false
      - if to in right then set far to right
  end:
    - {{when: position_repeats >= 2, result: draw, reason: the third time}}
    - {{when: plies > 40, result: draw, reason: enough}}
"""
ENGINES = ["interpreter", "python", "native"]


def walking(engine: str, compared: bool) -> Game:
    if engine == "native":
        pytest.importorskip("llvmlite")
    text = SPEC.format(compared=", compared: true" if compared else "")
    # A register and a region cannot share their name.
    text = text.replace("in right then", "in columns(4) then").replace("far to right", "far to to")
    return load_source(Source("walking.yaml", text), engine=engine)


def moves_until_the_end(game: Game, moves: str) -> int:
    """Return the number of moves that are played before the game is over."""
    state = game.initial_state()
    for number, word in enumerate(moves.split()):
        if game.outcome(state):
            return number
        state = game.apply(state, game.move(word, state))
        assert game.state_from(str(state)) == state
    return len(moves.split())


# White goes to the corner and back; black steps to and fro twice as often as needed.
CORNER = "a1-b1 a2-b2 b1-c1 b2-a2 c1-d1 a2-b2 d1-c1 b2-a2 c1-b1 a2-b2 b1-a1 b2-a2"
WAIT = "a1-b1 a2-b2 b1-a1 b2-a2"


@pytest.mark.usefixtures("in_haste")
@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_a_lost_right_makes_another_position(engine: str) -> None:
    # White on b1, black on a2, black to move: after 1, 9, 13 and 17 moves. White has lost the
    # right with the fifth.
    moves = f"{CORNER} {WAIT} {WAIT} {WAIT}"
    assert moves_until_the_end(walking(engine, compared=False), moves) == 13
    assert moves_until_the_end(walking(engine, compared=True), moves) == 17


@pytest.mark.usefixtures("in_haste")
@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES[1:])
def test_games_agree_with_the_interpreter_ply_by_ply(engine: str) -> None:
    game, defined = walking(engine, compared=True), walking("interpreter", compared=True)
    for seed in range(12):
        draw, state, same = random.Random(seed), game.initial_state(), defined.initial_state()
        while moves := game.legal_moves(state):
            assert [str(m) for m in moves] == [str(m) for m in defined.legal_moves(same)]
            move = draw.choice(moves)
            state, same = (
                game.apply(state, move),
                defined.apply(same, defined.move(str(move), same)),
            )
            assert str(state) == str(same)
            assert game.outcome(game.state_from(str(state))) == defined.outcome(same)
        assert game.outcome(state) == defined.outcome(same)
    assert game.perft(9) == defined.perft(9)
    assert game.playouts(20, seed=1) == defined.playouts(20, seed=1)


def test_state_text_includes_compared_registers() -> None:
    game = walking("interpreter", compared=True)
    state = game.initial_state()
    for word in "a1-b1 a2-b2".split():
        state = game.apply(state, game.move(word, state))
    # planes of white, black and neutral (a1 is bit 0, a2 bit 4), the rights of both, the far cells
    assert [line for line in str(state).splitlines() if line.startswith("before")] == [
        "before: 1,10,0,1,1,0 white",
        "before: 2,10,0,1,1,0 black",
    ]
