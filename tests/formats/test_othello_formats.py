"""Transcripts, lists of moves, OBF, GGF and WTHOR: reading, errors and writing."""

import random
import struct

import pytest

import rulesengine
from rulesengine.errors import NotationError, UsageError
from rulesengine.formats.values import GameResult, RecordedGame
from rulesengine.game import Game

# An opening that begins with the Tiger.
TIGER = "f5d6c3d3c4f4f6f3e6e7"


def loaded(name: str = "othello", **values: int) -> Game:
    return rulesengine.load(name, engine="interpreter").bind(**values)


def games(text: str | bytes, game: Game | None = None) -> list[RecordedGame]:
    return list((game or loaded()).read_games(text))


def moves(game: RecordedGame) -> str:
    return " ".join(map(str, game.moves))


def problems(text: str | bytes, game: Game | None = None) -> list[str]:
    return [str(problem) for found in games(text, game) for problem in found.problems]


def random_game(game: Game, seed: int) -> RecordedGame:
    state, chosen, played = game.initial_state(), random.Random(seed), []
    while legal := game.legal_moves(state):
        played.append(chosen.choice(legal))
        state = game.apply(state, played[-1])
    outcome = game.outcome(state)
    assert outcome is not None
    start = game.position_from(game.export())
    result = GameResult(outcome.winner)
    return RecordedGame(1, (), start, tuple(played), state, result)


def with_pass(game: Game) -> RecordedGame:
    """Return the first random game that has a pass."""
    return next(g for s in range(99) if "pass" in moves(g := random_game(game, s)))


# transcripts and lists of moves


@pytest.mark.parametrize("text", [TIGER, TIGER.upper(), "f5 d6 C3d3 c4 f4f6f3 e6 e7"])
def test_transcripts_have_cells_with_or_without_blanks(text: str) -> None:
    (game,) = games(text)
    assert moves(game).replace(" ", "") == TIGER
    assert game.problems == ()


def test_each_line_is_a_game_and_numbers_continue_one() -> None:
    found = games("# openings\nf5d6\n\nf5f6e6\n1. f5 d6\n2. c3\n")
    # The last two lines are one game in spite of the line break.
    assert [moves(game) for game in found] == ["f5 d6", "f5 f6 e6", "f5 d6 c3"]
    assert [game.number for game in found] == [1, 2, 3]


def test_wrong_move_ends_its_line_only() -> None:
    found = problems("f5d6a1\nf5\nf5d6a9\nf5 nonsense\n")
    assert found == [
        "game 1, ply 3, `a1`: no legal move is written so",
        "game 3, ply 3, `a9`: no legal move is written so",
        "game 4, ply 2, `nonsense`: no legal move is written so",
    ]


def test_missing_passes_are_inserted_and_written_ones_are_read() -> None:
    game = loaded()
    recorded = with_pass(game)
    text = game.format_record(recorded, "transcript")
    assert "pass" not in text
    (found,) = games(text)
    assert (found.moves, found.problems) == (recorded.moves, ())
    written = "".join("--" if str(m) == "pass" else f" {m} " for m in recorded.moves)
    (found,) = games(written.replace("--", " -- "))
    assert (found.moves, found.problems) == (recorded.moves, ())


def test_moves_after_the_end_are_an_error() -> None:
    game = loaded()
    text = game.format_record(random_game(game, 1), "transcript")
    assert any("the game is over, nobody can move" in found for found in problems(text + "a1"))


@pytest.mark.parametrize("name", ["chess", "connect-four", "international-draughts", "amazons"])
def test_every_game_has_lists_of_moves(name: str) -> None:
    game = loaded(name)
    state, chosen, played = game.initial_state(), random.Random(5), []
    for _ in range(7):
        played.append(chosen.choice(game.legal_moves(state)))
        state = game.apply(state, played[-1])
    (found,) = games(" ".join(map(str, played)), game)
    assert (found.moves, found.problems) == (tuple(played), ())
    assert game.format_record(found, "transcript") == " ".join(map(str, played))


def test_moves_of_san_are_read_in_lists() -> None:
    (game,) = games("e4 e5 Nf3 Nc6 Bb5", loaded("chess"))
    assert (moves(game), game.problems) == ("e2e4 e7e5 g1f3 b8c6 f1b5", ())


def test_other_texts_are_no_lists_of_moves() -> None:
    with pytest.raises(NotationError, match="expected games of Othello"):
        games("a1 is a corner")


# OBF


def test_line_of_letters_is_a_position_with_values_of_moves() -> None:
    # The initial position in the letters of OBF.
    text = f"{'-' * 27}OX------XO{'-' * 27} X; F5:+0; D6:-2; % a comment"
    position = loaded().position_from(text)
    assert position.state == loaded().initial_state()
    assert position.operations == (("F5", "+0"), ("D6", "-2"))
    notation = loaded().formats.positions("obf")
    assert notation.write(position) == text.partition(" %")[0]


@pytest.mark.parametrize(
    ("text", "side"),
    [
        (f"{'.' * 27}O*......*O{'.' * 27}*", "black"),
        (f"{'-' * 27}wb------bw{'-' * 27} w", "white"),
        (
            "\n".join(["--------"] * 3 + ["---OX---", "---XO---"] + ["--------"] * 3) + "\nO",
            "white",
        ),
    ],
)
def test_letters_of_other_programs_are_read(text: str, side: str) -> None:
    state = loaded().state_from(text)
    assert state.planes == loaded().initial_state().planes
    assert state.mover == side


def test_lines_of_letters_read_back() -> None:
    game = rulesengine.load("othello")
    for seed in range(20):
        state = game.initial_state()
        for move in random_game(game, seed).moves:
            state = game.apply(state, move)
            again = game.state_from(game.export(state, "obf"))
            assert (again.planes, again.side) == (state.planes, state.side)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("-" * 64 + " ?", "no side `?`"),
        ("-" * 64 + " X; F5", "expected a move and its value"),
        ("-" * 63 + " X", "expected 64 letters, found 63"),
    ],
)
def test_wrong_line_of_letters_is_refused(text: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason.replace("?", r"\?")):
        loaded().position_from(text)


# GGF

HEAD = "(;GM[Othello]PC[GGS/os]PB[Ann]PW[Bob]TY[8]RE[+2.00:r]"
START = "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]"


def test_moves_values_and_result_of_ggf_are_read() -> None:
    (game,) = games(f"{HEAD}{START}B[F5//0.01]W[d6/-1.2/3]B[C3];)")
    assert (moves(game), game.problems) == ("f5 d6 c3", ())
    assert (game.header("Black"), game.header("Site"), game.header("TY")) == ("Ann", "GGS/os", "8")
    assert game.result == GameResult("black", "resignation")
    assert [game.notes[ply].comments for ply in (1, 2)] == [("[%ggf /0.01]",), ("[%ggf -1.2/3]",)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("(;GM[Chess]B[f5];)", "`GM[Chess]`: a game of another type than Othello"),
        ("(;GM[Othello]B[f5]W[a1];)", "ply 2, `W[a1]`: no legal move is written so"),
        ("(;GM[Othello]B[f5]B[d6];)", "ply 2, `B[d6]`: it is the move of white"),
        ("(;GM[Othello]BO[10 --- *];)", "the board of the game has 64 cells"),
        ("(;GM[Othello]B[f5]", "the text ends before the end of the game"),
    ],
)
def test_error_in_ggf_is_reported_and_the_next_game_is_read(text: str, found: str) -> None:
    first, second = games(f"{text}\n(;GM[Othello]B[f5];)")
    assert any(found in str(problem) for problem in first.problems), first.problems
    assert (moves(second), second.number) == ("f5", 2)


def test_ggf_reads_back_with_passes_and_values() -> None:
    game = loaded()
    recorded = with_pass(game)
    text = game.format_record(recorded, "ggf")
    assert f"BO[8 {'-' * 27}O*------*O{'-' * 27} *]" in text
    assert "[PA]" in text
    for variant in (text, text.replace("B[PA]", "").replace("W[PA]", "")):
        (found,) = games(variant)
        assert (found.moves, found.problems) == (recorded.moves, ())
    (noted,) = games(f"{HEAD}{START}B[F5//0.01]W[D6/-1.2/3];)")
    assert "B[F5//0.01]W[D6/-1.2/3];)" in game.format_record(noted, "ggf")


# WTHOR


def wthor(*records: tuple[int, str], size: int = 0) -> bytes:
    """Return a file of games: the discs of black and the moves of each."""
    data = struct.pack("<4BIHH4B", 20, 1, 12, 31, len(records), 0, 2001, size, 0, 22, 0)
    for discs, text in records:
        squares = [
            10 * int(text[i + 1]) + "?abcdefgh".index(text[i]) for i in range(0, len(text), 2)
        ]
        data += struct.pack("<3H2B60s", 3, 17, 18, discs, 32, bytes(squares))
    return data


def test_games_of_wthor_are_read_with_passes_and_results() -> None:
    game = loaded()
    recorded = with_pass(game)
    scores = game.scores(recorded.final)
    discs = scores["black"] + (64 - sum(scores.values())) * (scores["black"] > scores["white"])
    data = wthor((discs, game.format_record(recorded, "transcript")), (20, TIGER), size=8)
    full, short = games(data)
    assert (full.moves, full.problems) == (recorded.moves, ())
    assert full.result is not None
    assert recorded.result is not None
    assert full.result.winner == recorded.result.winner
    assert (full.header("Black"), full.header("Date")) == ("player 17", "2001")
    assert moves(short).replace(" ", "") == TIGER
    assert short.result == GameResult("white", "24 points")


def test_wrong_games_of_wthor_are_reported() -> None:
    found = problems(wthor((40, "f5a1"), (40, TIGER)))
    assert found == ["game 1, ply 2, `a1`: no legal move is written so"]


def test_result_of_wthor_is_compared_with_the_position() -> None:
    game = loaded()
    recorded = random_game(game, 3)
    assert recorded.result is not None
    wrong = 10 if recorded.result.winner == "black" else 60
    found = problems(wthor((wrong, game.format_record(recorded, "transcript"))))
    assert len(found) == 1
    assert "by the rules the result is" in found[0]


def test_truncated_file_of_wthor_is_no_text() -> None:
    with pytest.raises(UsageError, match="no text"):
        games(wthor((40, TIGER))[:-1])


def test_wthor_is_not_written() -> None:
    game = loaded()
    with pytest.raises(UsageError, match="are read, not written"):
        game.format_record(random_game(game, 1), "wthor")


# independent readers


def test_lines_and_transcripts_are_those_of_creversi() -> None:
    """Compare every position of two games, and the moves of their transcripts, passes included."""
    library = pytest.importorskip("creversi", reason="creversi-python is not installed")
    game = loaded()
    notation = game.formats.positions("obf")
    for recorded in (random_game(game, 5), with_pass(game)):
        text = game.format_record(recorded, "transcript")
        board, state, at = library.Board(), recorded.start.state, 0
        for move in recorded.moves:
            line = notation.write(game.formats.position_of(state)).rstrip(";")
            letters, side = line.split()
            # Empty cells of creversi are `-`, too; the letters of discs are those of OBF.
            assert (board.to_line(), board.turn) == (letters, side == "X")
            if str(move) == "pass":
                board.move_pass()
            else:
                board.move_from_str(text[at : at + 2].upper())
                at += 2
            state = game.apply(state, move)
        assert at == len(text)
