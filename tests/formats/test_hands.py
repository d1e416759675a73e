"""Pieces in hand in positions: brackets behind the board, a field with counts, promoted letters."""

import pytest

from rulesengine.errors import NotationError, SpecError
from rulesengine.game import Game
from rulesengine.loading import load_source
from rulesengine.support.source import Source

# A rook and a pawn that change hands, with two letters for the promoted pawn.
SPEC = """spec: 1
name: Hands
board: {rows: 2, columns: 3, origin: bottom-left}
players: [white, black]
pieces:
  rook: {white: R, black: r, values: {base: rook}}
  pawn: {white: P, black: p, values: {base: pawn}}
  guard: {white: G, black: g, values: {base: pawn}}
  empty: "."
registers:
  hand: {type: number, each: [player, kind], from: 0, to: 4, compared: true}
start: |
  r.p
  R.G
rules:
  moves:
    - {name: step, move: own, to: neighbours(from) minus own}
    - name: drop
      place: choice
      choice: [rook, pawn]
      when: hand of choice > 0
      to: empty
      do: add -1 to hand of choice
  do: for c in captured do add 1 to hand of base of before(kind(c))
formats:
  fen:
    letters: {guard: +P}
    fields: [board, {pocket: hand}, side, ply]
"""
FIELD = SPEC.replace("{pocket: hand}, side, ply", "side, {hand: hand, order: [pawn, rook]}, ply")


def game_of(text: str) -> Game:
    return load_source(Source("hands.yaml", text), engine="interpreter")


def test_pieces_in_hand_are_letters_in_brackets() -> None:
    game = game_of(SPEC)
    assert game.export() == "r1p/R1+P[] w 1"
    state = game.initial_state()
    for move in ("c1xc2", "a2xa1"):
        state = game.apply(state, move)
    assert game.export(state, fullmove=2) == "2+P/r2[Pr] w 3"
    assert game.state_from(game.export(state, fullmove=2)) == state


def test_a_promoted_piece_is_in_hand_as_its_base() -> None:
    game = game_of(SPEC)
    state = game.apply(game.state_from("r1+P/R2[] b 2"), "a2xa1")
    state = game.apply(game.state_from("1r+P/3[] b 2"), "b2xc2")
    assert game.export(state).split()[0] == "2r/3[p]"


@pytest.mark.parametrize("text", ["3/R1r w 1", "3/R1r[] w 1", "3/R1r[-] w 1"])
def test_an_empty_hand_may_be_missing(text: str) -> None:
    game = game_of(SPEC)
    assert game.export(game.state_from(text)).split()[0] == "3/R1r[]"


def test_a_field_has_counts_in_the_declared_order() -> None:
    game = game_of(FIELD)
    assert game.export() == "r1p/R1+P w - 1"
    state = game.state_from("3/R1r b R2Pp2r 8")
    assert game.export(state, fullmove=4) == "3/R1r b 2PRp2r 8"
    assert game.state_from("3/R1r b RPPprr 8") == state
    assert game.position_from("3/R1r b 2PRp2r 8").fullmove == 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3/R1r[x] w 1", "no piece `x` in hand, expected one of R P r p"),
        ("3/R1r[R w 1", "expected `]` after the pieces in hand"),
        ("3/R1r[RRRRR] w 1", "there can be at most 4 `R` in hand, found 5"),
    ],
)
def test_wrong_hand_is_refused_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        game_of(SPEC).state_from(text)
    assert message in str(error.value)


def test_a_field_needs_a_number_for_each_player_and_kind() -> None:
    text = SPEC.replace("fields: [board, {pocket: hand}", "fields: [board, {pocket: count}")
    text = text.replace("registers:", "registers:\n  count: {type: number, each: player, to: 3}")
    with pytest.raises(SpecError) as error:
        game_of(text)
    assert "`count` has no number for each player and kind" in str(error.value)


def test_a_group_with_a_choice_shows_it_in_algebraic_notation() -> None:
    text = SPEC + '  san: {special: {drop: "{choice}@{to}"}}\n'
    game = game_of(text)
    state = game.state_from("3/R1r[P] w 1")
    texts = {game.move_text(move, state) for move in game.legal_moves(state)}
    assert {"pawn@a2", "pawn@b1"} <= texts
    assert str(game.move("pawn@b1", state)) == "b1=pawn"
