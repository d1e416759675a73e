"""Engine mode driven by user interfaces of other projects: XBoard, and Polyglot as an adapter."""

from pathlib import Path

import pytest

import rulesengine
from rulesengine.formats.values import RecordedGame
from tests.helpers.other_programs import await_line, engine, output, program, send, session

CHESS = rulesengine.load("chess", engine="interpreter")
# White castles, promotes a pawn and mates, even if a search sees one ply.
POSITION = "3k4/8/8/6P1/7p/7P/1R4P1/4K2R w K - 0 1"


def inside(fen: str) -> list[str]:
    """Return the moves that searches of one ply play from a position to the end."""
    state, moves = CHESS.state_from(fen), list[str]()
    while CHESS.outcome(state) is None:
        found = CHESS.search(state, plies=1, seed=len(moves)).move
        moves.append(str(found))
        state = CHESS.apply(state, found)
    return moves


@pytest.mark.deep
def test_polyglot_plays_by_xboard_with_an_engine_of_uci(tmp_path: Path) -> None:
    """Send the first legal move three times; the answers are legal too, or `apply` fails."""
    words = (program("polyglot"), "-noini", "-ec", engine("chess", "uci"), "-log", "false")
    with session(*words, folder=tmp_path) as process:
        send(process, "xboard", "protover 2")
        await_line(process, "feature done=1")
        send(process, "new", "sd 1")
        state = CHESS.initial_state()
        for _ in range(3):
            text = str(CHESS.legal_moves(state)[0])
            send(process, f"usermove {text}")
            answer = await_line(process, "move ").split()[1]
            state = CHESS.apply(CHESS.apply(state, text), answer)
        send(process, "force", "setboard 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "go")
        assert await_line(process, "move a") == "move a1a8"
        await_line(process, "1-0 ")
        send(process, "quit")
        assert process.wait() == 0


@pytest.mark.deep
@pytest.mark.parametrize("protocol", ["xboard", "uci"])
def test_xboard_referees_the_game_that_is_played_inside(protocol: str, tmp_path: Path) -> None:
    """Play a game in XBoard, which starts Polyglot for UCI and adjudicates the mate."""
    words = [program("xvfb-run"), "-a", program("xboard"), "-noGUI", "-xexit", "-mg", "1"]
    program("polyglot")
    (tmp_path / "start.fen").write_text(f"{POSITION}\n")
    adapted = ["-fUCI", "-sUCI"] if protocol == "uci" else []
    # `-sd` is the folder of the second engine; the depth is `-depth`.
    limits = ["-depth", "1", "-lpf", "start.fen", "-lpi", "1", "-sgf", "game.pgn"]
    line = engine("chess", protocol)
    output(*words, "-fcp", line, "-scp", line, *adapted, *limits, folder=tmp_path)
    game = only(tmp_path / "game.pgn")
    assert CHESS.export(game.start.state, "fen") == POSITION
    moves = [str(move) for move in game.moves]
    assert moves == inside(POSITION)
    assert moves[0] == "e1g1"
    assert game.result is not None
    assert game.result.winner == "white"
    assert CHESS.outcome(game.final) is not None


def only(path: Path) -> RecordedGame:
    """Return the only game of a file, which has no errors."""
    (game,) = CHESS.read_games(path.read_text())
    assert game.problems == ()
    return game
