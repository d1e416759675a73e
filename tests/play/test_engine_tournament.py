"""Engine mode against itself by referees of other projects, and the same games played inside.

Each engine searches by a number of plies, so that its moves depend on the position alone.
"""

import sys

import pytest

import rulesengine
from rulesengine.game import Game
from rulesengine.play.engine_mode import PROTOCOLS
from rulesengine.state import State

COMMAND = [sys.executable, "-m", "rulesengine", "engine", "chess", "--engine", "interpreter"]
# Positions with few moves: the interpreter searches some 40 positions per second.
STARTS = ("3k4/8/8/6P1/7p/7P/1R4P1/4K2R w K - 0 1", "4k3/1pp5/8/8/8/8/5PP1/4K3 b - - 0 1")
PLIES = 4


def inside(game: Game, start: str, depths: tuple[int, int]) -> list[str]:
    """Return the moves of a game in which the sides search some plies."""
    state, moves = game.state_from(start), list[str]()
    while len(moves) < PLIES and game.outcome(state) is None:
        found = game.search(state, plies=depths[state.side], seed=len(moves)).move
        moves.append(str(found))
        state = game.apply(state, found)
    return moves


@pytest.mark.deep
@pytest.mark.parametrize("protocol", ["uci", "xboard"])
def test_tournament_refereed_by_python_chess_has_the_games_played_inside(protocol: str) -> None:
    chess = pytest.importorskip("chess", reason="python-chess is not installed")
    library = pytest.importorskip("chess.engine", reason="python-chess is not installed")
    game = rulesengine.load("chess", engine="interpreter")
    simple = library.SimpleEngine
    popen = {"uci": simple.popen_uci, "xboard": simple.popen_xboard}[protocol]
    engines = [popen([*COMMAND, "--protocol", protocol], timeout=100) for _ in range(2)]
    try:
        for start in STARTS:
            for depths in ((1, 2), (2, 1)):
                board = chess.Board(start)
                while len(board.move_stack) < PLIES and not board.is_game_over():
                    side = 0 if board.turn else 1
                    limit = library.Limit(depth=depths[side])
                    board.push(engines[side].play(board, limit).move)
                assert [move.uci() for move in board.move_stack] == inside(game, start, depths)
    finally:
        for engine in engines:
            engine.quit()


def test_gtp_referee_gets_the_game_played_inside() -> None:
    """Referee two engines by the commands of the Go Text Protocol, which a strategy answers."""
    game = rulesengine.load("aps105-reversi", engine="interpreter").bind(n=4)
    found: list[str] = []
    engines = [PROTOCOLS["gtp"](game, found.append) for _ in range(2)]
    for engine in engines:
        engine.handle("rulesengine-option method greedy")
        engine.handle("clear_board")
    state, moves = game.initial_state(), list[str]()
    while game.outcome(state) is None:
        side = state.side
        engines[side].handle(f"genmove {'bw'[side]}")
        vertex = found[-1].removeprefix("=").strip()
        engines[1 - side].handle(f"play {'bw'[side]} {vertex}")
        state = played(game, state, vertex)
        moves.append(vertex)
    for engine in engines:
        engine.close()
    assert moves == [vertex_of(move) for move in strategy_game(game)]


def played(game: Game, state: State, vertex: str) -> State:
    """Return the state after a vertex; rows and columns of this game are letters."""
    texts = {vertex_of(str(move)): move for move in game.legal_moves(state)}
    return game.apply(state, texts[vertex])


def vertex_of(text: str) -> str:
    """Return a cell, whose row comes first, as a vertex: a letter and a number."""
    return text if text == "pass" else f"{text[1].upper()}{'abcd'.index(text[0]) + 1}"


def strategy_game(game: Game) -> list[str]:
    """Return the moves of the strategy for both sides."""
    state, moves = game.initial_state(), list[str]()
    while game.outcome(state) is None:
        move = game.choose("greedy", state)
        assert move is not None
        moves.append(str(move))
        state = game.apply(state, move)
    return moves
