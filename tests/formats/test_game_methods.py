"""Positions and games of other programs by the methods of `Game`."""

import pytest

import rulesengine
from rulesengine import Game, IllegalMoveError, NotationError, UsageError

MATE = """\
[White "Ann"]
[Black "Ben"]
[Event "Club"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1
"""
# White mates by the rook: from the king and rook ending of a textbook.
ENDING = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"


@pytest.fixture(scope="module")
def chess() -> Game:
    return rulesengine.load("chess", engine="interpreter")


def test_a_position_is_read_and_written(chess: Game) -> None:
    state = chess.position(ENDING)
    assert state == chess.position(ENDING, "fen")
    assert (state.mover, len(chess.legal_moves(state))) == ("white", 13 + 3)
    assert chess.format_position(state, "fen") == ENDING
    mate = chess.apply(state, "a1a8")
    outcome = chess.outcome(mate)
    assert outcome
    assert outcome.winner == "white"
    assert chess.format_position(mate, "fen") == "R5k1/5ppp/8/8/8/8/8/7K b - - 1 1"
    assert chess.position(str(mate)) == mate


def test_a_record_has_players_moves_result_and_positions(chess: Game) -> None:
    record = chess.record(MATE)
    assert record.players == {"white": "Ann", "black": "Ben"}
    assert [str(move) for move in record.moves] == ["f2f3", "e7e5", "g2g4", "d8h4"]
    assert record.result
    assert record.result.winner == "black"
    assert record.tags["Event"] == "Club"
    positions = list(record.positions())
    assert positions[0] == record.start == chess.initial_state()
    last = chess.outcome(positions[-1])
    assert (len(positions), last and last.winner) == (5, "black")
    assert chess.record(MATE, "pgn") == record


def test_a_record_is_read_from_bytes(chess: Game) -> None:
    assert chess.record(MATE.encode()) == chess.record(MATE)
    assert (
        chess.record(MATE.replace("Ann", "Zoë").encode("latin-1"), "pgn").players["white"] == "Zoë"
    )


def test_a_move_is_given_as_text(chess: Game) -> None:
    state = chess.initial_state()
    move = chess.move("e2e4")
    for text in ("e2e4", "e4"):
        assert chess.move_text(text, state) == "e4"
        assert chess.move_record(state, text) == chess.move_record(state, move)
        assert chess.trace(state, text) == chess.trace(state, move)
    with pytest.raises(IllegalMoveError):
        chess.move_record(state, "e5")


def test_a_record_is_written_in_a_format(chess: Game) -> None:
    text = chess.format_record(chess.record(MATE), "pgn")
    assert "1. f3 e5 2. g4 Qh4# 0-1" in text
    assert '[Event "Club"]' in text
    assert text == chess.format_record(next(chess.read_games(MATE)), "pgn")


def test_a_record_begins_at_the_position_of_its_headers(chess: Game) -> None:
    text = f'[SetUp "1"]\n[FEN "{ENDING}"]\n\n1. Ra8# 1-0\n'
    record = chess.record(text)
    assert (record.start, record.players) == (chess.position(ENDING), {})
    assert len(list(record.positions())) == 2


def test_a_record_has_the_parameters_that_its_text_states() -> None:
    go = rulesengine.load("go", engine="interpreter")
    record = go.record("(;GM[1]SZ[9]KM[5.5]PB[Ann]PW[Ben]RE[B+R];B[gg];W[cc])")
    assert (go.parameters["komi"], record.parameters["komi"]) == (7, 5)
    # SGF counts rows from the top.
    assert [str(move) for move in record.moves] == ["g3", "c7"]
    assert record.players == {"black": "Ann", "white": "Ben"}
    assert record.result
    assert record.result.winner == "black"
    stones = [sum(plane.bit_count() for plane in state.planes[:2]) for state in record.positions()]
    assert stones == [0, 1, 2]


@pytest.mark.parametrize(
    ("text", "format", "error", "why"),
    [
        ("1. e4 e4 *", None, NotationError, "e4"),
        ("", "pgn", NotationError, "expected a game of Chess, found an empty text"),
        ("hello", None, NotationError, "expected games of Chess in pgn"),
        (MATE, "sgf", UsageError, "`sgf`"),
        (3, None, UsageError, "expected the text of games, found 3"),
    ],
)
def test_other_texts_are_no_records(
    chess: Game, text: str, format: str | None, error: type[Exception], why: str
) -> None:
    with pytest.raises(error, match=why):
        chess.record(text, format)


def test_other_texts_are_no_positions(chess: Game) -> None:
    with pytest.raises(UsageError, match="no format `x`"):
        chess.position(ENDING, "x")
    with pytest.raises(UsageError, match="no format `x`"):
        chess.format_position(chess.initial_state(), "x")
    with pytest.raises(NotationError):
        chess.position("hello")
    with pytest.raises(UsageError, match="a game of `record` or `read_games`"):
        chess.format_record(MATE, "pgn")  # type: ignore[arg-type]


def test_a_record_of_another_game_is_refused(chess: Game) -> None:
    other, game = rulesengine.load("tic-tac-toe", engine="interpreter"), chess.record(MATE)
    for record in (game, game.recorded):
        with pytest.raises(UsageError, match="this state belongs to another game than Tic-tac-toe"):
            other.format_record(record, "transcript")


@pytest.mark.parametrize("text", ["e4", "startpos", "not a position"])
def test_a_line_that_is_no_position_is_not_counted_as_a_row(chess: Game, text: str) -> None:
    why = f"expected a position of Chess, as the text of a state or in fen, found `{text}`"
    for read in (chess.state_from, chess.position):
        with pytest.raises(NotationError, match=f"^{why}$"):
            read(text)
    with pytest.raises(NotationError, match="the board has 8 rows, found 2"):
        chess.state_from("........\n........")
