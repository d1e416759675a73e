"""Moves of several steps, generated step by step in kernels: those of the list, in its order."""

from dataclasses import replace

import pytest

import rulesengine
from rulesengine import Game, State
from rulesengine.engine.drivers.random import Generator
from rulesengine.engine.moves import Branches
from rulesengine.loading import load_source
from rulesengine.support.source import Source

pytest.importorskip("llvmlite")
pytestmark = pytest.mark.usefixtures("in_haste")

SPEC = """
spec: 1
name: Shots
board: {{rows: 4, columns: 4}}
players: [white, black]
pieces:
  king: {{white: W, black: B}}
  arrow: {{neutral: "#"}}
  empty: "."
start:
  - put king of white on a1 or b1
  - put king of black on d4
rules:
  moves:
    - move: own
      to: empty touching from
      then: {{step: shot, {then}}}
    - otherwise
    - pass
  steps:
    - name: shot
      place: arrow
      to: {shots}
  end:
    when: count(arrow) > 6
    result: draw
"""
# The continuation of a step: mandatory, optional, or conditional.
FOLLOWING = (
    ("when: true", "empty"),
    ("optional: true", "corners and empty"),
    ("when: any(moved and edge), optional: true", "empty touching enemy minus corners"),
    ("along: all", "empty touching enemy"),
)
BUNDLED = ("amazons", "konane")


def shots(then: str, shots: str, engine: str) -> Game:
    text = SPEC.format(then=then, shots=shots)
    return load_source(Source("shots.yaml", text), engine=engine)


def states(game: Game, plies: int, seed: int) -> list[State]:
    """Return the states of a random game by the interpreter."""
    draw, line = Generator(seed, 0), [game.initial_state()]
    while len(line) <= plies and game.outcome(line[-1]) is None:
        moves = game.legal_moves(line[-1])
        line.append(game.apply(line[-1], moves[draw.below(len(moves))]))
    return line


def check(game: Game, defined: Game, plies: int) -> None:
    game.legal_moves(game.initial_state())  # kernels compile
    for state in states(defined, plies, seed=3):
        wanted = list(defined.legal_moves(state))
        same = game.state_from(str(state))
        moves = game.legal_moves(same)
        assert isinstance(moves, Branches)
        assert len(moves) == len(wanted)
        assert [moves[i] for i in range(len(wanted))] == wanted
        assert [str(moves[i]) for i in range(len(wanted))] == [str(move) for move in wanted]
        assert moves == tuple(wanted)


@pytest.mark.slow
@pytest.mark.parametrize("name", BUNDLED)
def test_one_move_is_that_of_the_list(name: str) -> None:
    check(rulesengine.load(name, engine="native"), rulesengine.load(name, engine="interpreter"), 60)


@pytest.mark.slow
@pytest.mark.parametrize(("then", "to"), FOLLOWING)
def test_continuations_of_move_prefixes_are_counted(then: str, to: str) -> None:
    check(shots(then, to, "native"), shots(then, to, "interpreter"), 30)


@pytest.mark.slow
@pytest.mark.parametrize(("then", "to"), FOLLOWING[::2])
def test_random_games_draw_what_they_would_of_the_list(then: str, to: str) -> None:
    defined, made = (shots(then, to, engine) for engine in ("interpreter", "python"))
    assert made.playouts(12, seed=5) == defined.playouts(12, seed=5)
    found = [replace(game.search(playouts=40), seconds=0.0) for game in (defined, made)]
    assert found[0] == found[1]
