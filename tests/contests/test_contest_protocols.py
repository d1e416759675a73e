"""Programs that speak GTP, UCI or a spec's I/O script; the page on contests."""

import doctest
import re
import sys
from pathlib import Path
from shutil import which

import pytest

from rulesengine import Game, UsageError, contests, load
from rulesengine.contests import match, player_of, read_entrants, terms_of
from rulesengine.contests.unit_runner import play_unit
from rulesengine.contests.units import PlayedGame, Unit
from rulesengine.play import read_record
from rulesengine.play.players.subprocess_player import end_programs
from rulesengine.play.players.uci import first_piece, written
from tests.helpers.contest_players import PROPER, SQUARES, VERTICES, program
from tests.helpers.processes import ROOT

# A player of 4x4 Reversi that takes its first move, and has no word for a pass.
WORDLESS = """
import rulesengine
game = rulesengine.load("aps105-reversi", engine="interpreter", n=4)
state = None
for line in sys.stdin:
    words = line.split()
    answer = "="
    if words[0] == "clear_board":
        state = game.initial_state()
    elif words[0] == "play" and words[2] == "pass":
        answer = "? syntax error"
    elif words[0] in ("play", "genmove"):
        if state.mover != words[1]:
            state = game.apply(state, "pass")
        vertex = words[2].lower() if words[0] == "play" else ""
        move = "abcd"[int(vertex[1]) - 1] + vertex[0] if vertex else str(game.legal_moves(state)[0])
        state = game.apply(state, move)
        if words[0] == "genmove":  # a row and a column of letters as a vertex
            answer = f"= {move[1]}{'abcd'.index(move[0]) + 1}" if move != "pass" else "= pass"
    print(answer + "\\n", flush=True)
"""

# The same as a UCI player; it writes a pass as a move of the first piece to its own cell.
STAYING = """
import rulesengine
from rulesengine.play.players.uci import first_piece
game = rulesengine.load("aps105-reversi", engine="interpreter", n=4)
for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        print("uciok", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "position":
        state = game.initial_state()
        for text in words[3:]:
            stays = text == first_piece(state) * 2
            state = game.apply(state, "pass" if stays else text)
    elif words[0] == "go":
        move = str(game.legal_moves(state)[0])
        print("bestmove", first_piece(state) * 2 if move == "pass" else move, flush=True)
"""

# The notation of Fairy-Stockfish 1.1.12 (`go perft 1`) for the only move of a position of Ataxx.
STAYS = {
    "g1g1": "xxxxxx. ooooxxx ooooxxx ooooxxx xoooxxo xxxxxxo xxxxxxo white",
    "a3a3": "ooooooo oooooxx oooxxxx ooxxxxx ooxxxx. xxxxxxx xxxxxxx white",
    "f2f2": "xooxxoo xoooooo xxxooox xxxxxox xxxxxxx x.xxxox xxxxxxx white",
    "d2d2": "xxxxxxx xxxxxxx oooxxxx oooxxxx oooxxxx .ooxxoo ooooooo black",
}

# The computer of the script places on the last cell of its board, legal or not.
STUBBORN = """
n = int(input("Enter the board dimension: "))
colour = input("Computer plays (B/W) : ")
print("Computer places W at zz.")
"""


@pytest.fixture(scope="module")
def tic() -> Game:
    return load("tic-tac-toe", engine="interpreter")


@pytest.fixture(scope="module")
def reversi() -> Game:
    return load("aps105-reversi", engine="interpreter", n=4)


@pytest.mark.parametrize(("kind", "text"), [("gtp", VERTICES), ("uci", SQUARES)])
def test_a_program_plays_all_games_of_a_unit(
    tic: Game, tmp_path: Path, kind: str, text: str
) -> None:
    player = program(tmp_path, text).replace("cmd:", f"{kind}:")
    games = played(tic, [player, "random"], rounds=2, opening=2)
    assert [(game.ending, game.reason) for game in games if game.ending != "rules"] == []
    for game in games:
        moves = read_record(game.record).moves
        order = ["".join(cell) for cell in sorted(moves, key=lambda move: (move[1], move[0]))]
        own = moves[2:][game.seats.index(0) :: 2]
        assert list(own) == [cell for cell in order if cell in own]  # row by row from the bottom


def test_moves_are_written_by_their_cells() -> None:
    chess, breakthrough = load("chess", engine="interpreter"), load("breakthrough")
    assert written(chess, chess.move("e2e4")) == "e2e4"
    assert written(breakthrough, breakthrough.move("a2-b3")) == "a2b3"
    state = breakthrough.initial_state()
    for text in ("a2-a3", "b7-b6", "a3-a4", "b6-b5"):
        state = breakthrough.apply(state, text)
    assert written(breakthrough, breakthrough.move("a4xb5", state)) == "a4b5"
    # Fairy-Stockfish's notation for dropped pieces, and for an additional placement.
    ataxx, amazons = load("ataxx", engine="interpreter"), load("amazons", engine="interpreter")
    assert written(ataxx, ataxx.move("b7")) == "b7"
    assert [written(ataxx, ataxx.move(text), "P") for text in ("b7", "a7-c5")] == ["P@b7", "a7c5"]
    assert written(amazons, amazons.move("a4-f9/e10")) == "a4f9,f9e10"


@pytest.mark.slow
def test_a_program_may_have_no_word_for_a_pass(reversi: Game, tmp_path: Path) -> None:
    """Check that the program recognises a pass by the colour of the next request."""
    player = program(tmp_path, WORDLESS).replace("cmd:", f"gtp:env PYTHONPATH={ROOT} ")
    games = played(reversi, [player.replace(" -S -E", ""), "random"], rounds=2)
    assert [game.reason for game in games if game.ending == "forfeit"] == []
    assert any(" pass\n< ?" in game.transcript for game in games)


def test_a_pass_may_be_a_move_to_the_cell_of_a_piece(reversi: Game, tmp_path: Path) -> None:
    player = program(tmp_path, STAYING).replace("cmd:", f"uci:env PYTHONPATH={ROOT} ")
    games = played(reversi, [player.replace(" -S -E", "") + " -- pass=stay", "random"], rounds=2)
    assert [game.reason for game in games if game.ending == "forfeit"] == []
    passed = [game for game in games if "pass" in read_record(game.record).moves]
    assert passed
    for game in passed:
        assert re.search(r"\b([a-d]{2})\1\b", game.transcript)


@pytest.mark.parametrize("stays", STAYS)
def test_stationary_piece_matches_fairy_stockfish(stays: str) -> None:
    game = load("ataxx", engine="interpreter")
    *rows, mover = STAYS[stays].split()
    state = game.state_from("\n".join([*rows, f"mover: {mover}"]))
    assert [str(move) for move in game.legal_moves(state)] == ["pass"]
    assert first_piece(state) * 2 == stays


@pytest.mark.slow
def test_programs_play_again_after_all_were_ended(tic: Game, tmp_path: Path) -> None:
    player = program(tmp_path, PROPER)
    for _ in range(2):
        assert [game.ending for game in played(tic, [player, "random"], rounds=1)] == ["rules"] * 2
        end_programs()


def test_other_boards_and_players_are_refused() -> None:
    with pytest.raises(UsageError, match="square board"):
        player_of(load("connect-four"), "gtp:x")
    with pytest.raises(UsageError, match="not played by two"):
        player_of(load("three-player-tic-tac-toe"), "uci:x")


@pytest.mark.slow
def test_a_script_of_the_spec_is_spoken_by_the_program(reversi: Game) -> None:
    """Use the command `run` itself as the program; it plays the strategy of its script."""
    games = played(reversi, [runs("aps105-reversi"), "random"], rounds=1)
    assert [game.reason for game in games if game.ending != "rules"] == []
    for game in games:
        seat = game.seats.index(0)
        state = reversi.initial_state()
        for text in read_record(game.record).moves:
            mine = reversi.players.index(state.mover) == seat
            if mine and text != "pass":
                assert text == str(reversi.choose("greedy", state))
            state = reversi.apply(state, text)
        assert f"Computer plays (B/W) : \n> {'BW'[seat]}" in game.transcript


def test_a_program_that_prints_something_else_loses(reversi: Game, tmp_path: Path) -> None:
    games = played(reversi, [program(tmp_path, STUBBORN), "random"], rounds=1)
    assert [game.ending for game in games] == ["forfeit"] * 2
    assert all(game.reason.startswith("output: expected `abcd a UUUU") for game in games)
    assert all("Computer places W" in game.reason for game in games)


def test_a_program_with_a_script_plays_from_the_start(reversi: Game) -> None:
    with pytest.raises(UsageError, match="plays from the start"):
        match(reversi, [runs("aps105-reversi"), "random"], 2, opening=2)


def test_own_engine_plays_by_gtp_with_komi_and_clocks() -> None:
    game = load("go", engine="interpreter").bind(n=3)
    engine = f"{sys.executable} -m rulesengine engine go --set n=3 --protocol gtp"
    players = [f"gtp:env PYTHONPATH={ROOT} {engine} --engine interpreter", "random"]
    games = played(game, players, rounds=1, clock=6)
    assert [game.ending for game in games] == ["rules"] * 2
    assert all("> komi 7.5\n< =\n" in game.transcript for game in games)
    assert all(re.search(r"> time_left (black|white) \d+ 0\n< =\n", g.transcript) for g in games)


@pytest.mark.skipif(which("gtp-rhino") is None, reason="needs gtp-rhino")
def test_rhino_plays_othello() -> None:
    game = load("othello", engine="interpreter")
    assert not match(game, ["gtp:gtp-rhino -l 1", "random"], 2).table.faults


@pytest.mark.skipif(which("gnugo") is None, reason="needs gnugo")
def test_gnugo_plays_go() -> None:
    game = load("go", engine="interpreter")
    gnugo = "gtp:gnugo --mode gtp --level 1 --chinese-rules --positional-superko --komi 7.5"
    assert not match(game, [gnugo, "random"], 2).table.faults


@pytest.mark.skipif(which("fairy-stockfish") is None, reason="needs fairy-stockfish")
def test_fairy_stockfish_plays_breakthrough() -> None:
    game = load("breakthrough", engine="interpreter")
    fairy = "uci:fairy-stockfish -- UCI_Variant=breakthrough nodes=200"
    standings = match(game, [fairy, "random"], 2)
    assert not standings.table.faults
    assert standings.table.against(0, 1) == (2, 0, 0)


XIANGQI_LIMITS = {"uci": "nodes=100", "ucci": "nodes=100", "xboard": "depth=1"}


@pytest.mark.slow
@pytest.mark.skipif(which("fairy-stockfish") is None, reason="needs fairy-stockfish")
@pytest.mark.parametrize("kind", XIANGQI_LIMITS)
def test_fairy_stockfish_plays_xiangqi_by_declared_formats(kind: str) -> None:
    """Check the variant, the coordinates and the names of options of each protocol."""
    game = load("xiangqi", engine="interpreter")
    fairy = f"{kind}:fairy-stockfish -- {XIANGQI_LIMITS[kind]} Skill_Level=1"
    games = played(game, [fairy, "random"], rounds=1, opening=2, plies=6)
    assert [played.reason for played in games if played.ending == "forfeit"] == []
    assert "Skill" in games[0].transcript
    variant = "> variant xiangqi" if kind == "xboard" else "UCI_Variant"
    assert variant in games[0].transcript


@pytest.mark.skipif(which("fairy-stockfish") is None, reason="needs fairy-stockfish")
def test_fairy_stockfish_plays_chess_by_usi() -> None:
    game = load("chess", engine="interpreter")
    games = played(
        game, ["usi:fairy-stockfish -- nodes=100", "random"], rounds=1, opening=2, plies=10
    )
    assert [played.reason for played in games if played.ending == "forfeit"] == []
    assert all("> usinewgame" in played.transcript for played in games)


@pytest.mark.parametrize("kind", ["uci", "ucci", "usi", "xboard"])
def test_own_engine_plays_the_moves_that_are_played_inside(kind: str) -> None:
    """Compare games through the protocol with games of the same search in this process."""
    game = load("tic-tac-toe", engine="interpreter")
    engine = f"env PYTHONPATH={ROOT} {sys.executable} -m rulesengine engine tic-tac-toe"
    player = f"{kind}:{engine} --engine interpreter --protocol {kind} -- depth=3"
    outside = played(game, [player, "search:plies=3"], rounds=1, opening=2)
    inside = played(game, ["a=search:plies=3", "b=search:plies=3"], rounds=1, opening=2)
    texts = [[read_record(each.record).moves for each in games] for games in (outside, inside)]
    assert [each.ending for each in outside] == ["rules"] * 2
    assert texts[0] == texts[1]


def test_clock_of_a_game_is_sent_by_xboard() -> None:
    game = load("tic-tac-toe", engine="interpreter")
    engine = f"env PYTHONPATH={ROOT} {sys.executable} -m rulesengine engine tic-tac-toe"
    player = f"xboard:{engine} --engine interpreter --protocol xboard"
    games = played(game, [player, "random"], rounds=1, clock=61)
    assert [each.ending for each in games] == ["rules"] * 2
    for each in games:
        assert "> level 0 1:01 0\n" in each.transcript
        assert "> st " not in each.transcript


OFFERS = """
print("id name x", flush=True)
print("option UCI_Variant type combo var chess960 var chess", flush=True)
while True:
    word = input().split()[0]
    print({"ucci": "ucciok", "isready": "readyok", "go": "nobestmove"}.get(word, ""), flush=True)
"""


def test_program_of_ucci_resigns_without_a_move(tmp_path: Path) -> None:
    game = load("chess", engine="interpreter")
    text = program(tmp_path, OFFERS).replace("cmd:", "ucci:")
    games = played(game, [text, "random"], rounds=1)
    assert [each.reason for each in games] == ["resign: has resigned"] * 2
    assert "> setoption UCI_Variant chess\n" in games[0].transcript


@pytest.mark.deep
def test_processes_play_the_same_games(tic: Game) -> None:
    players = ["search:nodes=20", "random"]
    alone = match(tic, players, 6)
    with contests.processes(2) as pool:
        assert match(tic, players, 6, executor=pool).table.wins == alone.table.wins


@pytest.mark.deep
def test_dask_plays_the_same_games(tic: Game) -> None:
    pytest.importorskip("distributed")
    players = ["search:nodes=20", "random"]
    alone = match(tic, players, 6)
    with contests.dask(None, 2) as pool:
        assert match(tic, players, 6, executor=pool).table.wins == alone.table.wins


@pytest.mark.slow
def test_the_examples_of_the_page_run() -> None:
    page = ROOT / "docs" / "contests.md"
    done = doctest.testfile(str(page), module_relative=False)
    assert done.attempted > 10
    assert not done.failed


def test_every_public_name_is_there() -> None:
    assert all(hasattr(contests, name) for name in contests.__all__)


def played(
    game: Game,
    texts: list[str],
    rounds: int,
    opening: int = 0,
    clock: float | None = None,
    plies: int = 10_000,
) -> tuple[PlayedGame, ...]:
    entrants = read_entrants(texts)
    unit = Unit(0, 0, tuple(entrant.player for entrant in entrants), 0, rounds)
    return play_unit(
        terms_of(game, "", entrants, opening=opening, clock=clock, plies=plies), unit
    ).games


def runs(spec: str) -> str:
    """Return the command line of a program that runs the spec's script in another process."""
    return f"cmd:env PYTHONPATH={ROOT} {sys.executable} -m rulesengine run {spec}"
