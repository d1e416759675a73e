"""The output of each command."""

from pathlib import Path

import pytest

from rulesengine.support.resources import bundled_names
from tests.helpers.cli_calls import call
from tests.helpers.each_game import OTHERS, each_game

SPEC = """\
spec: 1
name: A small game
parameters:
  n: {type: integer, from: 2, to: 9, default: 3}
  who: {choices: [left, right], default: left}
  slow: {type: flag, default: false}
board: {rows: n, columns: n}
players: [left, right]
pieces: {stone: {left: x, right: o}, empty: "."}
rules:
  moves: {place: stone, to: empty}
  end: [{when: none(empty) or slow and mover = who, result: draw, reason: the board is full}]
"""


@pytest.fixture
def small(tmp_path: Path) -> str:
    path = tmp_path / "small.yaml"
    path.write_text(SPEC)
    return str(path)


# perft and playout; the numbers are published ones


def test_perft_prints_the_number_alone() -> None:
    done = call("perft", "tic-tac-toe", "4")
    assert (done.code, done.out, done.err) == (0, "3024\n", "")


def test_perft_counts_one_sequence_of_no_moves() -> None:
    assert call("perft", "tic-tac-toe", "0").out == "1\n"
    assert call("perft", "tic-tac-toe", "0", "--divide").out == "1\n"


def test_divide_prints_moves_in_order_and_the_total_last() -> None:
    done = call("perft", "othello", "2", "--divide")
    assert done.out == "d3 3\nc4 3\nf5 3\ne6 3\n12\n"


def test_perft_as_json_is_one_object() -> None:
    done = call("perft", "othello", "2", "--json")
    assert done.json() == {"depth": 2, "nodes": 12, "divide": {"d3": 3, "c4": 3, "f5": 3, "e6": 3}}


def test_a_parameter_is_set() -> None:
    assert call("perft", "tic-tac-toe", "2", "--set", "m=4", "--set", "n=2").out == "56\n"


def test_games_that_are_over_count_when_they_are_to_be_kept(small: str) -> None:
    board = ("--set", "n=2")
    assert call("perft", small, "5", *board).out == "0\n"
    assert call("perft", small, "5", *board, "--ended", "keep").out == "24\n"
    assert call("perft", small, "5", *board, "--ended", "keep", "--divide").out.endswith("\n24\n")


def test_a_free_pass_takes_no_ply(tmp_path: Path) -> None:
    path = tmp_path / "passes.yaml"
    # The second player always passes, so n plies of the first player fill the board.
    passes = "moves: [{place: stone, to: empty, when: mover = left}, otherwise, pass]"
    path.write_text(SPEC.replace("moves: {place: stone, to: empty}", passes))
    words = ("perft", str(path), "2", "--set", "n=2")
    assert call(*words).out == "4\n"
    assert call(*words, "--passes", "free").out == "12\n"
    assert call(*words, "--passes", "free", "--divide").out == "a1 3\nb1 3\na2 3\nb2 3\n12\n"


def test_playouts_add_up_and_repeat() -> None:
    words = ("playout", "tic-tac-toe", "50", "--json", "--seed")
    one, again, other = call(*words, "7").json(), call(*words, "7").json(), call(*words, "8").json()
    keys = ["games", "seed", "wins", "draws", "unfinished", "mean_length", "checksum"]
    assert list(one) == keys
    assert list(one["wins"]) == ["cross", "nought"]
    assert sum(one["wins"].values()) + one["draws"] == one["games"] == 50
    assert (one["seed"], one["unfinished"]) == (7, 0)
    assert 5 <= one["mean_length"] <= 9
    assert one == again
    assert one["checksum"] != other["checksum"]


def test_playouts_as_text_say_the_same() -> None:
    words = ("playout", "tic-tac-toe", "5", "--seed", "1")
    shown = call(*words, "--json").json()
    lines = call(*words).out.splitlines()
    assert f"checksum: {shown['checksum']}" in lines
    assert f"wins of cross: {shown['wins']['cross']}" in lines


# run

PICTURE = "........\n........\n...0*...\n..0..0..\n..0000..\n..0*.0..\n........\n........\n"


def test_run_reads_and_prints_as_the_spec_says() -> None:
    done = call("run", "bio97-othello", stdin=b".0*.\n0..0\n0000\n0*.0\n-1\n")
    assert (done.code, done.err) == (0, "")
    assert done.out == f"Strategy 1\n{PICTURE}\n"


def test_run_takes_parameters_that_the_input_does_not_give() -> None:
    done = call("run", "bio97-othello", "--set", "strategy=2", stdin=b".0*.\n0..0\n0000\n0*.0\n")
    assert done.out == f"Strategy 2\n{PICTURE}\n"


def test_a_parameter_that_the_input_gives_is_not_to_be_set() -> None:
    done = call("run", "aps105-reversi", "--set", "n=4", stdin=b"4 B")
    assert (done.code, done.out) == (2, "")
    assert "`n`" in done.err


def test_output_before_an_input_error_is_printed() -> None:
    done = call("run", "aps105-reversi", stdin=b"5\n")
    assert done.code == 1
    assert done.out == "Enter the board dimension: "
    assert done.err.startswith("rulesengine: ")
    assert done.err.count("\n") == 1


# check


@pytest.mark.slow
def test_a_spec_without_findings_is_ok(small: str) -> None:
    done = call("check", small, "hex")
    assert (done.code, done.out, done.err) == (0, f"{small}: ok\nhex: ok\n", "")


def test_check_shows_the_findings_of_all_files_and_counts_them(tmp_path: Path) -> None:
    one, other = tmp_path / "one.yaml", tmp_path / "other.yaml"
    one.write_text(SPEC.replace("none(empty)", "none(emty)"))
    other.write_text(SPEC.replace("pieces:", "peices:"))
    done = call("check", str(one), "hex", str(other))
    assert done.code == 1
    assert done.err == ""
    assert f"--> {one}:12:21" in done.out
    assert "did you mean `pieces`?" in done.out
    assert "\nhex: ok\n" in done.out
    assert done.out.splitlines()[-1].endswith(" errors, 0 warnings")


def test_check_as_json_is_one_object(tmp_path: Path) -> None:
    path = tmp_path / "one.yaml"
    path.write_text(SPEC.replace("none(empty)", "none(emty)"))
    (finding,) = call("check", "--json", str(path)).json()["diagnostics"]
    keys = "file line column end_column severity code message help fix".split()
    assert list(finding) == keys
    place = [finding[key] for key in keys[:5]]
    assert place == [str(path), 12, 21, 25, "error"]
    assert "`empty`" in finding["help"]
    assert call("check", "--json", "hex").json() == {"diagnostics": []}


def test_a_missing_file_does_not_keep_the_others_from_being_checked(small: str) -> None:
    done = call("check", "no-such-game", small)
    assert (done.code, done.out) == (2, f"{small}: ok\n")
    assert "no-such-game" in done.err


@pytest.mark.slow
def test_check_and_show_read_standard_input(small: str) -> None:
    assert call("check", "-", stdin=SPEC.encode()).out == "-: ok\n"
    wrong = call("check", "-", stdin=b"spec: 1\n")
    assert wrong.code == 1
    assert "<stdin>:1:1" in wrong.out
    shown = call("show", "-", "--stage", "resolved", stdin=SPEC.encode())
    assert shown.out == call("show", small, "--stage", "resolved").out


# list and show


@pytest.mark.slow
def test_list_names_the_bundled_specs_with_summaries_and_parameters() -> None:
    short = call("list").out.splitlines()
    assert [line.split()[0] for line in short] == list(bundled_names())
    lines = call("list", "--parameters").out.splitlines()
    assert [line.split()[0] for line in lines if line[0] != " "] == list(bundled_names())
    line = next(line for line in short if line.startswith("tic-tac-toe "))
    assert line.split(maxsplit=1)[1] == "three in a row win [alignment]"
    at = next(i for i, line in enumerate(lines) if line.startswith("othello "))
    assert lines[at + 1].strip() == "n: a number from 4 to 26 in steps of 2 (default 8)"


def test_list_as_json_is_one_object() -> None:
    games = {game["name"]: game for game in call("list", "--json").json()["games"]}
    assert list(games) == list(bundled_names())
    assert games["othello"] == {
        "name": "othello",
        "title": "Othello",
        "summary": "bracket and flip; most discs win",
        "tags": ["flipping", "scoring"],
        "aliases": [],
        "players": [2],
        "parameters": {"n": {"default": 8, "from": 4, "to": 26, "step": 2}},
    }


def test_stages_show_the_effect_of_each_pass(tmp_path: Path, small: str) -> None:
    child = tmp_path / "child.yaml"
    child.write_text("extends: small.yaml # a comment\nname: Smaller\n")
    assert call("show", str(child), "--stage", "document").out == (
        "extends: small.yaml\nname: Smaller\n"
    )
    resolved = call("show", str(child), "--stage", "resolved").out
    assert "name: Smaller\n" in resolved
    assert "extends" not in resolved
    assert "rows: n" in resolved
    program = call("show", str(child), "--stage", "program")
    assert program.code == 0
    assert '"Smaller"' in program.out


def test_a_document_with_findings_further_on_is_shown_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("peices: 1\n")
    assert call("show", str(path), "--stage", "document").out == "peices: 1\n"
    later = call("show", str(path), "--stage", "resolved")
    assert (later.code, later.out) == (1, "")
    assert "did you mean `pieces`?" in later.err


def test_the_stage_syntax_expands_every_phrase(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    more = 'start: put stone on empty where row(it) = 1\nio: |\n  print "{own touching empty}"\n'
    path.write_text(SPEC.replace("to: empty}", "to: empty touching own}") + more)
    lines = call("show", str(path), "--stage", "syntax").out.splitlines()
    assert lines[lines.index("rules.moves.to: empty touching own") + 1] == (
        "  = empty and neighbours(own)"
    )
    assert lines[lines.index("start: put stone on empty where row(it) = 1") + 1] == (
        "  = put stone on where(it in empty, row(it) = 1)"
    )
    assert lines[-2:] == [
        'io line 15: "{own touching empty}"',
        '  = "{own and neighbours(empty)}"',
    ]
    assert "rules.end[0].result: draw" in lines
    assert "board.rows: n" in lines


@each_game(quick=(), deep=OTHERS)
def test_every_bundled_spec_has_its_stages(name: str) -> None:
    for stage in ("document", "resolved", "syntax", "program", "optimised"):
        done = call("show", name, "--stage", stage)
        assert (done.code, done.err) == (0, "")
        assert done.out.endswith("\n")
        assert call("show", name, "--stage", stage, "--json").json() == {
            "stage": stage,
            "text": done.out,
        }


@pytest.mark.slow
def test_a_parameter_changes_the_program_and_belongs_to_no_earlier_stage() -> None:
    words = ("show", "othello", "--stage")
    assert call(*words, "program", "--set", "n=4").out != call(*words, "program").out
    assert call(*words, "optimised", "--set", "n=4").out != call(*words, "optimised").out
    assert call(*words, "resolved", "--set", "n=4").code == 2


@pytest.mark.slow
def test_the_program_that_kernels_are_made_of_holds_sets_for_loops() -> None:
    shown = {
        stage: call("show", "othello", "--stage", stage).out for stage in ("program", "optimised")
    }
    assert "(each:" in shown["program"]
    assert "(each:" not in shown["optimised"]
    assert "(toward:cells" in shown["optimised"]
