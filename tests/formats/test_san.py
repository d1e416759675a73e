"""Moves in standard algebraic notation, against python-chess where it is installed."""

import random

import pytest

import rulesengine
from rulesengine.errors import IllegalMoveError, NotationError
from rulesengine.game import Game


def chess() -> Game:
    return rulesengine.load("chess", engine="interpreter")


# The texts follow the PGN standard of 1994, section 8.2.3.
WRITTEN = [
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "O-O"),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "O-O-O"),
    ("7k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8q", "e8=Q+"),
    ("7k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8n", "e8=N"),
    ("3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", "exd8=Q+"),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
    ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1", "Rad1"),
    ("4k3/R7/8/8/8/8/4K3/R7 w - - 0 1", "a1a4", "R1a4"),
    ("2k5/8/8/8/4Q2Q/8/K7/7Q w - - 0 1", "h4e1", "Qh4e1"),
    ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#"),
]


@pytest.mark.parametrize(("fen", "move", "text"), WRITTEN)
def test_move_is_written_as_in_the_standard(fen: str, move: str, text: str) -> None:
    game = chess()
    state = game.state_from(fen)
    assert game.move_text(game.move(move, state), state) == text


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("Nf3", "g1f3"),
        ("Ng1f3", "g1f3"),
        ("Ngf3", "g1f3"),
        ("Nf3!?", "g1f3"),
        ("e4+", "e2e4"),
        ("e2-e4", "e2e4"),
        ("g1f3", "g1f3"),
    ],
)
def test_move_is_read_with_more_or_fewer_marks(text: str, move: str) -> None:
    game = chess()
    assert str(game.move(text, game.initial_state())) == move


@pytest.mark.parametrize("text", ["0-0", "O-O", "O-O+", "0-0!"])
def test_castling_is_read_with_letters_or_zeros(text: str) -> None:
    game = chess()
    state = game.state_from("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    assert str(game.move(text, state)) == "e1g1"


def test_ambiguous_move_is_an_error_with_the_possible_texts() -> None:
    game = chess()
    state = game.state_from("4k3/8/8/8/8/8/4K3/R6R w - - 0 1")
    with pytest.raises(NotationError, match="`Rd1` is ambiguous: Rad1, Rhd1"):
        game.move("Rd1", state)


@pytest.mark.parametrize("text", ["Nf6", "e5", "O-O", "Ke2", "exd3"])
def test_illegal_move_is_an_error(text: str) -> None:
    game = chess()
    with pytest.raises((IllegalMoveError, NotationError)):
        game.move(text, game.initial_state())


def test_scripts_and_find_read_the_notation_of_the_game_only() -> None:
    game = chess()
    assert game.find("Nf3", game.initial_state()) is None


def test_no_format_has_a_move_where_a_claim_ends_the_game() -> None:
    game = chess()
    state = game.initial_state()
    for move in "g1f3 g8f6 f3g1 f6g8".split() * 2:
        state = game.without_claims.apply(state, move)
    for text in ("e4", "e2e4"):
        with pytest.raises(IllegalMoveError, match="the game is over"):
            game.move(text, state)
        assert str(game.without_claims.move(text, state)) == "e2e4"


def test_variant_has_the_notation_with_its_own_pieces() -> None:
    game = rulesengine.load("los-alamos", engine="interpreter")
    move = game.move("Nc3", game.initial_state())
    assert (str(move), game.move_text(move, game.initial_state())) == ("b1c3", "Nc3")


def test_moves_of_random_games_are_those_of_python_chess() -> None:
    chess_library = pytest.importorskip("chess", reason="python-chess is not installed")
    game, chosen = rulesengine.load("chess"), random.Random(5)
    for _ in range(4):
        board, state = chess_library.Board(), game.initial_state()
        while not board.is_game_over() and board.ply() < 120:
            played = chosen.choice(list(board.legal_moves))
            text = board.san(played)
            move = game.move(text, state)
            assert (str(move), game.move_text(move, state)) == (played.uci(), text)
            state = game.without_claims.apply(state, move)
            board.push(played)
