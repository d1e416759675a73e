"""Conversion between records and formats, and the commands that read games of other programs."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import rulesengine
from rulesengine.errors import NotationError
from rulesengine.formats.values import GameResult
from rulesengine.play import (
    read_record,
    recorded_game,
    recorded_games,
    replay,
    to_record,
    write_record,
)
from rulesengine.play.records.conversion import from_record
from rulesengine.state import Outcome

PGN = """[White "Ann"]
[Black "Bob"]
[Result "{0}"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 {1} {0}
"""
CHESS = rulesengine.load("chess", engine="interpreter")
FEN = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"


def command(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run the program on arguments."""
    line = [sys.executable, "-m", "rulesengine", *arguments]
    return subprocess.run(line, input=stdin, capture_output=True, text=True, timeout=100)


@pytest.fixture
def pgn(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    text = PGN.format("1-0", "Nf6 4. Qxf7#") + "\n" + PGN.format("0-1", "Ke7 4. Ke3")
    path.write_text(text, encoding="latin-1")
    return path


def test_commands_load_the_game_with_the_size_and_komi_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[1]SZ[19]KM[6.5];B[sa];W[as])")
    done = command("convert", "go", str(path), "--to", "sgf")
    assert (done.returncode, "SZ[19]KM[6.5]" in done.stdout.replace("\n", "")) == (0, True)
    done = command("replay", str(path), "--spec", "go", "--json")
    assert json.loads(done.stdout)["plies"] == 2, done.stderr


def test_no_position_is_written_for_one_that_is_refused() -> None:
    done = command("convert", "chess", "-", "--to", "fen", stdin=f"{FEN} bm 1;2;\n{FEN}\n")
    assert (done.returncode, done.stdout) == (1, f"{FEN}\n")
    assert "game 1" in done.stderr
    assert "expected an operation of EPD" in done.stderr


@pytest.mark.parametrize("name", ["replay", "annotate"])
def test_no_board_is_printed_for_a_position_that_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    path.write_text('[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"]\n\n1. Kd1 *\n')
    done = command(name, str(path), "--spec", "chess")
    assert (done.returncode, done.stdout) == (1, "")
    assert "impossible position: the side not to move is in check" in done.stderr


@pytest.mark.parametrize(
    ("result", "moves", "outcome", "stated"),
    [
        ("1-0", "Nf6 4. Qxf7#", Outcome("white", "checkmate"), None),
        ("1-0", "Nf6", None, GameResult("white")),
        ("1/2-1/2", "Nf6", None, GameResult(None)),
        ("*", "Nf6", None, None),
    ],
)
def test_result_of_the_rules_and_stated_result_survive_in_records(
    result: str, moves: str, outcome: Outcome | None, stated: GameResult | None
) -> None:
    recorded = recorded_game(CHESS, PGN.format(result, moves))
    record = read_record(write_record(to_record(CHESS, recorded)))
    assert (record.result, record.stated) == (outcome, stated)
    assert replay(CHESS, record).differences == ()
    again = from_record(CHESS, record)
    assert [*again.moves] == [*recorded.moves]
    assert (again.result and again.result.winner) == (recorded.result and recorded.result.winner)
    assert again.headers == recorded.headers


def test_claimed_draw_is_the_result_of_a_record_only_if_it_is_stated() -> None:
    text = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 "
    third = Outcome(None, "the position is there for the third time")
    for result, outcome, stated in (
        ("1/2-1/2", third, None),
        ("*", None, None),
        ("0-1", None, GameResult("black")),
    ):
        record = to_record(CHESS, recorded_game(CHESS, text + result))
        assert (record.result, record.stated) == (outcome, stated)
        assert replay(CHESS, record).differences == ()


def test_lines_of_positions_are_read_one_by_one() -> None:
    found = list(recorded_games(CHESS, f"{FEN}\n8/8/8/8/8/8/8/8 w - - 0 1\n{FEN}\n"))
    assert [len(game.problems) for game in found] == [0, 1, 0]
    assert str(found[1].problems[0]).startswith("game 2, `8/8/8/8/8/8/8/8 w - - 0 1`: impossible")


def test_missing_game_and_game_with_errors_are_errors() -> None:
    with pytest.raises(NotationError, match="there is no game 2: the text has 1"):
        recorded_game(CHESS, "1. e4 *", 2)
    with pytest.raises(NotationError, match="game 1, ply 2, `Ke3`"):
        recorded_game(CHESS, "1. e4 Ke3 *")


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_empty_text_is_an_error_of_its_own(text: str) -> None:
    with pytest.raises(NotationError, match="expected a game or a position, found an empty text"):
        recorded_game(CHESS, text)


def test_convert_writes_other_formats_and_reports_errors(pgn: Path) -> None:
    ran = command("convert", "chess", str(pgn), "--to", "uci")
    assert ran.stdout.splitlines() == [
        "e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7",
        "e2e4 e7e5 f1c4 b8c6 d1h5 e8e7",
    ]
    assert "game 2, ply 7, `Ke3`: no legal move is written so" in ran.stderr
    assert ran.returncode == 1


def test_convert_goes_to_a_record_and_back(pgn: Path, tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    ran = command("convert", "chess", str(pgn), "--game", "1", "--to", "record", "-o", str(record))
    assert (ran.returncode, ran.stderr) == (0, "")
    back = command("convert", "chess", str(record), "--to", "pgn").stdout
    assert "4. Qxf7# 1-0" in back
    assert '[White "Ann"]' in back


def test_convert_reads_standard_input_and_writes_the_last_position() -> None:
    ran = command("convert", "chess", "-", "--to", "fen", stdin="1. e4 e5 *")
    expected = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    assert ran.stdout.strip() == expected


@pytest.mark.parametrize(("options", "passed"), [((), "-"), (("--passed",), "e3")])
def test_convert_names_a_passed_cell_on_request(options: tuple[str, ...], passed: str) -> None:
    done = command("convert", "chess", "-", "--to", "fen", *options, stdin="1. e4 *")
    assert done.stdout.split()[3] == passed, done.stderr


def test_replay_checks_all_games_or_one(pgn: Path) -> None:
    ran = command("replay", str(pgn), "--spec", "chess")
    assert (ran.stdout, ran.returncode) == ("2 games, 1 error\n", 1)
    first = command("replay", str(pgn), "--spec", "chess", "--game", "1")
    assert (first.returncode, "white wins" in first.stdout.lower()) == (0, True)


@pytest.mark.parametrize("name", ["text", "file", "game"])
def test_position_is_a_text_a_file_or_a_game(name: str, pgn: Path, tmp_path: Path) -> None:
    file = tmp_path / "position.fen"
    file.write_text(f"{FEN}\n")
    given = {"text": FEN, "file": str(file), "game": str(pgn)}[name]
    ran = command("draw", "chess", "--position", given)
    assert (ran.returncode, ran.stdout.startswith("<svg")) == (0, True)


def test_play_continues_a_game_of_another_program(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    file.write_text("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 *")
    ran = command("play", "chess", "--load", str(file), stdin="Nf6\nquit\n")
    assert ran.returncode == 0
    assert "Nf6" not in ran.stderr
    assert "5" in ran.stdout


def test_annotate_goes_on_after_a_claim(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    file.write_text("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 *")
    ran = command("annotate", str(file), "--spec", "chess", "--nodes", "50")
    assert (ran.returncode, len(ran.stdout.splitlines())) == (0, 9)
