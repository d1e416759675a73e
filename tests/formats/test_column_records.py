"""Files of xiangqi: reading, errors, writing, and agreement with xiangqi-setup."""

import random

import pytest

import rulesengine
from rulesengine.formats.values import GameResult, Position, RecordedGame
from rulesengine.state import Move

GAME = rulesengine.load("xiangqi", engine="interpreter")
FILE = """FORMAT  WXF
RED     Ann ; 1200 ; Club ;
BLACK   Bob ;;;
RESULT  0-1
DATE    2020-02-02
EVENT   Open ; 10m
START{
 1. P3+1 c8.7   2. H2+3 {quiet} h2+3 }END
"""
# Our letters of red and of black, in the order of the kinds of xiangqi-setup.
_LETTERS = ("RNBAKCP", "rnbakcp")
FEN = "3k5/9/9/4R4/9/9/9/9/4r4/5K3 w - - 0 1"


def games(text: str) -> list[RecordedGame]:
    return list(GAME.read_games(text))


def test_headers_moves_comments_and_result_are_read() -> None:
    (game,) = games(FILE)
    assert [str(move) for move in game.moves] == ["g4g5", "h8g8", "h1g3", "b10c8"]
    assert (game.problems, game.result) == ((), GameResult("black"))
    assert game.notes[3].comments == ("quiet",)
    assert (game.header("Red"), game.header("Black"), game.header("Date")) == (
        "Ann",
        "Bob",
        "2020-02-02",
    )
    assert game.header("RedDetails") == "1200 ; Club"


def test_capital_letters_of_black_and_other_letters_are_read() -> None:
    (game,) = games(FILE.replace("c8.7", "C8=7").replace("h2+3", "N2+3"))
    assert [str(move) for move in game.moves] == ["g4g5", "h8g8", "h1g3", "b10c8"]


def test_position_is_that_of_the_file_as_fen_or_by_pieces() -> None:
    text = "FORMAT WXF\n{}\nSTART{{\n1. R5+1 }}END\n"
    for start in (f"FEN {FEN}", "SETUP{ RED Kf0 Re6 kd9 re1 }"):
        (game,) = games(text.format(start))
        assert (GAME.export(game.start.state), game.problems) == (FEN, ()), start
        assert [str(move) for move in game.moves] == ["e7e8"]
    (game,) = games(text.format("SETUP{ Kz0 }"))
    assert "no piece or cell `Kz0`" in str(game.problems[0])


def test_error_is_reported_and_the_next_game_is_read() -> None:
    first, second = games(FILE.replace("h2+3", "h2+5") + "\n" + FILE)
    assert str(first.problems[0]) == "game 1, ply 4, `h2+5`: no legal move is written so"
    assert (second.number, len(second.moves), second.problems) == (2, 4, ())


def test_written_games_read_back() -> None:
    (game,) = games(FILE)
    written = GAME.format_record(game, "wxf")
    assert "1. P3+1 c8.7  2. H2+3 {quiet} h2+3" in written
    (again,) = games(written)
    assert (again.moves, again.notes, again.result) == (game.moves, game.notes, game.result)
    assert set(game.headers) == set(again.headers)
    text = f"FORMAT WXF\nFEN {FEN.replace(' w', ' b')}\nSTART{{\n1... r5+1 }}END\n"
    (game,) = games(text)
    (again,) = games(GAME.format_record(game, "wxf"))
    assert (game.problems, again.start, again.moves) == ((), game.start, game.moves)


def test_written_games_are_those_of_xiangqi_setup() -> None:
    """Compare the position after a random game; the program reads moves without marks alone."""
    library = pytest.importorskip(
        "xiangqi_setup.file_formats.wxf", reason="xiangqi-setup is not installed"
    )
    chosen, state, moves = random.Random(8), GAME.initial_state(), list[Move]()
    notation = GAME.formats.moves("wxf")
    for _ in range(16):
        legal = [m for m in GAME.legal_moves(state) if notation.write(m, state)[1].isdigit()]
        moves.append(chosen.choice(legal))
        state = GAME.apply(state, moves[-1])
    start = Position(GAME.initial_state())
    text = GAME.format_record(RecordedGame(1, (), start, tuple(moves), state, None), "wxf")
    found = {
        (piece.x, piece.y, _LETTERS[piece.party][piece.piece])
        for piece in library.iterate_wxf_tokens(text, "all", False)
    }
    lines = state.form.lines
    assert found == {
        (x, len(lines) - 1 - row, symbol)
        for row, line in enumerate(lines)
        for x, cell in enumerate(line)
        if (symbol := state.symbol(cell)) != state.form.empty
    }
