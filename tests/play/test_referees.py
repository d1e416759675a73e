"""Engine mode refereed by other programs: their games are those that the engine plays inside.

fastchess referees by UCI; ringmaster of gomill, gogui-twogtp and its referee GNU Go by GTP. GNU Go
and gtp-rhino are partners by GTP too. CONTRIBUTING.md names the variables of their commands.
"""

import re
from pathlib import Path

import pytest

import rulesengine
from rulesengine.game import Game
from rulesengine.play.engine_mode import GtpEngine
from tests.helpers.other_programs import (
    answer_of,
    command,
    engine,
    output,
    program,
    session,
)
from tests.helpers.processes import ROOT

pytestmark = pytest.mark.deep
CHESS = rulesengine.load("chess", engine="interpreter")
GO = rulesengine.load("go", engine="interpreter").bind(n=4)
POSITION = "3k4/8/8/6P1/7p/7P/1R4P1/4K2R w K - 0 1"
METHOD = "rulesengine-option method lively"  # a strategy of the spec of Go
COMPLIANCE_CHECKS = 40


# fastchess


@pytest.fixture
def fastchess() -> tuple[str, ...]:
    """Return the command of Disservin's fastchess, not of the package of this name."""
    words = command("RULESENGINE_FASTCHESS", "fastchess")
    version = output(*words, "--version", folder=ROOT)
    if not re.match(r"fastchess (alpha )?\d", version):
        pytest.skip(f"{words[0]} is another program: {version[:40]}")
    return words


def script(folder: Path, line: str) -> str:
    """Return the path of a program without arguments that runs a line of a shell."""
    path = folder / "engine.sh"
    path.write_text(f"#!/bin/sh\nexec {line}\n")
    path.chmod(0o700)
    return str(path)


def test_all_compliance_checks_of_fastchess_pass(
    fastchess: tuple[str, ...], tmp_path: Path
) -> None:
    path = script(tmp_path, engine("chess", "uci"))
    printed = output(*fastchess, "--compliance", path, folder=tmp_path)
    assert "Engine passed all compliance checks" in printed
    assert len(set(re.findall(r"Passed\S* Step (\d+):", printed))) >= COMPLIANCE_CHECKS


def test_games_refereed_by_fastchess_are_those_played_inside(
    fastchess: tuple[str, ...], tmp_path: Path
) -> None:
    path = script(tmp_path, engine("chess", "uci"))
    (tmp_path / "start.epd").write_text(f"{POSITION}\n")
    players = [word for name in "ab" for word in ("-engine", f"cmd={path}", f"name={name}")]
    limits = ["-each", "tc=600+10", "depth=1", "-rounds", "1", "-games", "2", "-concurrency", "1"]
    files = ["-openings", "file=start.epd", "format=epd", "order=sequential", "-repeat"]
    printed = output(
        *fastchess, *players, *limits, *files, "-pgnout", "file=games.pgn", folder=tmp_path
    )
    assert "Finished match" in printed
    games = list(CHESS.read_games((tmp_path / "games.pgn").read_text()))
    assert [game.header("White") for game in games] == ["a", "b"]
    expected = played_inside(CHESS, POSITION)
    for game in games:
        assert game.problems == ()
        assert game.header("Termination") == "normal"
        assert [str(move) for move in game.moves] == expected
        assert game.result is not None
        assert game.result.winner == "white"


def played_inside(game: Game, position: str) -> list[str]:
    """Return the moves that searches of one ply play from a position to the end."""
    state, moves = game.state_from(position), list[str]()
    while game.outcome(state) is None:
        found = game.search(state, plies=1, seed=len(moves)).move
        moves.append(str(found))
        state = game.apply(state, found)
    return moves


# referees of Go


def lively_game() -> tuple[list[str], str]:
    """Return the moves of the strategy for both sides of Go, and the result in SGF."""
    state, moves = GO.initial_state(), list[str]()
    while GO.outcome(state) is None:
        move = GO.choose("lively", state)
        assert move is not None
        moves.append(str(move))
        state = GO.apply(state, move)
    margin = (GO.scores(state)["black"] - GO.scores(state)["white"]) / 2
    return moves, f"{'B' if margin > 0 else 'W'}+{abs(margin):g}"


def check_record(path: Path) -> None:
    """Check that a record in SGF is the game of the strategy, with the referee's result."""
    text = path.read_text()
    (game,) = GO.read_games(text)
    moves, result = lively_game()
    assert game.problems == ()
    assert [str(move) for move in game.moves] == moves
    assert f"RE[{result}]" in text
    assert game.result is not None
    assert game.result.winner == {"B": "black", "W": "white"}[result[0]]


PLAYOFF = """
competition_type = "playoff"
record_games = True
board_size, komi = 4, 7.5
options = dict(environ={{"PYTHONPATH": {path!r}}}, startup_gtp_commands=[{method!r}])
players = {{name: Player({line!r}, **options) for name in "ab"}}
matchups = [Matchup("a", "b", number_of_games=2, alternating=True, scorer="internal")]
"""


def test_games_refereed_by_ringmaster_are_those_played_inside(tmp_path: Path) -> None:
    """Compare two games in ringmaster, a program of Python 2 that counts the points itself."""
    words = command("RULESENGINE_RINGMASTER", "ringmaster")
    line = engine("go", "gtp", "--set", "n=4")
    text = PLAYOFF.format(path=str(ROOT), method=METHOD, line=line)
    (tmp_path / "playoff.ctl").write_text(text)
    output(*words, "--quiet", "playoff.ctl", folder=tmp_path)
    report = output(*words, "playoff.ctl", "show", folder=tmp_path)
    assert "a v b (2/2 games)" in report
    for number in range(2):
        check_record(tmp_path / "playoff.games" / f"0_{number}.sgf")


def test_game_refereed_by_twogtp_and_gnugo_is_that_played_inside(tmp_path: Path) -> None:
    words = command("RULESENGINE_TWOGTP", "gogui-twogtp")
    gnugo = f"{program('gnugo')} --mode gtp --chinese-rules --positional-superko"
    line = engine("go", "gtp", "--set", "n=4")
    options = ("-size", "4", "-komi", "7.5", "-sgffile", "game", "-referee", gnugo)
    moves, result = lively_game()
    with session(*words, "-black", line, "-white", line, *options, folder=tmp_path) as process:
        answer_of(process, f"gogui-twogtp-black {METHOD}")
        answer_of(process, f"gogui-twogtp-white {METHOD}")
        answer_of(process, "clear_board")
        found = [answer_of(process, f"genmove {'bw'[ply % 2]}") for ply in range(len(moves))]
        answer_of(process, "quit")
        assert process.wait() == 0
    assert [vertex.lower() for vertex in found] == moves
    table = (tmp_path / "game.dat").read_text().splitlines()
    assert table[-1].split("\t")[1:4] == [result] * 3  # of black, white and the referee
    check_record(tmp_path / "game-0.sgf")


# partners


PARTNERS = {
    "go": "gnugo --mode gtp --level 1 --seed 1 --chinese-rules --positional-superko",
    "othello": "gtp-rhino -l 1 -b 0",  # it refuses the move `pass`, and passes by itself
}


@pytest.mark.parametrize("name", PARTNERS)
def test_partner_has_the_same_end_after_a_game(name: str, tmp_path: Path) -> None:
    """Relay a game of the partner, black, against a strategy until both pass."""
    first, *rest = PARTNERS[name].split()
    game = rulesengine.load(name, engine="interpreter")
    printed: list[str] = []
    ours = GtpEngine(game, printed.append)
    with session(program(first), *rest, folder=tmp_path) as process:
        for line in ("boardsize 5", "komi 7.5", "clear_board") if name == "go" else ():
            assert answer_of(process, line) == own_answer(ours, printed, line)
        own_answer(ours, printed, f"rulesengine-option method {next(iter(game.strategies))}")
        moves: list[str] = []
        while moves[-2:] != ["pass", "pass"]:
            if len(moves) % 2 == 0:
                moves.append(answer_of(process, "genmove b").lower())
                own_answer(ours, printed, f"play b {moves[-1]}")
            else:
                moves.append(own_answer(ours, printed, "genmove w").lower())
                if name == "go" or moves[-1] != "pass":
                    answer_of(process, f"play w {moves[-1]}")
        if name == "go":  # the scores differ: GNU Go takes some stones as dead
            stones = [answer_of(process, f"list_stones {side}") for side in ("black", "white")]
            alive = own_answer(ours, printed, "final_status_list alive")
            assert sorted(" ".join(stones).split()) == sorted(alive.split())
        else:
            assert answer_of(process, "final_score") == own_answer(ours, printed, "final_score")
    ours.close()


def own_answer(ours: GtpEngine, printed: list[str], line: str) -> str:
    """Return the answer of the engine in this process."""
    ours.handle(line)
    assert printed[-1].startswith("="), f"{line}: {printed[-1]}"
    return printed[-1].removeprefix("=").strip()
