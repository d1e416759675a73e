"""Chess and related games against the published counts and against Fairy-Stockfish, ply by ply."""

import random
import re

import pyffish
import pytest

import rulesengine
from tests.helpers.authorities import Source
from tests.oracles.fairy_chess import random_game
from tests.oracles.openspiel import Ply

MATE, STALEMATE = "checkmate", "stalemate"
THIRD, FIFTY = (
    "the position is there for the third time",
    "fifty moves without a capture or a pawn's move",
)
NOBODY, STUCK = "nobody can give mate", "who is to move has no move"
GAMES = [
    Source(random_game, "chess", "chess", 100, frozenset({MATE, THIRD, FIFTY, NOBODY})),
    Source(random_game, "losalamos", "los-alamos", 100, frozenset({MATE, NOBODY})),
    Source(random_game, "xiangqi", "xiangqi", 100, frozenset({STUCK})),
]
# The positions of the Chess Programming Wiki, "Perft Results", with their counts.
POSITIONS = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -": (20, 400, 8902, 197281, 4865609),
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -": (48, 2039, 97862),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -": (14, 191, 2812, 43238),
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -": (6, 264, 9467),
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -": (44, 1486, 62379),
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -": (46, 2079, 89890),
}
# By Fairy-Stockfish; those of xiangqi are in the Chess Programming Wiki too.
COUNTS = {
    "los-alamos": (10, 100, 1212, 14332),
    "xiangqi": (44, 1920, 79666, 3290240),
}
_ROOKS = {"q": "a8", "k": "h8", "Q": "a1", "K": "h1"}


def state_text(fen: str) -> str:
    """Convert a position from Forsyth-Edwards notation to the notation of our states."""
    board, side, rights, passed = fen.split()
    rows = re.sub(r"\d", lambda found: "." * int(found[0]), board).split("/")
    rooks = " ".join(_ROOKS[letter] for letter in rights if letter in _ROOKS)
    lines = [*rows, f"mover: {'white' if side == 'w' else 'black'}", f"rights: {rooks or 'none'}"]
    return "\n".join(lines if passed == "-" else [*lines, f"passed: {passed}"])


@pytest.mark.parametrize("fen", POSITIONS)
def test_the_moves_of_the_published_positions_are_counted(fen: str) -> None:
    game = rulesengine.load("chess", engine="interpreter")
    assert len(game.legal_moves(game.state_from(state_text(fen)))) == POSITIONS[fen][0]


@pytest.mark.deep
@pytest.mark.parametrize("fen", POSITIONS)
def test_the_moves_on_from_the_published_positions_are_counted(fen: str) -> None:
    game = rulesengine.load("chess", engine="native")
    state = game.state_from(state_text(fen))
    counted = tuple(game.perft(depth, state) for depth in range(1, len(POSITIONS[fen]) + 1))
    assert counted == POSITIONS[fen]


@pytest.mark.deep
@pytest.mark.parametrize("name", COUNTS)
def test_perft_of_chess_variants_matches_published_counts(name: str) -> None:
    game = rulesengine.load(name, engine="native")
    assert tuple(game.perft(depth) for depth in range(1, len(COUNTS[name]) + 1)) == COUNTS[name]


@pytest.mark.deep
@pytest.mark.parametrize("source", GAMES, ids=str)
def test_random_games_agree_with_fairy_stockfish_at_every_ply(source: Source) -> None:
    source.compare(source.count)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["chess", "losalamos", "xiangqi"])
def test_positions_of_a_random_game_agree_with_fairy_stockfish(name: str) -> None:
    """Compare three positions of a game: without kernels these rules are slow."""
    game = rulesengine.load({"losalamos": "los-alamos"}.get(name, name), engine="interpreter")
    state = game.initial_state()
    for ply, position in zip(range(31), random_game(name, 1), strict=False):
        assert isinstance(position, Ply)
        if ply % 15 == 0:
            assert {str(move) for move in game.legal_moves(state)} == position.legal
            assert tuple(str(state).split("\n")[: len(position.board)]) == position.board
        state = game.apply(state, position.played)


FOR_EVER, ONCE_MORE = "check for ever", "the third time of a position"
# A chariot that gives check on two files; one that starts to after the position occurred; one that
# only moves; one of the other side.
REPEATED = [
    ("3k5/9/9/9/9/9/9/9/4R4/5K3 w", "e2d2 d10e10 d2e2 e10d10 " * 2, FOR_EVER),
    ("3k5/9/9/9/9/9/9/9/4R4/5K3 w", "e2e3 d10d9 e3e2 d9d10 e2d2 d10e10 d2e2 e10d10", ONCE_MORE),
    ("3k5/9/9/9/9/9/9/9/R8/5K3 w", "a2b2 d10e10 b2a2 e10d10 " * 2, ONCE_MORE),
    ("5k3/4r4/9/9/9/9/9/9/9/3K5 b", "e9d9 d1e1 d9e9 e1d1 " * 2, FOR_EVER),
]


def xiangqi_text(fen: str) -> str:
    """Convert a xiangqi position from Forsyth-Edwards notation to the notation of our states."""
    board, side = fen.split()
    rows = re.sub(r"\d", lambda found: "." * int(found[0]), board).split("/")
    return "\n".join([*rows, f"mover: {'red' if side == 'w' else 'black'}"])


def claimed(fen: str, moves: list[str], mover: str) -> tuple[bool, str | None]:
    """Return Fairy-Stockfish's verdict on a repetition: True if the game ends, and the winner."""
    ended, value = pyffish.is_optional_game_end("xiangqi", f"{fen} - - 0 1", moves)
    other = "black" if mover == "red" else "red"
    return ended, None if value == 0 else mover if value > 0 else other


@pytest.mark.slow
@pytest.mark.parametrize(("fen", "line", "reason"), REPEATED)
def test_a_third_time_in_xiangqi_ends_as_by_fairy_stockfish(
    fen: str, line: str, reason: str
) -> None:
    game = rulesengine.load("xiangqi", engine="interpreter")
    state, moves = game.state_from(xiangqi_text(fen)), list[str]()
    for move in line.split():
        assert game.outcome(state) is None
        assert not claimed(fen, moves, state.mover)[0]
        state = game.apply(state, move)
        moves.append(move)
    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome.reason is not None
    assert outcome.reason.startswith(reason)
    assert claimed(fen, moves, state.mover) == (True, outcome.winner)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(100))
def test_chariots_that_go_to_and_fro_end_games_as_by_fairy_stockfish(seed: int) -> None:
    """Leave out pieces that could be chased: chasing loses there but draws in our rules."""
    game, draw = rulesengine.load("xiangqi", engine="native"), random.Random(seed)
    fen, moves = "3k5/9/9/9/9/9/9/9/4R4/5K3 w", list[str]()
    state = game.state_from(xiangqi_text(fen))
    while (outcome := game.outcome(state)) is None and len(moves) < 60:
        assert not claimed(fen, moves, state.mover)[0]
        texts = [str(move) for move in game.legal_moves(state)]
        back = (
            moves[-2][len(moves[-2]) // 2 :] + moves[-2][: len(moves[-2]) // 2] if moves[1:] else ""
        )
        again = [text for text in texts if text == back and draw.random() < 0.8]
        moves.append(draw.choice(again or texts))
        state = game.apply(state, moves[-1])
    if outcome is not None and outcome.reason != STUCK:
        assert claimed(fen, moves, state.mover) == (True, outcome.winner)
