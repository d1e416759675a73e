"""Engine mode: commands of UCI, limits, bad input, and a client of another project."""

import io
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

import rulesengine
from rulesengine import Game
from rulesengine.engine.drivers.search.result import SearchResult
from rulesengine.errors import UsageError
from rulesengine.play.engine_mode import UciEngine, serve
from rulesengine.play.engine_mode.search_thread import prepare
from rulesengine.play.engine_mode.time_limits import move_seconds

START = "position startpos"
MATE = "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"
COMMAND = [sys.executable, "-m", "rulesengine", "engine", "chess", "--engine", "interpreter"]
CHESS = rulesengine.load("chess", engine="interpreter")


def answers(*lines: str, spec: str = "") -> list[str]:
    """Return the lines that the engine prints; a search ends before the next line is handled."""
    game = rulesengine.load(spec, engine="interpreter") if spec else CHESS
    found: list[str] = []
    engine = UciEngine(game, found.append)
    for line in lines:
        engine.handle(line)
        if line.startswith("go ") and not {"infinite", "ponder"} & set(line.split()):
            engine.join()
    engine.close()
    return found


def best(*lines: str) -> str:
    """Return the only answer `bestmove`."""
    (found,) = [line for line in answers(*lines) if line.startswith("bestmove")]
    return found.split()[1]


def test_greeting_has_a_name_the_options_and_an_end() -> None:
    lines = answers("uci", "isready")
    assert lines[0].startswith("id name ")
    assert lines[-2:] == ["uciok", "readyok"]
    assert "option name Hash type spin default 64 min 1 max 1048576" in lines
    assert "option name UCI_Variant type combo default chess var chess" in lines


@pytest.mark.parametrize(
    "limit",
    [
        "depth 2",
        "nodes 300",
        "movetime 2000",
        "mate 1",
        "depth 2 nodes 300",
        "wtime 60000 btime 60000 winc 1000 binc 1000",
        "wtime 2000 btime 2000 movestogo 1",
        "depth 2 searchmoves a1a8 e1e2",
    ],
)
def test_every_limit_finds_a_mate_in_one(limit: str) -> None:
    assert best(MATE, f"go {limit}") == "a1a8"


def test_search_is_restricted_to_moves_of_the_client() -> None:
    assert best(MATE, "go depth 1 searchmoves e1e2") == "e1e2"


def test_restricted_search_reports_the_line_of_an_allowed_move() -> None:
    # Both moves are worse than a1a8, which mates: the search does not reach it.
    lines = answers(MATE, "go depth 3 searchmoves e1e2 e1d1")
    found = [line.split() for line in lines if line.startswith("info depth")]
    assert {words[words.index("pv") + 1] for words in found} <= {"e1e2", "e1d1"}
    assert lines[-1].split()[1] == found[-1][found[-1].index("pv") + 1]
    assert "score mate 1 " not in " ".join(lines)


def test_restricted_search_has_the_value_of_its_best_move() -> None:
    searches = "go depth 2 searchmoves a2a3 h2h3", "go depth 2 searchmoves h2h3"
    both, one = (
        next(line for line in reversed(answers(START, search)) if line.startswith("info"))
        for search in searches
    )
    assert int(both.split()[5]) >= int(one.split()[5])


def test_score_of_a_mate_counts_moves() -> None:
    assert any("score mate 1 " in line for line in answers(MATE, "go depth 1"))


def test_several_lines_have_values_of_searches_of_their_moves() -> None:
    lines = answers("setoption name MultiPV value 3", "position startpos", "go depth 2")
    last = [line.split() for line in lines if line.startswith("info depth 2 ")][-3:]
    assert [words[3:5] for words in last] == [["multipv", str(rank)] for rank in (1, 2, 3)]
    values = [int(words[7]) for words in last]
    assert values == sorted(values, reverse=True)
    for words in last:
        move = words[words.index("pv") + 1]
        (reply, *_) = reversed(answers(f"position startpos moves {move}", "go depth 1")[:-1])
        assert words[5:8] == ["score", "cp", str(-int(reply.split()[5]))]
    assert lines[-1].split()[1] == last[0][last[0].index("pv") + 1]


def test_one_line_has_no_number() -> None:
    lines = answers("setoption name MultiPV value 1", "position startpos", "go depth 1")
    assert not any("multipv" in line for line in lines)


def test_number_of_lines_is_an_option_with_limits() -> None:
    assert "option name MultiPV type spin default 1 min 1 max 500" in answers("uci")
    message = "info string `multipv` is a number from 1 to 500, found `0`"
    assert answers("setoption name MultiPV value 0") == [message]


def test_moves_follow_a_position() -> None:
    assert best("position startpos moves f2f3 e7e5 g2g4", "go depth 1") == "d8h4"


def test_moves_go_on_after_a_draw_that_could_be_claimed() -> None:
    knights = "g1f3 g8f6 f3g1 f6g8 " * 2
    lines = answers(f"position startpos moves {knights}", "go depth 1")
    assert lines[-1].startswith("bestmove ")
    assert "(none)" not in lines[-1]


@pytest.mark.parametrize(
    "fen", ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1"]
)
def test_position_without_a_move_has_no_best_move(fen: str) -> None:
    assert best(f"position fen {fen}", "go depth 2") == "(none)"


def test_infinite_search_waits_for_stop() -> None:
    found: list[str] = []
    engine = UciEngine(CHESS, found.append)
    engine.handle(MATE)
    engine.handle("go infinite")
    engine.handle("isready")
    assert not any(line.startswith("bestmove") for line in found)
    engine.handle("stop")
    assert found[-1].startswith("bestmove ")


def test_pondering_waits_for_the_move_of_the_opponent() -> None:
    found: list[str] = []
    engine = UciEngine(CHESS, found.append)
    engine.handle(MATE)
    engine.handle("go ponder wtime 1000 btime 1000")
    assert not any(line.startswith("bestmove") for line in found)
    engine.handle("ponderhit")
    engine.join()
    assert found[-1].startswith("bestmove a1a8")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("setoption name Threads value 0", "`threads` is a number from 1 to 256, found `0`"),
        ("setoption name Hash value many", "`hash` is a number"),
        ("setoption name Method value minimax", "no method `minimax`"),
        ("setoption name Colour value red", "no option `colour`"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "each side has one king"),
        ("position nowhere", "expected `startpos` or `fen`"),
        ("position startpos moves e2e4 e2e4", "illegal move `e2e4`"),
    ],
)
def test_wrong_line_is_answered_with_the_reason(line: str, message: str) -> None:
    (found,) = answers(line)
    assert found.startswith("info string ")
    assert message in found


@pytest.mark.parametrize("line", ["", "hello", "go", "position", "setoption", "ponderhit", "stop"])
def test_unknown_and_incomplete_lines_do_not_end_the_engine(line: str) -> None:
    assert "readyok" in answers(line, "stop", "isready")


def test_options_change_the_search() -> None:
    lines = ("setoption name Level value 1", "setoption name Threads value 1", MATE, "go infinite")
    assert answers(*lines)[-1].startswith("bestmove ")
    trees = ("setoption name Method value uct", MATE, "go nodes 200")
    assert best(*trees) == "a1a8"


def test_size_of_the_hash_table_reaches_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    search, sizes = Game.search, []

    def recorded(game: Game, *words: Any, **options: Any) -> SearchResult:
        sizes.append(options["memory"])
        return search(game, *words, **options)

    monkeypatch.setattr(Game, "search", recorded)
    answers("go nodes 1", "setoption name Hash value 3", "go nodes 1")
    assert sizes == [64, 3]  # megabytes


def test_strategy_of_the_spec_can_play() -> None:
    lines = answers("setoption name Method value greedy", "go nodes 1", spec="aps105-reversi")
    game = rulesengine.load("aps105-reversi", engine="interpreter")
    assert lines == [f"bestmove {game.choose('greedy', game.initial_state())}"]


def test_game_of_three_players_is_refused() -> None:
    with pytest.raises(UsageError, match="is not played by two"):
        UciEngine(rulesengine.load("three-player-tic-tac-toe"), print)


@pytest.mark.parametrize("data", [b"", b"isready", b"\xff\xfe\x00uci\n", b"x" * 3_000_000 + b"\n"])
def test_input_may_end_anywhere_and_hold_anything(data: bytes) -> None:
    target = io.BytesIO()
    serve(CHESS, UciEngine, io.BytesIO(data + b"\nisready\n"), target)
    assert target.getvalue().splitlines()[-1] == b"readyok"


def test_end_of_input_during_a_search_ends_the_program() -> None:
    ran = subprocess.run(
        COMMAND, input="go infinite\n", capture_output=True, text=True, timeout=100
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.splitlines()[-1].startswith("bestmove ")


@pytest.mark.parametrize(
    ("left", "increment", "to_go", "least", "most"),
    [(60, 0, None, 1, 3), (60, 2, None, 2, 5), (10, 0, 1, 5, 9.5), (0.02, 0, None, 0, 0.02)],
)
def test_time_of_a_move_is_a_part_of_the_clock(
    left: float, increment: float, to_go: int | None, least: float, most: float
) -> None:
    assert least < move_seconds(left, increment, to_go, 0.01) < most


@pytest.fixture
def client() -> Iterator[object]:
    library = pytest.importorskip("chess.engine", reason="python-chess is not installed")
    engine = library.SimpleEngine.popen_uci(COMMAND, timeout=100)
    yield engine
    engine.quit()


@pytest.mark.deep
def test_client_of_python_chess_plays_a_game(client: object) -> None:
    library = pytest.importorskip("chess", reason="python-chess is not installed")
    limit = pytest.importorskip("chess.engine").Limit

    board = library.Board()
    while not board.is_game_over(claim_draw=True) and board.ply() < 6:
        played = client.play(board, limit(nodes=20))  # type: ignore[attr-defined]
        assert played.move in board.legal_moves
        board.push(played.move)
    assert board.ply() == 6


@pytest.mark.deep
def test_client_of_python_chess_gets_the_game_that_is_played_inside(client: object) -> None:
    library = pytest.importorskip("chess", reason="python-chess is not installed")
    limit = pytest.importorskip("chess.engine").Limit

    board, state = library.Board(), CHESS.initial_state()
    for ply in range(4):
        played = client.play(board, limit(nodes=60))  # type: ignore[attr-defined]
        inside = CHESS.search(state, nodes=60, seed=ply).move
        assert played.move.uci() == str(inside)
        board.push(played.move)
        state = CHESS.apply(state, inside)


def test_client_of_python_chess_analyses_and_stops(client: object) -> None:
    library = pytest.importorskip("chess", reason="python-chess is not installed")
    limit = pytest.importorskip("chess.engine").Limit

    board = library.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    info = client.analyse(board, limit(depth=2))  # type: ignore[attr-defined]
    assert info["score"].relative.mate() == 1
    with client.analysis(board) as analysis:  # type: ignore[attr-defined]
        for found in analysis:
            if "pv" in found:
                break
    assert str(found["pv"][0]) == "a1a8"


def test_client_of_python_chess_analyses_several_lines(client: object) -> None:
    library = pytest.importorskip("chess", reason="python-chess is not installed")
    limit = pytest.importorskip("chess.engine").Limit

    board = library.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    found = client.analyse(board, limit(depth=2), multipv=3)  # type: ignore[attr-defined]
    assert [(info["multipv"], info["depth"]) for info in found] == [(1, 2), (2, 2), (3, 2)]
    scores = [info["score"].relative for info in found]
    assert scores == sorted(scores, reverse=True)
    assert str(found[0]["pv"][0]) == "a1a8"
    assert len({info["pv"][0] for info in found}) == 3


@pytest.mark.parametrize(
    ("spec", "part"),
    [("english-draughts", "search"), ("international-draughts", "fitted"), ("hex", "guided")],
)
def test_kernels_are_compiled_for_the_default_evaluation(
    spec: str, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The package has a correction for one of these games, and weights of moves for another."""
    expected: dict[str, float] = {}
    monkeypatch.setattr(Game, "expect", lambda game, plies: expected.update(plies))
    monkeypatch.setattr(Game, "search", lambda game, state, **limits: None)
    prepare(rulesengine.load(spec, engine="interpreter"))
    assert set(expected) == {part, "singles"}
