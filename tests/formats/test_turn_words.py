"""Written moves of several plies of one turn, in lines of moves, PGN and SGF."""

import pytest

import rulesengine
from rulesengine.formats.values import RecordedGame
from rulesengine.support.resources import bundled_path
from tests.helpers.lone_specs import game_of

GAME = rulesengine.load("connect6", engine="interpreter")
MOVES = ["j10", "k11", "j9", "i9", "k9", "l12"]


def games(text: str) -> list[RecordedGame]:
    return list(GAME.read_games(text))


def texts(game: RecordedGame) -> list[str]:
    return [str(move) for move in game.moves]


@pytest.mark.parametrize(
    "text",
    [
        "j10 k11j9 i9k9 l12",
        "j10 k11 j9 i9 k9 l12",
        "1. j10 k11j9 2. i9k9 l12 *",
        "1. j10 k11 j9 2. i9 k9 l12 *",
        "(;B[jj];W[kijk];B[ikkk];W[lh])",
        "(;B[jj];W[ki];W[jk];B[ik];B[kk];W[lh])",
    ],
)
def test_plies_of_a_turn_are_one_word_or_several(text: str) -> None:
    (game,) = games(text)
    assert (texts(game), game.problems) == (MOVES, ())


@pytest.mark.parametrize(
    ("format", "written"),
    [
        ("transcript", "j10 k11j9 i9k9 l12"),
        ("pgn", "\n\n1. j10 k11j9 2. i9k9 l12 *"),
        ("sgf", ";B[jj]\n;W[kijk]\n;B[ikkk]\n;W[lh])"),
    ],
)
def test_plies_of_a_turn_are_written_as_one_word(format: str, written: str) -> None:
    (game,) = games(" ".join(MOVES))
    text = GAME.format_record(game, format)
    assert written in text
    (again,) = games(text)
    assert (again.moves, again.problems) == (game.moves, ())


def test_notes_and_variations_within_a_turn_divide_its_word() -> None:
    text = "1. j10 k11 {first} j9 (j8 2. i9) (k12 2. i9k9) 2. i9k9 l12 *"
    (game,) = games(text)
    assert (texts(game), game.problems) == (MOVES, ())
    assert game.notes[2].comments == ("first",)
    assert [texts_of(line.moves) for line in game.notes[3].variations] == ["j8 i9", "k12 i9 k9"]
    for format in ("pgn", "sgf"):
        (again,) = games(GAME.format_record(game, format))
        assert (again.moves, again.notes, again.problems) == (game.moves, game.notes, ()), format


def texts_of(moves: object) -> str:
    assert isinstance(moves, tuple)
    return " ".join(map(str, moves))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("1. j10k11 *", "game 1, ply 2, `k11`: the turn of black is over"),
        ("1. j10 k11k11 *", "game 1, ply 3, `k11`: no legal move is written so"),
        ("(;B[jj];W[kijkik])", "game 1, ply 4, `W[kijkik]`: it is the move of black"),
    ],
)
def test_wrong_words_are_reported_at_their_ply(text: str, problem: str) -> None:
    (game,) = games(text)
    assert [str(each) for each in game.problems] == [problem]


def test_other_texts_between_plies_are_declared() -> None:
    spec = bundled_path("connect6").read_text(encoding="utf-8").replace('turn: ""', 'turn: "+"')
    game = game_of(spec)
    (found,) = game.read_games("1. j10 k11+j9 2. i9+k9 *")
    assert found.problems == ()
    assert "1. j10 k11+j9 2. i9+k9 *" in game.format_record(found, "pgn")
    assert game.format_record(found, "transcript") == "j10 k11+j9 i9+k9"


def test_games_without_the_declaration_have_a_word_for_each_ply() -> None:
    game = rulesengine.load("gomoku", engine="interpreter")
    (found,) = game.read_games("1. h8h9 *")
    assert str(found.problems[0]) == "game 1, ply 1, `h8h9`: no legal move is written so"
