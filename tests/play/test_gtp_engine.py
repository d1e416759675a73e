"""Engine mode of the Go Text Protocol: commands, clocks, bad input, and other programs."""

import io
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rulesengine
from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.play.engine_mode import GtpEngine, serve
from rulesengine.play.engine_mode.gtp_clock import GtpClock

ROOT = Path(__file__).parents[2]
COMMANDS = """
    protocol_version name version known_command list_commands quit boardsize clear_board komi
    fixed_handicap place_free_handicap set_free_handicap play genmove undo time_settings time_left
    final_score final_status_list loadsgf reg_genmove showboard
""".split()  # all commands of the specification, version 2


def loaded(name: str = "go", **values: int) -> Game:
    return rulesengine.load(name, engine="interpreter").bind(**values)


def answers(*lines: str, game: Game | None = None) -> list[str]:
    """Return the answer of each line that has one."""
    found: list[str] = []
    engine = GtpEngine(game or loaded(), found.append)
    for line in lines:
        engine.handle(line)
    engine.close()
    assert all(text.endswith("\n") and "\n\n" not in text for text in found)
    return [text.strip() for text in found]


def last(*lines: str, game: Game | None = None) -> str:
    return answers(*lines, game=game)[-1]


def test_all_commands_of_the_protocol_are_listed_and_known() -> None:
    (listed,) = answers("list_commands")
    names = listed.removeprefix("= ").splitlines()
    assert set(COMMANDS) <= set(names)
    assert answers(*(f"known_command {name}" for name in names)) == ["= true"] * len(names)
    assert answers("known_command nonsense", "known_command") == ["= false", "= false"]


def test_greeting_has_the_version_of_the_protocol_and_the_game() -> None:
    assert answers("protocol_version", "name") == ["= 2", "= rulesengine Go"]


def test_answers_have_the_number_of_the_command() -> None:
    assert answers("17 protocol_version", "18 nonsense") == ["=17 2", "?18 unknown command"]


def test_comments_empty_lines_and_control_characters_are_ignored() -> None:
    lines = ("", "   ", "# a comment", "3", "\x07proto\x00col_version\t # two")
    assert answers(*lines) == ["= 2"]


def test_vertices_have_no_letter_i() -> None:
    shown = last("play b J9", "play w a1", "showboard").splitlines()
    assert shown[1].split() == list("ABCDEFGHJ")
    assert shown[2] == "9 . . . . . . . . x"
    assert shown[10] == "1 o . . . . . . . ."
    assert last("play b I5") == "? invalid color or coordinate"


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (["play b z9"], "? invalid color or coordinate"),
        (["play green a1"], "? invalid color"),
        (["play b"], "? invalid color or coordinate"),
        (["play"], "? syntax error"),
        (["play b a1", "play w a1"], "? illegal move"),
        (["undo"], "? cannot undo"),
        (["boardsize 99"], "? unacceptable size"),
        (["boardsize"], "? syntax error"),
        (["boardsize many"], "? syntax error"),
        (["komi 6.25"], "? unacceptable komi"),
        (["komi 99999"], "? unacceptable komi"),
        (["komi x"], "? syntax error"),
        (["fixed_handicap 1"], "? invalid number of stones"),
        (["play b a1", "fixed_handicap 2"], "? board not empty"),
        (["set_free_handicap a1"], "? bad vertex list"),
        (["set_free_handicap a1 a1"], "? bad vertex list"),
        (["genmove"], "? syntax error"),
        (["time_settings 1 2"], "? syntax error"),
        (["time_left b 3"], "? syntax error"),
        (["loadsgf /no/such/file"], "? cannot load file"),
        (["final_status_list"], "? syntax error"),
        (["rulesengine-option level 99"], "? `level` is a number from 0 to 8, found `99`"),
    ],
)
def test_error_is_an_answer_and_the_program_goes_on(lines: list[str], answer: str) -> None:
    assert answers(*lines, "protocol_version")[-2:] == [answer, "= 2"]


def test_size_of_the_board_is_a_parameter() -> None:
    shown = last("boardsize 19", "play b T19", "play w j1", "showboard").splitlines()
    assert shown[2].endswith("x")
    assert shown[20].split()[9] == "o"


def test_second_move_of_a_colour_passes_for_the_other() -> None:
    assert answers("play b a1", "play b b1", *["undo"] * 4)[-2:] == ["=", "? cannot undo"]


def test_score_counts_the_area_with_the_komi() -> None:
    lines = ("boardsize 5", "komi 5.5", "play b c3", "play w pass", "play b pass")
    assert last(*lines, "final_score") == "= B+19.5"
    assert last(*lines, "komi 25.5", "final_score") == "= W+0.5"
    assert last(*lines, "komi 25", "final_score") == "= 0"


def test_game_without_scores_has_a_winner_only() -> None:
    game = loaded("hex", n=2)
    assert last("final_score", game=game) == "? cannot score"
    lines = ("play b a1", "play w b1", "play b a2")
    assert last(*lines, "final_score", game=game) == "= B+"


def test_handicap_is_placed_and_the_other_player_moves() -> None:
    assert last("fixed_handicap 2") == "= C3 G7"
    assert last("fixed_handicap 2", "showboard").splitlines()[-1] == "W to move"
    assert last("set_free_handicap a1 b2", "play w a1") == "? illegal move"
    assert (
        last("set_free_handicap a1 b2", "final_status_list alive") == "= A1 B2"
        or last("set_free_handicap a1 b2", "final_status_list alive") == "= B2 A1"
    )


def test_file_is_loaded_up_to_a_move(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[1]SZ[9]KM[7.5];B[aa];W[bb];B[cc])")
    assert last(f"loadsgf {path}", "showboard").splitlines()[-1] == "W to move"
    shown = last(f"loadsgf {path} 3", "showboard").splitlines()
    assert (shown[2], shown[4]) == ("9 x . . . . . . . .", "7 . . . . . . . . .")
    path.write_text("(;GM[1]SZ[9];B[aa];W[aa])")
    assert "ply 2, `W[aa]`" in last(f"loadsgf {path}")


def test_winning_move_is_found_and_played() -> None:
    game = loaded("gomoku", n=7)
    moves = [f"play {'bw'[n % 2]} {at}" for n, at in enumerate("a1 a7 b1 b7 c1 c7 d1 e7".split())]
    lines = [*moves, "reg_genmove b", "genmove b", "showboard", "genmove w"]
    found = answers("time_settings 30 0 0", *lines, game=game)
    assert found[-4:-2] == ["= E1", "= E1"]
    assert found[-2].splitlines()[8] == "1 x x x x x . ."
    assert found[-1] == "= pass"


def test_passes_after_the_end_are_accepted_and_taken_back() -> None:
    """A referee sends the pass that `genmove` returns to the other program."""
    game = loaded("othello", n=4)
    engine = ["rulesengine-option method greedy", *["genmove b", "genmove w"] * 9]
    assert answers(*engine, "play b pass", "play w pass", game=game)[-2:] == ["=", "="]
    lines = ("play b a1", "play w b1", "play b a2", "genmove w", "genmove b", "play w pass")
    game = loaded("hex", n=2)
    assert answers(*lines, game=game)[-3:] == ["= pass", "= pass", "="]
    undone = answers(*lines, *["undo"] * 4, "play b a2", "final_score", game=game)
    assert undone[-2:] == ["=", "= B+"]
    assert last(*lines, *["undo"] * 3, "final_score", game=game) == "= B+"
    assert last(*lines, "play b b2", game=game) == "? illegal move"


def test_moves_of_pieces_are_vertices() -> None:
    game = loaded("lines-of-action")
    assert last("play b B1-B3", "showboard", game=game).splitlines()[7] == "3 o x . . . . . o"
    assert last("play b B1-C4", game=game) == "? illegal move"


def test_game_for_three_players_is_refused() -> None:
    with pytest.raises(UsageError, match="is not played by two"):
        GtpEngine(loaded("yavalath-3"), print)


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"1 name", b"=1 rulesengine Go\n\n"),
        (b"1 name\r\n2 quit\r\n3 name\n", b"=1 rulesengine Go\n\n=2\n\n"),
        (b"\xff\xfe\x00\n1 quit\n", b"? unknown command\n\n=1\n\n"),
        (b"x" * 3_000_000 + b"\n1 quit\n", b"=1\n\n"),
        (b"", b""),
    ],
)
def test_program_ends_with_its_input(data: bytes, found: bytes) -> None:
    target = io.BytesIO()
    serve(loaded(), GtpEngine, io.BytesIO(data), target)
    assert target.getvalue() == found


def test_command_answers_on_standard_output() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rulesengine", "engine", "go", "--protocol", "gtp"],
        input=b"1 protocol_version\n2 quit\n",
        capture_output=True,
        check=True,
        cwd=ROOT,
    )
    assert done.stdout.split(b"\n\n")[0] == b"=1 2"
    assert done.stderr == b""


# clocks


def test_without_clocks_a_move_takes_a_second() -> None:
    clock = GtpClock()
    assert clock.seconds("black", 0) == 1
    clock.set(0, 5, 0)  # a period without stones is no limit
    assert clock.seconds("black", 0) == 1


def test_main_time_is_shared_among_moves() -> None:
    clock = GtpClock()
    clock.set(60, 0, 0)
    first = clock.seconds("black", 0.1)
    assert 0.5 < first < 5
    clock.spend("black", 50)
    assert clock.seconds("black", 0.1) < first / 3
    assert clock.seconds("white", 0.1) == first


def test_periods_follow_the_main_time() -> None:
    clock = GtpClock()
    clock.set(10, 30, 10)
    clock.spend("black", 10)
    assert 1 < clock.seconds("black", 0) <= 3
    clock.set_left("black", 4, 2)
    assert 1 < clock.seconds("black", 0) <= 2


def test_clock_of_the_client_counts() -> None:
    clock = GtpClock()
    clock.set_left("white", 0.5, 0)
    assert clock.seconds("white", 0.03) < 0.1
    clock.set_left("white", 0, 0)
    assert clock.seconds("white", 0.03) < 0.01


# other programs


def test_two_engines_play_the_game_that_a_strategy_plays_inside() -> None:
    game = loaded("othello", n=6)
    outputs: tuple[list[str], list[str]] = ([], [])
    engines = [GtpEngine(game, output.append) for output in outputs]
    for engine in engines:
        engine.handle("rulesengine-option method greedy")
    state, colours = game.initial_state(), {"black": 0, "white": 1}
    while game.outcome(state) is None:
        own = colours[state.mover]
        engines[own].handle(f"genmove {state.mover}")
        answer = outputs[own][-1].removeprefix("= ").strip()
        engines[1 - own].handle(f"play {state.mover} {answer}")
        assert outputs[1 - own][-1].strip() == "="
        move = game.choose("greedy", state)
        assert move is not None
        assert answer.lower() == str(move)
        state = game.apply(state, move)
    score = game.scores(state)
    margin = score["black"] - score["white"]
    for engine, output in zip(engines, outputs, strict=True):
        engine.handle("final_score")
        expected = f"{'B' if margin > 0 else 'W'}+{abs(margin)}" if margin else "0"
        assert output[-1].strip() == f"= {expected}"


def test_handicap_is_that_of_gnugo() -> None:
    program = shutil.which("gnugo", path="/usr/games:/usr/bin:/usr/local/bin")
    if program is None:
        pytest.skip("gnugo is not installed")
    lines = [
        line
        for size in (7, 8, 9, 11, 12, 13, 19)
        for count in range(2, 10)
        for line in (f"boardsize {size}", "clear_board", f"fixed_handicap {count}")
    ]
    done = subprocess.run(
        [program, "--mode", "gtp"],
        input="\n".join([*lines, "quit"]),
        capture_output=True,
        text=True,
        check=True,
    )
    theirs = done.stdout.split("\n\n")[2 : 3 * 7 * 8 : 3]
    # Here `boardsize` clears the board; `clear_board` would also play a game by the interpreter.
    ours = answers(*(line for line in lines if line != "clear_board"))[1::2]
    for own, other in zip(ours, theirs, strict=True):
        assert own[:1] == other[:1]
        assert own[:1] == "?" or sorted(own.split()) == sorted(other.split())


def test_client_of_sabaki_understands_the_answers() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    program = """
        const {Controller} = require('@sabaki/gtp');
        (async () => {
          const c = new Controller(process.argv[1], process.argv.slice(2));
          c.start();
          const found = [];
          for (const [name, ...args] of [['name'], ['boardsize', '5'], ['play', 'b', 'C3'],
              ['nonsense'], ['final_score'], ['quit']]) {
            const r = await c.sendCommand({name, args});
            found.push([r.error, r.content]);
          }
          console.log(JSON.stringify(found));
          await c.stop();
        })();
    """
    engine = [sys.executable, "-m", "rulesengine", "engine", "go", "--protocol", "gtp"]
    done = subprocess.run(
        [node, "-e", program, *engine], capture_output=True, text=True, check=False, cwd=ROOT
    )
    if "Cannot find module" in done.stderr:
        pytest.skip("@sabaki/gtp is not installed")
    assert json.loads(done.stdout) == [
        [False, "rulesengine Go"],
        [False, ""],
        [False, ""],
        [True, "unknown command"],
        [False, "B+17.5"],
        [False, ""],
    ]
