"""Engine mode of USI, UCCI and NBoard: the differences from UCI, and bad input."""

import io
from collections.abc import Callable

import pytest

import rulesengine
from rulesengine.errors import UsageError
from rulesengine.play.engine_mode import PROTOCOLS, NboardEngine, serve
from rulesengine.play.engine_mode.cell_texts import MoveTexts
from rulesengine.play.engine_mode.go_limits import read_go
from rulesengine.play.engine_mode.session import Clock
from rulesengine.play.engine_mode.uci_dialects import UCCI, UCI, USI, Dialect

CHESS = rulesengine.load("chess", engine="interpreter")
XIANGQI = rulesengine.load("xiangqi", engine="interpreter")
OTHELLO = rulesengine.load("othello", engine="interpreter")
MATE = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"
BOARD = "8 ---------------------------O*------*O--------------------------- *"


def answers(protocol: str, *lines: str, game: rulesengine.Game = CHESS) -> list[str]:
    """Return the lines that the engine prints; a search ends before the next line is handled."""
    found: list[str] = []
    engine = PROTOCOLS[protocol](game, found.append)
    wait: Callable[[], None] = engine.join  # type: ignore[attr-defined]
    for line in lines:
        engine.handle(line)
        if line.startswith(("go", "hint")):
            wait()
    engine.close()
    return found


def best(protocol: str, *lines: str, game: rulesengine.Game = CHESS) -> str:
    """Return the last line, which has the move."""
    return answers(protocol, *lines, game=game)[-1]


@pytest.mark.parametrize(
    ("protocol", "line", "least"),
    [
        ("usi", "usi", ["option name Move_Overhead type spin default 30 min 0 max 5000", "usiok"]),
        ("usi", "usi", ["option name USI_Variant type combo default chess var chess"]),
        ("ucci", "ucci", ["option Threads type spin default 1 min 1 max 256", "ucciok"]),
        ("ucci", "ucci", ["option usemillisec type check default false"]),
    ],
)
def test_greeting_has_the_options_of_the_protocol(
    protocol: str, line: str, least: list[str]
) -> None:
    lines = answers(protocol, line)
    assert set(least) <= set(lines)
    assert lines[-1] == f"{protocol}ok"


def test_usi_numbers_columns_from_the_right_and_has_letters_for_rows() -> None:
    assert best("usi", f"position sfen {MATE}", "go depth 1") == "bestmove 8h8a"
    assert answers("usi", "position startpos moves 4g4e 4b4d") == []
    assert answers("usi", "position startpos moves e2e4") == ["info string illegal move `e2e4`"]


def test_usi_reads_and_writes_drops_and_hands() -> None:
    game = rulesengine.load("dobutsu-shogi", engine="interpreter")
    position = "position sfen l2/g2/3/2L b C 1"
    assert answers("usi", f"{position} moves C*3c 3a2a", game=game) == []
    assert answers("usi", f"{position} moves C@a2", game=game) == [
        "info string illegal move `C@a2`"
    ]
    texts = MoveTexts(game, "usi")
    state = game.state_from("l2/g2/3/2L b C 1")
    written = {texts.write(move, state) for move in game.legal_moves(state)}
    assert {"C*3c", "C*1a", "1d1c"} <= written


@pytest.mark.parametrize(("name", "move"), [("minishogi", "5d5c"), ("shogi", "7g7f")])
def test_usi_has_its_coordinates_where_uci_has_others(name: str, move: str) -> None:
    game = rulesengine.load(name, engine="interpreter")
    start = game.initial_state()
    texts = MoveTexts(game, "usi")
    found = texts.find(move, start)
    assert found is not None
    assert texts.write(found, start) == move
    assert MoveTexts(game, "uci").write(found, start) != move


def test_usi_counts_mates_in_plies_and_resigns_without_a_move() -> None:
    assert "score mate 1 " in answers("usi", f"position sfen {MATE}", "go depth 1")[0]
    stalemate = "position sfen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
    assert best("usi", stalemate, "go depth 1") == "bestmove resign"


def test_ucci_counts_rows_of_a_board_of_ten_rows_from_zero() -> None:
    lines = ("position startpos moves h2e2 h9g7", "go depth 1")
    assert best("ucci", *lines, game=XIANGQI).startswith("bestmove ")
    assert answers("ucci", "position startpos moves h3e3", game=XIANGQI) == [
        "info string illegal move `h3e3`"
    ]


def test_ucci_writes_scores_as_numbers_and_says_good_bye() -> None:
    lines = answers("ucci", f"position fen {MATE}", "go depth 1", "quit")
    assert lines[0].split()[:5] == ["info", "depth", "1", "score", "9999"]
    assert lines[-2:] == ["bestmove a1a8", "bye"]
    stalemate = "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
    assert best("ucci", stalemate, "go depth 1") == "nobestmove"


def test_ucci_bans_moves() -> None:
    lines = (f"position fen {MATE}", "banmoves a1a8", "go depth 1")
    assert best("ucci", *lines) != "bestmove a1a8"


@pytest.mark.parametrize(
    ("dialect", "text", "side", "clock"),
    [
        (UCI, "wtime 60000 btime 30000 winc 1000 binc 2000", 0, Clock(60.0, 1.0)),
        (UCI, "wtime 60000 btime 30000 movestogo 5", 1, Clock(30.0, 0.0, 5)),
        (USI, "btime 60000 wtime 30000 byoyomi 10000", 0, Clock(60.0, 10.0)),
        (USI, "btime 0 wtime 30000 byoyomi 10000", 0, Clock(10.0, 0.0, 1)),
        (USI, "btime 60000 wtime 30000 binc 1000 winc 2000", 1, Clock(30.0, 2.0)),
        (UCCI, "time 60000 increment 1000 opptime 5000", 1, Clock(60.0, 1.0)),
        (UCI, "depth 3", 0, None),
    ],
)
def test_clocks_are_those_of_the_player_to_move(
    dialect: Dialect, text: str, side: int, clock: Clock | None
) -> None:
    assert read_go(text.split(), dialect, side, 1000, lambda text: None).search.clock == clock


def test_time_of_ucci_is_in_seconds_unless_the_client_sets_milliseconds() -> None:
    assert read_go(["time", "60"], UCCI, 0, 1, lambda text: None).search.clock == Clock(60.0)
    assert answers("ucci", "setoption usemillisec true", "setoption hashsize 16") == []


@pytest.mark.parametrize("protocol", ["usi", "ucci"])
@pytest.mark.parametrize("data", [b"", b"go", b"position", b"\xff\xfe\n", b"x" * 3_000_000])
def test_input_may_end_anywhere_and_hold_anything(protocol: str, data: bytes) -> None:
    target = io.BytesIO()
    serve(CHESS, PROTOCOLS[protocol], io.BytesIO(data + b"\nstop\nisready\n"), target)
    assert target.getvalue().splitlines()[-1] == b"readyok"


# NBoard


def nboard(*lines: str) -> list[str]:
    return answers("nboard", *lines, game=OTHELLO)


def test_nboard_plays_a_move_of_the_game_and_keeps_its_position() -> None:
    game = f"set game (;GM[Othello]TI[05:00]BO[{BOARD}]B[F5]W[D6/0.2/1.5];)"
    lines = nboard("nboard 2", game, "set depth 2", "ping 1", "go", "go")
    assert lines[0].startswith("set myname rulesengine-")
    assert "pong 1" in lines
    moves = [line.split()[1].split("/")[0] for line in lines if line.startswith("=== ")]
    assert len(moves) == 2
    assert moves[0] == moves[1]
    state = OTHELLO.initial_state()
    for text in ("f5", "d6"):
        state = OTHELLO.apply(state, text)
    assert moves[0].lower() in map(str, OTHELLO.legal_moves(state))


def test_nboard_passes_where_the_rules_force_a_pass() -> None:
    board = "8 " + "O*" + "-" * 62 + " *"
    assert any(
        line.startswith("=== PA") for line in nboard(f"set game (;GM[Othello]BO[{board}];)", "go")
    )


def test_nboard_hints_have_lines_values_and_depths() -> None:
    lines = [line for line in nboard("set depth 2", "hint 2") if line.startswith("search ")]
    line = lines[-1].split()
    assert (len(line[1]), line[3]) == (4, "0")
    float(line[2])
    assert line[4] == "2"


def test_nboard_analyses_all_positions_backwards() -> None:
    lines = nboard("move F5//1.0", "move D6", "analyze")
    assert [line.split()[:2] for line in lines] == [["analysis", f"{ply}"] for ply in (2, 1, 0)]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("move A1", "status illegal move A1"),
        ("set game nonsense", "status unknown game: expected a game of GGF"),
        ("set threads 0", "status `threads` is a number from 1 to 256, found `0`"),
        ("learn", "learned"),
    ],
)
def test_nboard_answers_wrong_lines_with_the_reason(line: str, answer: str) -> None:
    assert nboard(line, "ping 4") == [answer, "pong 4"]


def test_nboard_is_refused_by_games_without_its_format() -> None:
    with pytest.raises(UsageError, match="declares no `ggf`"):
        NboardEngine(CHESS, print)


@pytest.mark.parametrize("data", [b"", b"set", b"hint x", b"\xff\xfe\n", b"go\nmove"])
def test_nboard_input_may_end_anywhere(data: bytes) -> None:
    target = io.BytesIO()
    serve(OTHELLO, NboardEngine, io.BytesIO(data + b"\nping 1\n"), target)
    assert target.getvalue().splitlines()[-1] == b"pong 1"


@pytest.mark.parametrize("number", ["--2", "-", "\u00b2"])
def test_arguments_that_are_no_numbers_are_ignored(number: str) -> None:
    lines = (f"position fen {MATE}", f"go nodes {number} depth 1")
    assert best("uci", *lines) == "bestmove a1a8"


@pytest.mark.parametrize(
    ("protocol", "option", "offer"),
    [
        ("usi", "name MultiPV value 2", "option name MultiPV type spin default 1 min 1 max 500"),
        (
            "usi",
            "name USI_MultiPV value 2",
            "option name MultiPV type spin default 1 min 1 max 500",
        ),
        ("ucci", "MultiPV 2", "option MultiPV type spin default 1 min 1 max 500"),
    ],
)
def test_dialects_report_several_lines(protocol: str, option: str, offer: str) -> None:
    lines = answers(protocol, protocol, f"setoption {option}", "position startpos", "go depth 1")
    assert offer in lines
    found = [line.split()[3:5] for line in lines if line.startswith("info depth 1 ")]
    assert found[-2:] == [["multipv", "1"], ["multipv", "2"]]
