"""Positions in FEN and EPD, against python-chess and Fairy-Stockfish where they are installed."""

import random
from collections.abc import Iterator

import pytest

import rulesengine
from rulesengine.errors import NotationError, UsageError
from rulesengine.formats.options import option
from rulesengine.formats.values import Position
from rulesengine.game import Game
from rulesengine.loading import load_source
from rulesengine.state import State
from rulesengine.support.resources import bundled_names
from rulesengine.support.source import Source

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
# Kinds with letters of their own, a long row, and a side letter with a synonym.
LONG = """spec: 1
name: Long
board: {rows: 2, columns: 12}
players: [red, black]
pieces: {man: {red: x, black: o}, empty: "."}
rules: {moves: {place: man, to: empty}}
formats:
  fen:
    letters: {man: [P, M]}
    sides: {red: [w, r], black: b}
    fields: [board, side, fullmove]
"""


def chess() -> Game:
    return rulesengine.load("chess", engine="interpreter")


def long() -> Game:
    return load_source(Source("long.yaml", LONG), engine="interpreter")


def random_states(game: Game, count: int, seed: int = 1) -> Iterator[State]:
    """Yield the states of random games."""
    chosen, state, ongoing = random.Random(seed), game.initial_state(), game.without_claims
    for _ in range(count):
        yield state
        moves = ongoing.legal_moves(state)
        after = ongoing.apply(state, moves[chosen.randrange(len(moves))]) if moves else None
        state = after or game.initial_state()


def test_initial_position_of_chess_is_that_of_the_standard() -> None:
    assert chess().export() == START
    assert chess().state_from(START) == chess().initial_state()


def test_fields_at_the_end_may_be_missing() -> None:
    board = START.split()[0]
    position = chess().position_from(f"{board} b")
    assert (position.state.mover, position.fullmove) == ("black", 1)


def test_number_of_the_full_move_is_read_and_written() -> None:
    text = "4k3/8/8/8/8/8/4P3/4K3 w - - 5 39"
    position = chess().position_from(text)
    assert chess().export(position.state, fullmove=position.fullmove) == text


def test_operations_of_epd_are_read() -> None:
    # The PGN standard of 1994, section 16.2.
    board = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq -"
    position = chess().position_from(f'{board} bm e4 d4; id "two pawns"; hmvc 0;')
    assert position.operations == (("bm", "e4 d4"), ("id", '"two pawns"'), ("hmvc", "0"))


@pytest.mark.parametrize("text", [r'"say \"e4\"; or d4"', r'"C:\"', r'"a\\"', '""'])
def test_strings_of_epd_with_escapes_are_read_and_written(text: str) -> None:
    """python-chess escapes quotes; by the standard a backslash is a character as any other."""
    line = f"4k3/8/8/8/8/8/8/4K2R w K - c0 {text}; id 7;"
    position = chess().position_from(line)
    assert position.operations == (("c0", text), ("id", "7"))
    assert chess().formats.positions("fen").write(position) == line


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", False),
        ("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", True),
        # The capture is pseudo-legal and would open the row of the king: X-FEN writes the cell.
        ("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1", False),
    ],
)
def test_cell_of_en_passant_remains_where_the_capture_is_legal(text: str, kept: bool) -> None:
    state = chess().state_from(text)
    assert (chess().export(state) == text) is kept
    assert chess().export(state).split()[3] == ("e3" if kept else "-")


def test_letters_of_columns_are_read_as_rights_to_castle() -> None:
    assert chess().state_from(START.replace("KQkq", "HAha")) == chess().initial_state()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("8/8/8/8/8/8/8/8 w - - 0 1", "impossible position: each side has one king"),
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "each side has one king"),
        ("4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1", "the side not to move is in check"),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn is on the last row"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "a right to castle is without its king or rook"),
        ("4k3/8/8/8/8/8/8/3K3R w K - 0 1", "a right to castle is without its king or rook"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "no pawn has just passed the cell"),
        ("4k2y/8/8/8/8/8/8/4K3 w - - 0 1", "field 1, board: row 1, character 4: no piece `y`"),
        ("4k3/8/8/8/8/8/8/4K4 w - - 0 1", "field 1, board: row 8 has 8 cells, found 9"),
        ("4k3/99999999999/8/8/8/8/8/4K3 w - - 0 1", "row 2 has 8 cells, found"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "field 2, side: expected `w` or `b`, found `x`"),
        ("4k3/8/8/8/8/8/8/4K3 w X - 0 1", "field 3, rights: no letter `X`"),
        ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "field 4, passed: no cell `e9`"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 999 1", "field 5, quiet: `quiet` is -1 to 151, found 999"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 ?!", "expected an operation of EPD, found `?!`"),
        ("4k3/8/8/8/8/8/8/4K3 w - - c0 " + r'"\" ' * 2000 + '"', 'operation of EPD, found `c0 "'),
    ],
)
def test_wrong_position_is_refused_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        chess().state_from(text)
    assert message in str(error.value)


# By the rules of the Japan Shogi Association a player has one unpromoted pawn in a column.
@pytest.mark.parametrize("placement", ["4k/5/P4/P4/K4", "4k/P4/5/P4/K4", "4k/4p/5/4p/K4"])
@pytest.mark.parametrize("side", ["b", "w"])
def test_two_pawns_of_shogi_in_a_column_are_refused(placement: str, side: str) -> None:
    with pytest.raises(NotationError, match="a player has two pawns in one column"):
        rulesengine.load("minishogi").state_from(f"{placement} {side} - 1")


def test_a_pawn_and_a_promoted_one_may_share_a_column() -> None:
    game = rulesengine.load("minishogi")
    assert game.export(game.state_from("4k/4p/P4/+P4/K4 b - 1")) == "4k/4p/P4/+P4/K4 b - 1"


def test_runs_of_ten_and_more_and_synonyms_of_letters() -> None:
    game = long()
    assert game.export() == "12/12 w 1"
    state = game.state_from("11M/p11 r 3")
    assert game.export(state, fullmove=3) == "11P/p11 w 3"


def test_game_without_letters_of_fen_has_letters_by_order() -> None:
    game = rulesengine.load("quarto", engine="interpreter")
    state = game.apply(game.initial_state(), game.legal_moves(game.initial_state())[0])
    assert game.state_from(game.export(state)) == state


@pytest.mark.slow
@pytest.mark.parametrize("count", [30, pytest.param(1000, marks=pytest.mark.deep)])
@pytest.mark.parametrize("name", bundled_names())
def test_positions_of_every_bundled_game_read_back(name: str, count: int) -> None:
    # Few positions do not repay the compilation of each game.
    game = rulesengine.load(name, engine="interpreter" if count < 100 else "auto")
    has_registers = not option(game.program, "fen", "fields", ())
    for state in random_states(game, count):
        for name in game.formats.names("positions"):
            found = game.state_from(game.export(state, name))
            assert (found.planes, found.side) == (state.planes, state.side)
            if name == "fen":
                assert found.seats == state.seats
                assert found.registers == state.registers or not has_registers


def test_thousand_positions_of_chess_are_those_of_python_chess() -> None:
    chess_library = pytest.importorskip("chess", reason="python-chess is not installed")
    game = rulesengine.load("chess")
    chosen, board = random.Random(2), chess_library.Board()
    for _ in range(1000):
        if board.is_game_over():
            board = chess_library.Board()
        board.push(chosen.choice(list(board.legal_moves)))
        position = game.position_from(board.fen(en_passant="fen"))
        written = game.export(position.state, fullmove=position.fullmove)
        assert written == board.fen(en_passant="legal")


def test_positions_of_xiangqi_are_those_of_fairy_stockfish() -> None:
    pyffish = pytest.importorskip("pyffish", reason="pyffish is not installed")
    game = rulesengine.load("xiangqi")
    chosen, moves = random.Random(3), list[str]()
    for _ in range(100):
        fen = pyffish.get_fen("xiangqi", pyffish.start_fen("xiangqi"), moves)
        legal = pyffish.legal_moves("xiangqi", pyffish.start_fen("xiangqi"), moves)
        state = game.state_from(fen)
        assert sorted(map(str, game.without_claims.legal_moves(state))) == sorted(legal)
        number = int(fen.split()[-1])
        assert game.export(state, fullmove=number).split()[:2] == fen.split()[:2]
        moves = [*moves, chosen.choice(legal)] if legal and len(moves) < 150 else []


@pytest.mark.slow
def test_positions_of_los_alamos_chess_are_those_of_fairy_stockfish() -> None:
    pyffish = pytest.importorskip("pyffish", reason="pyffish is not installed")
    game = rulesengine.load("los-alamos")
    start = pyffish.start_fen("losalamos")
    chosen, moves = random.Random(3), list[str]()
    for _ in range(100):
        fen = pyffish.get_fen("losalamos", start, moves)
        legal = pyffish.legal_moves("losalamos", start, moves)
        position = game.position_from(fen)
        found = sorted(map(str, game.without_claims.legal_moves(position.state)))
        assert found == sorted(legal)
        assert game.export(position.state, fullmove=position.fullmove) == fen
        moves = [*moves, chosen.choice(legal)] if legal and len(moves) < 100 else []


def test_unknown_format_is_an_error() -> None:
    with pytest.raises(
        UsageError, match=r"no format `feb`: Chess has fen, san, uci, pgn, transcript$"
    ):
        chess().export(format="feb")
    game = rulesengine.load("xiangqi", engine="interpreter")
    with pytest.raises(UsageError, match="Xiangqi declares no `san` in `formats`"):
        game.move_text(game.move("h3e3"), game.initial_state())


def test_cell_that_a_pawn_passed_is_written_after_any_double_step_on_request() -> None:
    game = chess()
    state = game.initial_state()
    for played, passed in (("e2e4", "e3"), ("g8f6", "-"), ("e4e5", "-"), ("d7d5", "d6")):
        move = game.move(played, state)
        state = game.apply(state, move)
        text = game.formats.positions("fen").write(Position(state, last=move))
        assert text.split()[3] == passed
        # In the last position the capture is legal, so the cell is always written.
        assert game.export(state).split()[3] == ("d6" if played == "d7d5" else "-")
        assert game.state_from(text).registers == state.registers


def test_a_game_with_stacks_has_no_positions_in_fen() -> None:
    game = rulesengine.load("tak", engine="interpreter")
    assert game.formats.names("positions") == ()
    with pytest.raises(UsageError, match="notation has no stacks, and Tak has"):
        game.export(game.initial_state(), "fen")
