"""Games of draughts in PDN: reading, errors, writing, and agreement with pydraughts."""

import random

import pytest

import rulesengine
from rulesengine.errors import NotationError
from rulesengine.formats.values import GameResult, RecordedGame
from rulesengine.game import Game

# The names of games here and in pydraughts.
GAMES = {
    "english-draughts": "english",
    "international-draughts": "standard",
    "russian-draughts": "russian",
    "brazilian-draughts": "brazilian",
}


def loaded(name: str = "english-draughts") -> Game:
    return rulesengine.load(name, engine="interpreter")


def games(text: str, name: str = "english-draughts") -> list[RecordedGame]:
    return list(loaded(name).read_games(text))


def only(text: str, name: str = "english-draughts") -> RecordedGame:
    (found,) = games(text, name)
    return found


def moves(game: RecordedGame) -> list[str]:
    return [str(move) for move in game.moves]


def problems(text: str, name: str = "english-draughts") -> list[str]:
    return [str(problem) for game in games(text, name) for problem in game.problems]


def test_numbers_count_dark_squares_from_the_top_row() -> None:
    # The opening Old Fourteenth, in books on English draughts: 11-15 23-19 8-11 22-17.
    game = only('[GameType "21,B,8,8,N1,0"]\n\n1. 11-15 23-19 2. 8-11 22-17 *')
    assert moves(game) == ["f6-e5", "e3-f4", "g7-f6", "c3-b4"]
    assert game.problems == ()


def test_results_are_those_of_white_with_one_or_two_points() -> None:
    found = games("1. 11-15 23-19 1-0 1. 11-15 0-2 1. 11-15 1-1 1. 9-13 1/2-1/2 1. 9-14 *")
    assert [game.result for game in found] == [
        GameResult("white"),
        GameResult("black"),
        GameResult(None),
        GameResult(None),
        None,
    ]
    assert [len(game.moves) for game in found] == [2, 1, 1, 1, 1]


def test_contradicting_results_are_reported_as_they_are_written() -> None:
    (problem,) = only('[Result "2-0"]\n\n1. 11-15 0-2').problems
    assert (problem.text, problem.reason) == ("0-2", "the header has the result 2-0")
    assert only('[Result "0-1"]\n\n1. 11-15 0-2').problems == ()


def test_headers_comments_variations_and_strengths_are_kept() -> None:
    text = (
        '[Event "Club"]\n[Result "2-0"]\n\n'
        "1. 11-15! {first} 23-19* (1... 22-17 15-19 {a jump follows}) 2. 8-11(?) $4 1-0"
    )
    game = only(text)
    assert game.header("Event") == "Club"
    assert (game.notes[1].nags, game.notes[1].comments) == ((1,), ("first",))
    (variation,) = game.notes[2].variations
    assert [str(move) for move in variation.moves] == ["c3-b4", "e5-f4"]
    assert variation.notes[2].comments == ("a jump follows",)
    assert game.notes[3].nags == (2, 4)
    assert game.problems == ()


def test_long_captures_have_all_squares_or_the_ends() -> None:
    position = '[FEN "B:W14,22:B9"]\n\n'  # a man jumps over 14, then over 22
    for text in ("9x18x25", "9x25", "9:25", "9-25", "9x14x18x22x25"):
        assert moves(only(f"{position}1. {text} *")) == ["b6xd4xb2"], text


# A white man on e1 jumps over d2 and d4, or over f2 and f4, to e5.
TWO_WAYS = '[FEN "W:W31:B18,19,26,27"]\n\n'


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("31x22x15", "e1xc3xe5"),
        ("31x24x15", "e1xg3xe5"),
        ("31x19x15", "e1xg3xe5"),  # over f4
    ],
)
def test_squares_between_the_ends_distinguish_captures(text: str, move: str) -> None:
    game = only(f"{TWO_WAYS}1. {text} *")
    assert (moves(game), game.problems) == ([move], ())


def test_ambiguous_capture_is_an_error_and_is_written_in_full() -> None:
    found = problems(f"{TWO_WAYS}1. 31x15 *")
    assert found == ["game 1, ply 1, `31x15`: `31x15` is ambiguous: 31x24x15, 31x22x15"]


def test_algebraic_squares_are_read_in_every_game() -> None:
    assert moves(only("1. f6-e5 e3-f4 *"))[0] == "f6-e5"
    assert moves(only("1. c3-b4 b6-a5 *", "russian-draughts")) == ["c3-b4", "b6-a5"]


def test_position_of_the_header_is_the_start() -> None:
    game = only('[SetUp "1"]\n[FEN "W:W30,K5.:B1-3"]\n\n1. 5-9 *')
    assert game.start.state.mover == "white"
    assert str(game.start.state).splitlines()[:2] == [".b.b.b..", "W......."]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1. 11-16 24-20 2. 11-15 *", "game 1, ply 3, `11-15`: no legal move is written so"),
        ("1. 11-99 *", "game 1, ply 1, `11-99`: no legal move is written so"),
        ("1. nonsense *", "game 1, ply 1, `nonsense`: no legal move is written so"),
        ('[GameType "25"]\n\n1. c3-b4 *', "`25`: a game of another type than English draughts"),
        ('[FEN "W:W33:B1"]\n\n1. 1-2 *', "no square `33`"),
        ('[FEN "W:W3:B1"]\n\n1. 1-2 *', "impossible position: a man is on the last row"),
        ('[FEN "W:W5,5:B1"]\n\n1. 1-2 *', "two pieces on `5`"),
        ('[FEN "W:Z5:B1"]\n\n1. 1-2 *', "expected squares of W or B, found `Z5`"),
        ("1. 11-15 (23-19 *", "a variation without its end"),
        ("1. 11-15 {23-19 *", "game 1, ply 1, `{`: a comment without its end"),
        ('[Result "1-0"]\n\n1. 11-15 0-1', "`0-1`: the header has the result 1-0"),
    ],
)
def test_error_is_reported_with_game_ply_text_and_reason(text: str, found: str) -> None:
    assert any(found in problem for problem in problems(text)), problems(text)


def test_rest_of_a_file_is_read_after_a_wrong_game() -> None:
    found = games('[Event "a"]\n\n1. 11-12 *\n\n[Event "b"]\n\n1. 11-15 23-19 *')
    assert [(len(game.moves), len(game.problems)) for game in found] == [(0, 1), (2, 0)]


def test_impossible_positions_are_refused() -> None:
    game = loaded()
    with pytest.raises(NotationError, match="a piece is on a light square"):
        game.position_from("W:Wb1:B1")
    with pytest.raises(NotationError, match="a man is on the last row"):
        game.position_from("W:W21:B30")


@pytest.mark.parametrize("name", GAMES)
def test_positions_of_random_games_read_back(name: str) -> None:
    game, chosen = rulesengine.load(name), random.Random(7)
    for _ in range(10):
        state = game.initial_state()
        while (legal := game.legal_moves(state)) and len(state.history) < 60:
            state = game.apply(state, chosen.choice(legal))
            again = game.position_from(game.export(state, "pdn")).state
            assert (again.planes, again.side) == (state.planes, state.side)


def test_games_in_pgn_are_still_read() -> None:
    game = loaded()
    recorded = only("1. 11-15 23-19 0-1")
    (found,) = game.read_games(game.format_record(recorded, "pgn"))
    assert (found.moves, found.result) == (recorded.moves, GameResult("black"))


@pytest.mark.parametrize("name", GAMES)
def test_random_games_are_those_of_pydraughts(name: str) -> None:
    library = pytest.importorskip("draughts", reason="pydraughts is not installed")
    pdn = pytest.importorskip("draughts.PDN")
    game, chosen = rulesengine.load(name), random.Random(4)
    for _ in range(5):
        board = library.Board(GAMES[name])
        while len(board.move_stack) < 80 and (legal := board.legal_moves()):
            board.push(chosen.choice(legal))
        texts = [move.pdn_move for move in board.move_stack]
        found = next(game.read_games(f"1. {' '.join(texts)} *"))
        assert (len(found.moves), found.problems) == (len(texts), ())
        ours, theirs = (sorted(fen) for fen in (game.export(found.final, "pdn"), board.fen))
        assert ours == theirs
        written = game.format_record(found, "pdn")
        (again,) = game.read_games(written)
        assert (again.moves, again.problems) == (found.moves, ())
        (read,) = pdn.PDNReader(pdn_text=written).games
        assert read.variant == GAMES[name]
        if game.program.rules.name in ("English draughts", "International draughts"):
            assert read.moves == texts  # the other two are written with names of squares
