"""Moves in Betza's notation: vectors that were worked out by hand, and expressions of cells."""

import pytest

from rulesengine.errors import UsageError
from rulesengine.loading import load_source
from rulesengine.support.source import Source
from rulesengine.tools.variants_ini.betza import read_betza
from rulesengine.tools.variants_ini.movement_text import reach

# Forward and to the right.
KNIGHT = {(2, 1), (2, -1), (-2, 1), (-2, -1), (1, 2), (1, -2), (-1, 2), (-1, -2)}


@pytest.mark.parametrize(
    ("text", "vectors"),
    [
        ("W", {(1, 0), (-1, 0), (0, 1), (0, -1)}),
        ("fW", {(1, 0)}),
        ("fsW", {(1, 0), (0, 1), (0, -1)}),
        ("vW", {(1, 0), (-1, 0)}),
        ("fF", {(1, 1), (1, -1)}),
        ("rfF", {(1, 1)}),
        ("N", KNIGHT),
        ("fN", {(2, 1), (2, -1)}),
        ("ffN", {(2, 1), (2, -1)}),
        ("fsN", {(1, 2), (1, -2)}),
        ("fhN", {(2, 1), (2, -1), (1, 2), (1, -2)}),
        ("rfN", {(2, 1)}),
        ("hrN", {(2, 1), (-2, -1), (-1, 2), (1, -2)}),
        ("A", {(2, 2), (2, -2), (-2, 2), (-2, -2)}),
    ],
)
def test_directions_select_vectors(text: str, vectors: set[tuple[int, int]]) -> None:
    (movement,) = read_betza(text)
    assert set(movement.vectors) == vectors


def test_modifiers_give_form_mode_and_limit() -> None:
    pawn = read_betza("fmWfceF")
    assert [(m.quiet, m.captures) for m in pawn] == [(True, False), (False, True)]
    (cannon,) = read_betza("cpR")
    assert (cannon.form, cannon.quiet, cannon.limit) == ("hop", False, 0)
    (horse,) = read_betza("nN")
    assert horse.form == "lame"
    (short,) = read_betza("R3")
    assert (short.form, short.limit) == ("ride", 3)
    (rider,) = read_betza("NN")
    assert (rider.form, set(rider.vectors)) == ("ride", KNIGHT)
    (first,) = read_betza("ifmnD")
    assert (first.initial, first.captures, first.form) == (True, False, "lame")


@pytest.mark.parametrize("text", ["yN", "pN", "oR", "jW"])
def test_other_modifiers_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="no "):
        read_betza(text)


@pytest.mark.parametrize(
    ("text", "board", "cells"),
    [
        # A piece on c3 of a board of five; `x` blocks.
        ("W", "..... ..... ..o.. ..... .....", "c4 b3 d3 c2"),
        ("N", "..... ..... ..o.. ..... .....", "b5 d5 a4 e4 a2 e2 b1 d1"),
        ("nN", "..... ..x.. ..o.. ..... .....", "a4 e4 a2 e2 b1 d1"),
        ("nA", "..... .x... ..o.. ..... .....", "e5 a1 e1"),
        ("R", "..x.. ..... ..o.. ..... .....", "c5 c4 a3 b3 d3 e3 c2 c1"),
        ("R1", "..... ..... ..o.. ..... .....", "c4 b3 d3 c2"),
        ("pR", "..x.. ..x.. ..o.. ..... .....", "c5"),
        ("gR", "..... ..x.. ..o.. ..... .....", "c5"),
        ("fFbW", "..... ..... ..o.. ..... .....", "b4 d4 c2"),
        ("NN", "..... ..... ..o.. ..... .....", "b5 d5 a4 e4 a2 e2 b1 d1"),
    ],
)
def test_expression_of_a_movement_has_the_cells(text: str, board: str, cells: str) -> None:
    found = reach(read_betza(text))
    spec = f"""
spec: 1
name: A move
board: {{rows: 5, columns: 5, origin: bottom-left}}
players:
  white: {{ahead: north, back: south, ahead_left: northwest, ahead_right: northeast}}
  black: {{ahead: south, back: north, ahead_left: southeast, ahead_right: southwest}}
pieces:
  man: {{white: o, black: x}}
  empty: "."
define:
  beam(c, way): shift(c or slide(c, way, empty), way)
  hop(c, way): beam(beam(c, way) and occupied, way)
  hop_next(c, way): shift(beam(c, way) and occupied, way)
  reached(c): {found.hits}
rules:
  moves: {{move: own man, to: reached(from), written: "{{to}}"}}
  end: {{when: not can_move(mover), result: draw}}
"""
    game = load_source(Source("move.yaml", spec), engine="interpreter")
    state = game.state_from("\n".join(board.split()) + "\nmover: white")
    assert sorted(map(str, game.legal_moves(state))) == sorted(cells.split())
