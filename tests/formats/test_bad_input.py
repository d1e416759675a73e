"""Bad input in every format: truncated, in other encodings, with endless lines, of other games."""

import contextlib
import random
import re
import struct
import tracemalloc
import zlib
from functools import cache

import pytest

import rulesengine
from rulesengine.errors import RulesError, UsageError
from rulesengine.formats.values import RecordedGame
from rulesengine.game import Game

# A whole game of each format, by the name of a game and the format.
SAMPLES: dict[tuple[str, str], str] = {
    ("chess", "pgn"): '[White "Jón"]\n[Result "1-0"]\n\n1. e4 {good} e5 (1... c5) 2. Nf3 $1 1-0\n',
    ("english-draughts", "pdn"): '[White "Jón"]\n\n1. 11-15 {good} 23-19 2. 8-11 1-0\n',
    ("go", "sgf"): "(;FF[4]GM[1]SZ[9]PB[Jón]KM[7.5]RE[B+R];B[dd]C[good](;W[cc])(;W[gg]))\n",
    ("othello", "transcript"): "f5d6c3\n",
    ("othello", "ggf"): (
        "(;GM[Othello]PB[Jón]PW[Bob]TY[8]RE[+2.00:r]BO[8 -------- -------- -------- "
        "---O*--- ---*O--- -------- -------- -------- *]B[F5//0.01]W[D6]B[C3];)\n"
    ),
    ("othello", "obf"): "-" * 27 + "O*------*O" + "-" * 27 + " *; F5:+2;\n",
    ("backgammon", "tables"): (
        " 3 point match\n\n Game 1\n Jón : 0                           Bob : 0\n"
        "  1) 31: 8/5 6/5                    52: 13/8 24/22\n      Wins 1 point\n"
    ),
    ("backgammon", "sgf"): "(;FF[4]GM[6]PW[Jón];W[31hefe]C[good](;B[52lqac])(;B[43adlp]))\n",
    ("xiangqi", "wxf"): "FORMAT WXF\nRED Jón\nRESULT 1-0\nSTART{\n1. P3+1 c8.7 {good} }END\n",
}
CUTS = 9


@cache
def game_of(name: str) -> Game:
    return rulesengine.load(name, engine="interpreter")


def read(key: tuple[str, str], data: bytes) -> list[RecordedGame]:
    """Return the games of bytes; a position is a game."""
    game = game_of(key[0])
    if key[1] != "obf":
        return list(game.read_games(data))
    game.state_from(data.decode("utf-8", "replace"))
    return []


@pytest.mark.parametrize("key", SAMPLES, ids="-".join)
def test_truncated_text_is_read_up_to_its_end_or_refused(key: tuple[str, str]) -> None:
    data = SAMPLES[key].encode()
    whole = read(key, data)
    for cut in range(0, len(data), max(1, len(data) // CUTS)):
        try:
            found = read(key, data[:cut])
        except RulesError:
            continue
        assert len(found) <= len(whole), cut
        for cut_game, full in zip(found, whole, strict=False):
            assert full.moves[: len(cut_game.moves)] == cut_game.moves, cut


@pytest.mark.parametrize("key", SAMPLES, ids="-".join)
def test_damaged_text_raises_no_other_error(key: tuple[str, str]) -> None:
    chosen, data = random.Random(5), bytearray(SAMPLES[key].encode())
    for _ in range(12):
        damaged = bytearray(data)
        for _ in range(3):
            damaged[chosen.randrange(len(damaged))] = chosen.choice(b'(){}[];\\"\x00\xff/ 9aZ')
        with contextlib.suppress(RulesError):
            read(key, bytes(damaged))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "latin-1"])
@pytest.mark.parametrize("key", SAMPLES, ids="-".join)
def test_encodings_and_byte_order_marks_are_accepted(key: tuple[str, str], encoding: str) -> None:
    if key[1] == "obf":
        pytest.skip("a position is a text, not bytes")
    plain = read(key, SAMPLES[key].encode())
    found = read(key, SAMPLES[key].replace("\n", "\r\n").encode(encoding))
    assert [(game.moves, game.headers) for game in found] == [
        (game.moves, game.headers) for game in plain
    ]


@pytest.mark.parametrize(
    "text",
    [
        "1. e4 { a { b } e5 2. Nf3 *",
        "1. e4 { a ; b } e5 2. Nf3 *",
        "1. e4 ; { to the end of the line\ne5 2. Nf3 *",
        "1. e4 (1. d4 { ) } d5) e5 2. Nf3 *",
    ],
)
def test_comments_do_not_nest(text: str) -> None:
    (game,) = read(("chess", "pgn"), text.encode())
    assert [str(move) for move in game.moves] == ["e2e4", "e7e5", "g1f3"]
    assert game.problems == ()


def test_brace_after_a_nested_comment_is_an_error_of_its_game() -> None:
    games = read(("chess", "pgn"), b"1. e4 { a { b } c } e5 *\n\n1. d4 *")
    assert [len(game.problems) > 0 for game in games] == [True, False]


LINES = [
    (("chess", "pgn"), '[Event "' + "x" * 1_000_000 + '"]\n\n1. e4 *'),
    (("chess", "pgn"), "1. " + "e" * 1_000_000),
    (("backgammon", "tables"), " 3 point match\n\n Game 1\n  1) " + "x" * 1_000_000),
    (("othello", "obf"), "-" * 1_000_000 + " X"),
]
LONG_LINES = [
    (("chess", "pgn"), "1. e4 " + "e5 " * 300_000 + "*"),
    (("chess", "pgn"), "1. e4 " + "(" * 1_000_000),
    (("english-draughts", "pdn"), "1. 11-15 " + "x" * 1_000_000),
    (("english-draughts", "pdn"), "1. " + "11-15" * 200_000),
    (("othello", "ggf"), "(;GM[Othello]BO[" + "-" * 1_000_000 + "];)"),
    (("othello", "ggf"), "(;GM[Othello]B[" + "F" * 1_000_000 + "];)"),
    (("backgammon", "tables"), " 3 point match\n\n Game 1\n  1) 31: " + "8/5" * 330_000),
    (("go", "sgf"), "(;" + "B[dd]" * 200_000 + ")"),
    (("go", "sgf"), "(;B[dd]" + "(" * 1_000_000),
    (("othello", "transcript"), "f5" * 500_000),
    (("xiangqi", "wxf"), "FORMAT WXF\nSTART{ " + "C2.5 " * 200_000),
]


@pytest.mark.parametrize(
    ("key", "text"),
    [*LINES, *(pytest.param(*row, marks=pytest.mark.deep) for row in LONG_LINES)],
)
def test_line_of_a_million_characters_is_read_or_an_error(key: tuple[str, str], text: str) -> None:
    try:
        (game,) = read(key, text.encode())
    except RulesError:
        return
    assert len(game.moves) <= 2
    assert len(game.problems) <= 3
    assert all(len(problem.text) <= 60 for problem in game.problems)


@pytest.mark.parametrize(
    ("key", "text", "reason"),
    [
        (("chess", "pgn"), '[Variant "Atomic"]\n\n1. e4 *', "another variant than Chess"),
        (("english-draughts", "pdn"), '[GameType "20"]\n\n1. 32-28 *', "another type"),
        (("go", "sgf"), "(;GM[2];B[dd])", "another type than GM[1]"),
        (("go", "sgf"), "(;GM[1]SZ[19:9];B[dd])", "the board of the game is 9 x 9"),
        (("othello", "ggf"), "(;GM[Chess]B[f5];)", "another type than Othello"),
        (("backgammon", "sgf"), "(;GM[1];W[31hefe])", "another type than Backgammon"),
        # as gnubg writes them
        (("backgammon", "sgf"), "(;GM[6]RU[Crawford:Nackgammon];W[31hefe])", "another variant"),
        (
            ("backgammon", "tables"),
            '; [Variation "NackGammon"]\n\n 3 point match\n\n Game 1\n  1) 31: 8/5 6/5\n',
            "`NackGammon`: a game of another variant than Backgammon",
        ),
    ],
)
def test_game_of_another_variant_is_reported(key: tuple[str, str], text: str, reason: str) -> None:
    (game,) = read(key, text.encode())
    assert reason in str(game.problems[0])
    assert game.moves == ()


def test_missing_result_is_that_of_the_header_or_none() -> None:
    (game,) = read(("chess", "pgn"), b'[Result "0-1"]\n\n1. e4')
    assert game.result is not None
    assert (game.result.winner, game.problems) == ("black", ())
    (game,) = read(("chess", "pgn"), b"1. e4")
    assert (game.result, game.problems) == (None, ())


FULL = " ".join(["*" * 8] * 7)
CONTRADICTED = {
    ("chess", "pgn"): ("1. f3 e5 2. g4 Qh4# 1-0", "0-1, checkmate"),
    ("english-draughts", "pdn"): ('[FEN "B:W18:B15"]\n\n1. 15x22 1-0', "0-1, no move left"),
    ("othello", "ggf"): (f"(;GM[Othello]TY[8]RE[-64]BO[8 *O-***** {FULL} *]B[C1];)", "black wins"),
    ("xiangqi", "wxf"): (
        "FORMAT WXF\nRESULT 0-1\nFEN 3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1\nSTART{\n1. R9=6 }END",
        "1-0, ",
    ),
}


@pytest.mark.parametrize("key", CONTRADICTED, ids="-".join)
def test_result_that_contradicts_the_position_is_reported(key: tuple[str, str]) -> None:
    text, result = CONTRADICTED[key]
    (game,) = read(key, text.encode())
    assert len(game.problems) == 1
    assert f"by the rules the result is {result}" in str(game.problems[0])


def zip_bomb() -> bytes:
    """Return a member of a zip file of 16 MiB of zeros, which has some 16 kB."""
    packed = zlib.compress(bytes(2**24), 9)[2:-4]
    sizes = (zlib.crc32(bytes(2**24)), len(packed), 2**24, 1, 0)
    return struct.pack("<4s5H3I2H", b"PK\x03\x04", 20, 0, 8, 0, 0, *sizes) + b"a" + packed


def test_compressed_file_is_not_opened() -> None:
    data = zip_bomb()
    tracemalloc.start()
    with pytest.raises(UsageError, match=re.escape("compressed, which is not opened")):
        read(("chess", "pgn"), data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**22
