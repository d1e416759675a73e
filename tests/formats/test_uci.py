"""Moves as engines and user interfaces write them."""

import pytest

import rulesengine
from rulesengine.errors import IllegalMoveError

GAME = rulesengine.load("chess", engine="interpreter")


@pytest.mark.parametrize(
    ("side", "text", "move"),
    [
        ("w", "e1h1", "e1g1"),
        ("w", "e1a1", "e1c1"),
        ("w", "e1g1", "e1g1"),
        ("b", "e8h8", "e8g8"),
        ("b", "e8a8", "e8c8"),
    ],
)
def test_castling_is_read_as_king_takes_rook(side: str, text: str, move: str) -> None:
    state = GAME.state_from(f"r3k2r/8/8/8/8/8/8/R3K2R {side} KQkq - 0 1")
    assert str(GAME.move(text, state)) == move


def test_other_pieces_and_lost_rights_are_no_castling() -> None:
    rook = GAME.state_from("3k4/8/8/8/8/8/K7/4R2R w - - 0 1")
    lost = GAME.state_from("r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1")
    for state in (rook, lost):
        with pytest.raises(IllegalMoveError):
            GAME.move("e1h1", state)


def test_variant_without_castling_has_no_text_for_it() -> None:
    game = rulesengine.load("los-alamos", engine="interpreter")
    assert str(game.move("a2a3")) == "a2a3"
    assert game.formats.moves("uci").find("d1f1", game.initial_state()) is None


def test_algebraic_cells_are_those_of_other_programs() -> None:
    """Compare with `go perft 1` of Fairy-Stockfish 11.1 in its first position of minishogi."""
    game = rulesengine.load("minishogi", engine="interpreter")
    state, notation = game.initial_state(), game.formats.moves("uci")
    legal = {notation.write(move, state): move for move in game.legal_moves(state)}
    expected = "d1c2 d1e2 d1b3 d1a4 e1e2 e1e3 e1e4 c1b2 c1c2 c1d2 a2a3 b1b2 b1c2 a1b2"
    assert sorted(legal) == sorted(expected.split())
    assert all(notation.find(text, state) == move for text, move in legal.items())
    assert str(legal["d1a4"]) == "2e5b"
    assert notation.find("2e5b", state) is None


def test_algebraic_drops_have_an_at_sign() -> None:
    game = rulesengine.load("minishogi", engine="interpreter")
    state = game.state_from("4k/5/5/5/K4 b G 1")
    found = game.formats.moves("uci").find("G@c3", state)
    assert str(found) == "G*3c"
