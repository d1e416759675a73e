"""Engine mode of the Chess Engine Communication Protocol: commands, clocks, bad input, a client."""

import io
import sys
from collections.abc import Iterator

import pytest

import rulesengine
from rulesengine.errors import UsageError
from rulesengine.play.engine_mode import XboardEngine, serve
from rulesengine.play.engine_mode.session import Clock
from rulesengine.play.engine_mode.xboard_clock import XboardClock

MATE = "setboard 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"
PAWN = "setboard 8/8/4k3/8/8/3K4/4P3/8 w - - 0 1"
COMMAND = [sys.executable, "-m", "rulesengine", "engine", "chess", "--engine", "interpreter"]
CHESS = rulesengine.load("chess", engine="interpreter")
XIANGQI = rulesengine.load("xiangqi", engine="interpreter")


def answers(*lines: str, game: rulesengine.Game = CHESS) -> list[str]:
    """Return the lines that the engine prints; it moves before the next line is handled."""
    found: list[str] = []
    engine = XboardEngine(game, found.append)
    for line in lines:
        engine.handle(line)
        engine.join()
    engine.close()
    return found


def test_greeting_declares_features_and_options() -> None:
    lines = answers("xboard", "protover 2")
    assert (lines[0], lines[-1]) == ("feature done=0", "feature done=1")
    features = " ".join(lines)
    for feature in ("ping=1", "setboard=1", "usermove=1", "analyze=1", "memory=1", "smp=1"):
        assert f" {feature}" in features
    assert 'variants="normal"' in features
    assert 'option="Level -spin 0 0 8"' in features


@pytest.mark.parametrize("limit", ["sd 1", "st 1", "level 40 0:30 0", "level 0 1 1", "time 500"])
def test_every_limit_finds_a_mate_in_one(limit: str) -> None:
    assert answers("force", MATE, limit, "go") == ["move a1a8", "1-0 {checkmate}"]


def test_engine_replies_to_the_moves_of_the_client() -> None:
    lines = answers("sd 1", "usermove f2f3", "force", "usermove g2g4", "go")
    assert lines[0].startswith("move ")
    bare = answers("force", "f2f3", "e7e5", "g2g4", "sd 1", "go")
    assert bare == ["move d8h4", "0-1 {checkmate}"]


def test_moves_are_taken_back() -> None:
    lines = ("force", "usermove f2f3", "usermove e7e5", "usermove g2g4", "undo", "usermove g2g4")
    assert answers(*lines, "sd 1", "go")[0] == "move d8h4"
    twice = ("force", "usermove e2e4", "usermove e7e5", "remove", "usermove e2e4")
    assert answers(*twice) == []


def test_illegal_moves_and_positions_are_refused() -> None:
    assert answers("force", "usermove e2e5") == ["Illegal move: e2e5"]
    (found,) = answers("setboard 8/8/8/8/8/8/8/8 w - - 0 1")
    assert found.startswith("tellusererror Illegal position: ")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("nonsense", "Error (unknown command): nonsense"),
        ("level one two three", "Error (bad time control): level"),
        ("cores 0", "Error (`threads` is a number from 1 to 256, found `0`): threads"),
        ("option Level=99", "Error (`level` is a number from 0 to 8, found `99`): level"),
        ("option Colour=red", "Error (no option `colour`): colour"),
    ],
)
def test_wrong_line_is_answered_with_the_reason(line: str, answer: str) -> None:
    assert answers(line, "ping 1") == [answer, "pong 1"]


@pytest.mark.parametrize(
    "line", ["", "?", "hint", "undo", "remove", "exit", "easy", "usermove", "st", "sd x", "result"]
)
def test_lines_out_of_place_do_not_end_the_engine(line: str) -> None:
    assert answers(line, "ping 2")[-1] == "pong 2"


def test_thinking_is_shown_after_post_only() -> None:
    assert answers("force", MATE, "sd 1", "post", "go")[0].split()[:2] == ["1", "100001"]
    assert answers("force", MATE, "sd 1", "post", "nopost", "go")[0] == "move a1a8"


def test_move_is_made_at_once_on_request() -> None:
    found: list[str] = []
    engine = XboardEngine(CHESS, found.append)
    for line in ("force", "st 1000", "go", "ping 7", "?"):
        engine.handle(line)
    engine.join()
    engine.close()
    assert [line.split()[0] for line in found] == ["move", "pong"]


def test_search_is_abandoned_by_force() -> None:
    found: list[str] = []
    engine = XboardEngine(CHESS, found.append)
    for line in ("st 1000", "go", "force", "usermove d2d4", "ping 1"):
        engine.handle(line)
    engine.close()
    assert found == ["pong 1"]


def test_analysis_follows_the_position_until_exit() -> None:
    found: list[str] = []
    engine = XboardEngine(CHESS, found.append)
    for line in ("force", MATE, "analyze", "usermove a1a8", "undo", "exit", "ping 3"):
        engine.handle(line)
    engine.close()
    assert found[-1] == "pong 3"
    assert not any(line.startswith(("move", "Error", "tell")) for line in found)


@pytest.mark.parametrize("reply", ["expected", "other"])
def test_engine_ponders_on_the_expected_reply(reply: str) -> None:
    found: list[str] = []
    engine = XboardEngine(CHESS, found.append)
    for line in ("hard", "force", PAWN, "sd 3", "go"):
        engine.handle(line)
    engine.join()
    engine.handle("hint")
    hint = found[-1].removeprefix("Hint: ")
    assert len(hint) == 4
    engine.handle(f"usermove {hint if reply == 'expected' else _other(hint)}")
    engine.join()
    engine.close()
    assert [line.split()[0] for line in found] == ["move", "Hint:", "move"]


def _other(hint: str) -> str:
    return "e6d6" if hint != "e6d6" else "e6f6"


def test_ranks_of_a_board_of_ten_rows_begin_at_zero() -> None:
    assert answers("force", "usermove h2e2", "usermove h9g7", game=XIANGQI) == []
    assert answers("force", "usermove h3e3", game=XIANGQI) == ["Illegal move: h3e3"]


def test_clock_counts_the_moves_of_a_period_and_the_time_spent() -> None:
    clock = XboardClock()
    assert clock.set_level(["40", "0:30", "2"])
    assert clock.clock(3) == Clock(30.0, 2.0, 37)
    clock.spend(10.0)
    assert clock.clock(40) == Clock(22.0, 2.0, 40)
    clock.set_left(5.0)
    assert clock.clock(0).left == 5.0
    clock.restart()
    assert clock.clock(0).left == 30.0


def test_game_of_three_players_is_refused() -> None:
    with pytest.raises(UsageError, match="is not played by two"):
        XboardEngine(rulesengine.load("three-player-tic-tac-toe"), print)


@pytest.mark.parametrize("data", [b"", b"protover", b"\xff\xfe\x00new\n", b"usermove " * 200_000])
def test_input_may_end_anywhere_and_hold_anything(data: bytes) -> None:
    target = io.BytesIO()
    serve(CHESS, XboardEngine, io.BytesIO(data + b"\nping 1\n"), target)
    assert target.getvalue().splitlines()[-1] == b"pong 1"


@pytest.fixture
def client() -> Iterator[object]:
    library = pytest.importorskip("chess.engine", reason="python-chess is not installed")
    engine = library.SimpleEngine.popen_xboard([*COMMAND, "--protocol", "xboard"], timeout=100)
    yield engine
    engine.quit()


def test_client_of_python_chess_plays_with_pondering_and_analyses(client: object) -> None:
    library = pytest.importorskip("chess", reason="python-chess is not installed")
    limit = pytest.importorskip("chess.engine").Limit

    board = library.Board()
    while board.ply() < 8:
        played = client.play(board, limit(depth=2), ponder=True)  # type: ignore[attr-defined]
        assert played.move in board.legal_moves
        board.push(played.move)
    board = library.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    info = client.analyse(board, limit(depth=2))  # type: ignore[attr-defined]
    assert info["score"].relative.mate() == 1
    assert str(info["pv"][0]) == "a1a8"


def test_time_control_of_other_digits_is_refused() -> None:
    assert answers("level \u00b2 5 0") == ["Error (bad time control): level"]
