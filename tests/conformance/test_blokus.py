"""Blokus Duo, compared with an independent program of its rules and with Pentobi."""

import random
from pathlib import Path

import pytest

from rulesengine import Game, Move, State, load
from rulesengine.loading import load_source
from rulesengine.support.source import Source
from tests.helpers.blokus_rules import PIECES, Blokus, forms

# e10 and j5 in reading order from the top left.
STARTS = (4 * 14 + 4, 9 * 14 + 9)
RECORD = Path(__file__).parents[1] / "data" / "blokus-duo.txt"
# The game of four on 20x20, whose players begin in the corners.
CLASSIC = """
spec: 1
name: Blokus
extends: blokus-duo
board: {rows: 20, columns: 20}
players:
  black: null
  white: null
  blue: {begins_on: a20}
  yellow: {begins_on: t20}
  red: {begins_on: t1}
  green: {begins_on: a1}
pieces: {square: {black: null, white: null, blue: b, yellow: y, red: r, green: g}}
registers: {passes: {to: 4}}
rules: {end: {when: passes = 4}}
draw: null
picture: null
says: null
tests: null
"""


def duo() -> Blokus:
    return Blokus(14, tuple(1 << cell for cell in STARTS))


def test_the_independent_program_has_the_published_counts() -> None:
    drawn = {frozenset((int(w[0]), int(w[1])) for w in text.split()) for text in PIECES.values()}
    # OEIS A000105 and A001168: 21 free and 91 fixed polyominoes of up to five squares.
    assert len(drawn) == 21
    assert len(set().union(*map(forms, drawn))) == 91
    assert len(duo().moves()) == 414


def test_a_game_of_pentobi_has_the_same_moves_and_score() -> None:
    game = load("blokus-duo", engine="interpreter")
    state = game.initial_state()
    *plies, result = [line for line in RECORD.read_text("utf-8").splitlines() if line[0] != "#"]
    for side, number, squares in (line.split() for line in plies):
        moves = [move for move in game.legal_moves(state) if str(move) != "pass"]
        assert len(moves) == int(number)
        assert side == state.mover[0]
        wanted = mask_of(state, squares.split(",")) if squares != "pass" else 0
        # The moves of the game are large, and moves are in the order of the pieces.
        found = (move for move in reversed(moves) if new_squares(game, state, move) == wanted)
        state = game.apply(state, next(found) if wanted else "pass")
    outcome = game.outcome(state)
    assert outcome is not None
    scores = outcome.scores
    assert scores is not None
    assert result == f"B+{scores['black'] - scores['white']}"


def mask_of(state: State, names: list[str]) -> int:
    return sum(1 << state.form.cells.index(name) for name in names)


def new_squares(game: Game, state: State, move: Move) -> int:
    return occupied(game.apply(state, move)) & ~occupied(state)


def occupied(state: State) -> int:
    mask = 0
    for plane in state.planes:
        mask |= plane
    return mask


def play(game: Game, other: Blokus, seed: int, plies: int) -> None:
    """Play a random game, and compare moves, pieces and scores at every ply."""
    state, draw = game.initial_state(), random.Random(seed)
    for _ in range(plies):
        outcome = game.outcome(state)
        if outcome is not None:
            for _ in game.players:
                assert not other.moves()
                other.play(None)
            assert outcome.scores is not None
            assert [*outcome.scores.values()] == [other.score(n) for n in range(len(other.own))]
            return
        expected = other.moves()
        moves = [move for move in game.legal_moves(state) if str(move) != "pass"]
        found = {
            (str(move).partition("=")[2].partition("-")[0], new_squares(game, state, move)): move
            for move in moves
        }
        assert found.keys() == expected.keys()
        assert len(found) == len(moves)
        if not found:
            state = game.apply(state, "pass")
            other.play(None)
            continue
        # Large pieces first, so that games are long.
        most = max(key[1].bit_count() for key in found)
        key = draw.choice(sorted(key for key in found if key[1].bit_count() == most))
        state = game.apply(state, found[key])
        other.play(expected[key])


def test_moves_of_a_random_game_are_those_of_the_independent_program() -> None:
    play(load("blokus-duo", engine="interpreter"), duo(), seed=1, plies=6)


@pytest.mark.deep
def test_moves_and_scores_of_twenty_random_games_are_equal() -> None:
    game = load("blokus-duo", engine="native")
    for seed in range(20):
        play(game, duo(), seed, plies=100)


def test_the_game_of_four_begins_with_58_moves() -> None:
    # libpentobi_base/tests/BoardTest.cpp of Pentobi: 58 moves in the initial position.
    game = load_source(Source("blokus.yaml", CLASSIC), engine="interpreter")
    assert len(game.legal_moves(game.initial_state())) == 58
    play(game, Blokus(20, tuple(1 << cell for cell in (0, 19, 399, 380))), seed=2, plies=2)


@pytest.mark.deep
def test_moves_and_scores_of_games_of_four_are_equal() -> None:
    game = load_source(Source("blokus.yaml", CLASSIC), engine="interpreter")
    for seed in range(2):
        play(game, Blokus(20, tuple(1 << c for c in (0, 19, 399, 380))), seed, plies=200)
