"""Chess960: initial positions by number, rights in X-FEN and Shredder-FEN, castling to the rook."""

import random

import pytest

import rulesengine

GAME = rulesengine.load("chess960", engine="interpreter")
# First rows by number, from "Fischer random chess numbering scheme" on Wikipedia.
ROWS = {0: "BBQNNRKR", 518: "RNBQKBNR", 959: "RKRNNQBB"}
# Positions of the Chess Programming Wiki, "Chess960 Perft Results", with their counts.
COUNTS = {
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9": [21, 528],
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9": [21, 807],
    "b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9": [20, 479],
}
PGN = """[Variant "Chess960"]
[SetUp "1"]
[FEN "1r2k2r/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1"]

1. O-O O-O-O 2. Rbd1 *
"""


def test_first_row_is_that_of_its_number() -> None:
    for number, row in ROWS.items():
        fen = GAME.bind(lineup=number).export()
        assert fen == f"{row.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{row} w KQkq - 0 1"


@pytest.mark.slow
def test_counts_are_those_of_the_wiki() -> None:
    for fen, counts in COUNTS.items():
        state = GAME.state_from(fen)
        assert [GAME.perft(depth, state) for depth in (1, 2)] == counts, fen


def test_letters_of_rights_are_outermost_rooks_or_columns() -> None:
    fen = "4k3/8/8/8/8/8/8/1R1RK1RR w {} - 0 1"
    for word, cells, written in (
        ("KQ", "b1 h1", "KQ"),
        ("HB", "b1 h1", "KQ"),
        ("GD", "d1 g1", "GD"),
        ("GQ", "b1 g1", "GQ"),
        ("-", "none", "-"),
    ):
        state = GAME.state_from(fen.format(word))
        line = next((r for r in str(state).splitlines() if r.startswith("rights")), "")
        assert sorted(line.removeprefix("rights: ").split()) == cells.split(), word
        assert GAME.export(state).split()[2] == written
    with pytest.raises(rulesengine.NotationError, match="no letter `K`"):
        GAME.state_from("4k3/8/8/8/8/8/8/R3K3 w K - 0 1")


def test_games_of_the_variant_are_read_and_written() -> None:
    (game,) = GAME.read_games(PGN)
    assert [str(move) for move in game.moves] == ["e1g1", "e8b8", "b1d1"]
    assert GAME.export(game.final).split()[0] == "2kr3r/8/8/8/8/8/8/3R1RK1"
    written = GAME.format_record(game)
    assert '[Variant "Chess960"]' in written
    assert "1. O-O O-O-O 2. Rbd1 *" in written
    (other,) = rulesengine.load("chess", engine="interpreter").read_games(PGN)
    assert "another variant than Chess" in str(other.problems[0])


@pytest.mark.slow
def test_random_games_are_those_of_python_chess() -> None:
    """Compare moves, positions and SAN of a game that castles as soon as it can."""
    chess = pytest.importorskip("chess", reason="python-chess is not installed")
    chosen = random.Random(2)
    board = chess.Board.from_chess960_pos(chosen.randrange(960))
    game = GAME.bind(lineup=board.chess960_pos())
    state = game.initial_state()
    for _ in range(30):
        assert sorted(map(str, game.legal_moves(state))) == sorted(
            move.uci() for move in board.legal_moves
        )
        assert game.export(state, fullmove=board.fullmove_number) == board.fen()
        read = game.state_from(board.shredder_fen())
        assert (read.planes, read.registers) == (state.planes, state.registers)
        legal = list(board.legal_moves)
        castling = [move for move in legal if board.is_castling(move)]
        move = chosen.choice(castling or legal)
        own = game.move(board.san(move), state)
        assert (str(own), game.move_text(own, state, "san")) == (move.uci(), board.san(move))
        board.push(move)
        state = game.apply(state, own)


@pytest.mark.deep
def test_all_initial_positions_are_those_of_python_chess() -> None:
    chess = pytest.importorskip("chess", reason="python-chess is not installed")
    for number in range(960):
        assert GAME.bind(lineup=number).export() == chess.Board.from_chess960_pos(number).fen()
