"""The handwritten programs against the documents: every sample run, test and stated number.

`data/documents` holds the runs as printed in the documents, without the blank lines that the
documents mangle; `> ` marks typed input.
"""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.oracles import aps105, bio04, bio97
from tests.oracles.programs import DATA, PROGRAMS, Transcript, transcripts, without_blank_lines
from tests.oracles.random_input import generate
from tests.oracles.words import LARGEST, SMALLEST, number

TRANSCRIPTS = {transcript.name: transcript for transcript in transcripts()}
DOCUMENTS = sorted((DATA / "documents").glob("*.txt"))


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS)
def test_an_oracle_prints_each_transcript_to_the_byte(transcript: Transcript) -> None:
    found = PROGRAMS[transcript.spec](transcript.input, **transcript.parameters)
    assert found == (transcript.output, transcript.exit)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_oracle_output_matches_the_document(document: Path) -> None:
    lines = document.read_text().splitlines()
    typed = "".join(line[2:] + "\n" for line in lines if line.startswith("> ")).encode()
    transcript = TRANSCRIPTS[document.stem]
    output, _ = PROGRAMS[transcript.spec](typed, **transcript.parameters)
    assert typed == transcript.input
    assert without_blank_lines(output) == [line for line in lines if not line.startswith("> ")]


def test_every_transcript_with_mangled_blank_lines_has_its_document() -> None:
    mangled = {transcript.name for transcript in TRANSCRIPTS.values() if not transcript.blank_lines}
    assert mangled == {path.stem for path in DOCUMENTS}


def test_each_board_of_the_contest_programs_is_followed_by_one_blank_line() -> None:
    output, _ = bio97.run(b".... .*0. .0*. .... 0 3 5 -1", 1)
    empty = "........\n"
    start = empty * 3 + "...*0...\n...0*...\n" + empty * 3
    moved = empty * 3 + "..000...\n...0*...\n" + empty * 3
    assert output.decode() == f"Strategy 1\n{start}\n{moved}\n"


# The fragments of the first APS105 sample that the document still has, in order. A move is followed
# by the lines of the next board that the document kept.
FRAGMENTS = [
    ("Enter the board dimension: ", []),
    ("Computer plays (B/W) : ", ["  abcd", "a UUUU"]),
    ("> ba", []),
    ("Computer places W at aa.", ["  abcd", "a WUUU", "d UUUU"]),
    ("> ab", []),
    ("Computer places W at ac.", ["  abcd", "b BBWU"]),
    ("> bd", ["  abcd", "c UBWU"]),
    ("Computer places W at ca.", []),
    ("> da", ["  abcd", "a WWWU"]),
    ("Computer places W at cd.", ["  abcd", "b WWWB"]),
    ("> dd", ["  abcd", "c WBWB"]),
    ("Computer places W at db.", []),
    ("> dc", ["  abcd", "a WWWU"]),
    ("W player has no valid move.", []),
    ("> ad", []),
    ("B player wins.", []),
]


def test_the_first_sample_of_aps105_has_every_fragment_that_survived() -> None:
    transcript = TRANSCRIPTS["aps105-sample-1"]
    typed = [text[2:] for text, _ in FRAGMENTS if text.startswith("> ")]
    assert transcript.input.decode().split() == ["4", "W", *typed]
    rest = transcript.output.decode()
    for text, rows in FRAGMENTS:
        event = "Enter move for colour B (RowCol): " if text.startswith("> ") else text
        before, found, rest = rest.partition(event)
        assert found, f"{text} is missing"
        assert re.fullmatch(r"\n?(  abcd\n([a-d] [BUW]{4}\n){4})?", before)
        shown = rest.lstrip("\n").split("\n")[:5]
        assert set(rows) <= set(shown), f"after {text}"
    assert rest == "\n"


def test_the_second_sample_of_aps105_ends_with_the_illegal_move() -> None:
    output = TRANSCRIPTS["aps105-sample-2"].output.decode()
    assert TRANSCRIPTS["aps105-sample-2"].input.decode().split() == ["6", "B", "fa"]
    assert output.startswith("Enter the board dimension: Computer plays (B/W) :   abcdef\n")
    assert "Computer places B at bc.\n  abcdef\n" in output
    end = "Enter move for colour W (RowCol): Invalid move.\nB player wins.\n"
    assert output.endswith(end)


# BIO 1997, question 2(b): Black moves to (4,4), four from the left and from the bottom.
NINETEEN = "...*...* *..0..0. .0.0.0.. ..000... *00.000* ..000... .0.0.0.. *..*..*."


def test_the_most_pieces_that_one_move_turns_are_nineteen() -> None:
    board = [list(row) for row in NINETEEN.split()]
    assert bio97.play(board, bio97.BLACK, (4 - 1, 8 - 4)) == 19


# BIO 1997, question 2(d).
FINAL = "00**0*0* 0****00* **0**0*0 00*0000* *0*0**00 0*0***0* ***00**0 **0**0*0"


def earlier(board: bio97.Board, player: str) -> Iterator[tuple[bio97.Board, bio97.Square]]:
    """Yield the boards before a player's last move, as the document counts them, and that move.

    For each possible last piece of the player: in every direction, any number of the player's
    adjacent pieces may have been flipped, except the last one of the row.
    """
    for y, x in itertools.product(range(8), range(8)):
        if board[y][x] != player:
            continue
        rows = [_row(board, player, x, y, d) for d in itertools.product((-1, 0, 1), repeat=2)]
        for turned in itertools.product(*(range(max(1, len(row))) for row in rows)):
            before = [row[:] for row in board]
            before[y][x] = bio97.EMPTY
            for row, n in zip(rows, turned, strict=True):
                for x1, y1 in row[:n]:
                    before[y1][x1] = bio97.opponent(player)
            yield before, (x, y)


def _row(
    board: bio97.Board, player: str, x: int, y: int, direction: tuple[int, ...]
) -> list[bio97.Square]:
    """Return the player's consecutive pieces from the next square in one direction."""
    found: list[bio97.Square] = []
    while direction != (0, 0):
        x, y = x + direction[0], y + direction[1]
        if not bio97.is_on(x, y) or board[y][x] != player:
            break
        found.append((x, y))
    return found


def test_the_last_move_of_question_2d_has_97_pasts_and_the_last_two_have_8037() -> None:
    final = [list(row) for row in FINAL.split()]
    one = list(earlier(final, bio97.BLACK))
    assert len(one) == 97
    assert sum(1 for board, _ in one for _ in earlier(board, bio97.WHITE)) == 8037


def test_a_move_turns_back_all_that_a_past_of_question_2d_says_it_turned() -> None:
    final = [list(row) for row in FINAL.split()]
    for board, square in earlier(final, bio97.BLACK):
        differs = {(x, y) for y in range(8) for x in range(8) if board[y][x] != final[y][x]}
        assert square in bio97.legal_squares(board)
        assert differs <= {square, *bio97.turned_by(board, bio97.BLACK, square)}


# BIO 2004: the three boards of the statement, with 1 and 2 for the players, the mover and the move.
FOUR_EXAMPLES = [
    ("....... ....... ....... ....... ...222. ...111.", 1, 3),
    ("....... ....... 1...... 21..... 221..1. 221..1.", 2, 4),
    ("....... ....... ....... ....... .122... .211...", 1, 1),
]


@pytest.mark.parametrize(("rows", "player", "column"), FOUR_EXAMPLES)
def test_the_simple_strategy_moves_as_the_statement_shows(
    rows: str, player: int, column: int
) -> None:
    columns = [
        [bio04.PIECES[int(symbol) - 1] for symbol in reversed(column) if symbol != "."]
        for column in zip(*rows.split(), strict=True)
    ]
    assert bio04.choose(columns, player - 1) == column - 1


def test_numbers_are_ascii_digits_and_stay_within_64_bits() -> None:
    values = {b"0": 0, b"-0": 0, b"-1": -1, b"007": 7, b"9223372036854775807": LARGEST}
    values |= {b"9" * 6000: LARGEST, b"-9223372036854775809": SMALLEST, b"-" + b"1" * 99: SMALLEST}
    assert {word: number(word) for word in values} == values
    others = [b"+5", b"1.5", b"3a", b"-", b"--1", b"1_0", "\u0661".encode(), "1\u00a0".encode()]
    assert [number(word) for word in others] == [None] * len(others)


@pytest.mark.slow
@pytest.mark.parametrize("spec", PROGRAMS)
def test_random_input_is_the_same_for_a_seed_and_holds_good_and_bad_runs(spec: str) -> None:
    assert generate(spec, 3) == generate(spec, 3)
    runs = []
    for seed in range(60):
        parameters, data = generate(spec, seed)
        runs.append(PROGRAMS[spec](data, **parameters))
    assert {code for _, code in runs} == {0, 1}
    assert len({output for output, _ in runs}) > 30


@pytest.mark.slow
def test_random_input_meets_passes_and_every_way_a_game_of_aps105_ends() -> None:
    outputs = b"".join(aps105.run(generate("aps105-reversi", seed)[1])[0] for seed in range(150))
    for part in (b"B player has", b"W player has", b"B player w", b"W player w", b"Draw!", b"Inv"):
        assert part in outputs
