"""Games in PGN: reading, errors, writing, and agreement with python-chess where it is installed."""

import io
import random
import shutil
import subprocess
from itertools import islice
from pathlib import Path

import pytest

import rulesengine
from rulesengine.errors import NotationError, UsageError
from rulesengine.formats.values import GameResult, Note, Position, RecordedGame, Variation
from rulesengine.game import Game
from rulesengine.state import Move

HEAD = '[Event "Club"]\n[White "Ann \\"A\\" Lee"]\n[Black "Bob"]\n[Result "1-0"]\n\n'
MATE = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n"


def chess() -> Game:
    return rulesengine.load("chess", engine="interpreter")


def games(text: str | bytes, game: Game | None = None) -> list[RecordedGame]:
    return list((game or chess()).read_games(text))


def only(text: str | bytes) -> RecordedGame:
    (found,) = games(text)
    return found


def problems(text: str) -> list[str]:
    return [str(problem) for game in games(text) for problem in game.problems]


def test_headers_moves_and_result_are_read() -> None:
    game = only(HEAD + MATE)
    assert game.header("White") == 'Ann "A" Lee'
    assert [str(move) for move in game.moves] == "e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7".split()
    assert (game.result, game.problems) == (GameResult("white"), ())


def test_periods_after_numbers_of_moves_may_be_missing() -> None:
    """Compare with section 8.2.2.1 of the PGN standard: zero or more periods follow a number."""
    game = only('[White "Ann"]\n\n1 e4 e5 (1 ... c5 2 Nf3) 2 Nf3 Nc6 3. *\n')
    assert [str(move) for move in game.moves] == "e2e4 e7e5 g1f3 b8c6".split()
    assert [str(move) for move in game.notes[2].variations[0].moves] == ["c7c5", "g1f3"]
    assert problems("1. e4 e5 2") == []


@pytest.mark.parametrize("mark", ["e.p.", "e. p.", "e.p.+", "e.p.!"])
def test_a_remark_on_a_capture_in_passing_may_be_joined_to_the_move(mark: str) -> None:
    game = only(f"1. e4 d5 2. e5 f5 3. exf6{mark} Nxf6 *")
    assert [str(move) for move in game.moves][-2:] == ["e5f6", "g8f6"]
    assert game.problems == ()


@pytest.mark.parametrize(
    ("text", "encoding"), [("½-½", "utf-8"), ("½-½", "latin-1"), ("½–½", "utf-8")]
)
def test_a_draw_may_be_written_with_halves(text: str, encoding: str) -> None:
    (first, second) = games(
        f'[Result "{text}"]\n\n1. e4 {text}\n\n[Result "1/2-1/2"]\n\n1. d4 {text}'.encode(encoding)
    )
    assert (first.result, first.problems) == (GameResult(None), ())
    assert (second.result, second.problems) == (GameResult(None), ())


def test_a_remark_on_a_capture_in_passing_is_skipped() -> None:
    """Compare with the FIDE Laws, C.13: a capture in passing may be noted with `e.p.`."""
    game = only("1. e4 d5 2. e5 f5 3. exf6 e.p. {the rule e.p. applies} Nxf6 *")
    assert [str(move) for move in game.moves][-2:] == ["e5f6", "g8f6"]
    assert game.notes[5].comments == ("the rule e.p. applies",)
    assert game.problems == ()


def test_comments_glyphs_and_clocks_are_kept() -> None:
    game = only("{Opening} 1. e4! {[%clk 0:03:00.5] good} e5 $2 ; to the end 2. Nf3\n2. Nf3 *")
    assert game.notes[0] == Note(("Opening",))
    assert game.notes[1] == Note(("[%clk 0:03:00.5] good",), (1,))
    assert game.notes[1].clock == 180.5
    assert game.notes[2] == Note(("to the end 2. Nf3",), (2,))
    assert len(game.moves) == 3


def test_variations_are_kept_as_trees() -> None:
    game = only("1. e4 e5 (1... c5 {Sicilian} 2. Nf3 (2. c3)) 2. d4 *")
    (sicilian,) = game.notes[2].variations
    assert [str(move) for move in sicilian.moves] == ["c7c5", "g1f3"]
    assert sicilian.notes[1].comments == ("Sicilian",)
    assert [str(move) for move in sicilian.notes[2].variations[0].moves] == ["c2c3"]


def test_null_moves_of_variations_are_kept() -> None:
    text = "1. e4 d5 2. e5 f5 (2... -- 3. f4 Z0 4. d4) (2... f5 3. -- h6 4. Bc4) 3. exf6 *"
    game = only(text)
    assert game.problems == ()
    first, second = game.notes[4].variations
    assert [str(move) for move in first.moves] == ["--", "f2f4", "--", "d2d4"]
    # After a null move the pawn can no longer be captured in passing.
    assert [str(move) for move in second.moves] == ["f7f5", "--", "h7h6", "f1c4"]
    assert only(chess().format_record(game)).notes == game.notes
    wrong = only("1. e4 d5 2. e5 a6 (2... f5 3. -- h6 4. exf6) *")
    assert [problem.text for problem in wrong.problems] == ["exf6"]


def test_null_moves_of_variations_are_those_of_python_chess() -> None:
    pgn = pytest.importorskip("chess.pgn", reason="python-chess is not installed")
    text = "1. e4 e5 (1... -- 2. d4 Z0 3. Nf3) 2. Nf3 (2. -- Nf6) 2... Nc6 *"
    game = pgn.read_game(io.StringIO(chess().format_record(only(text))))
    assert game.errors == []
    first = game.next().variations[1]
    assert [move.uci() for move in [first.move, *first.mainline_moves()]] == [
        "0000", "d2d4", "0000", "g1f3",
    ]  # fmt: skip


def test_game_from_a_position_begins_there() -> None:
    text = '[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 5 39"]\n\n39... Kd7 40. e4 *'
    game = only(text)
    assert (game.start.fullmove, str(game.moves[1]), game.problems) == (39, "e2e4", ())


def test_many_games_are_read_with_and_without_headers() -> None:
    text = HEAD + MATE + "\n" + HEAD + MATE + "1. d4 d5 1/2-1/2 1. c4 0-1\n"
    found = games(text)
    assert [len(game.moves) for game in found] == [7, 7, 2, 1]
    assert [game.result and game.result.winner for game in found] == [
        "white", "white", None, "black",
    ]  # fmt: skip


def test_result_by_resignation_is_separate_from_the_rules() -> None:
    game = only('[Termination "time forfeit"]\n\n1. e4 e5 0-1')
    assert game.result == GameResult("black", "time forfeit")
    assert chess().outcome(game.final) is None
    assert game.problems == ()


def test_games_go_on_after_a_third_repetition() -> None:
    game = only("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 *")
    assert (len(game.moves), game.problems) == (9, ())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1. e4 e5 2. Ke3 *", "game 1, ply 3, `Ke3`: no legal move is written so"),
        ("1. e4 -- 2. d4 *", "game 1, ply 2, `--`: a null move, which only variations may have"),
        ("1. e4 e5 (1... f6 2. Qh5+ --) *", "game 1, ply 4, `--`: impossible position"),
        ("1. f3 e5 2. g4 Qh4# 3. a3 0-1", "game 1, ply 5, `a3`: the game is over, checkmate"),
        ("1. f3 e5 2. g4 Qh4# 1-0", "`1-0`: by the rules the result is 0-1, checkmate"),
        ('[Result "1-0"]\n\n1. e4 0-1', "`0-1`: the header has the result 1-0"),
        ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4 *', "each side has one king"),
        ('[Variant "Atomic"]\n\n1. e4 *', "`Atomic`: a game of another variant than Chess"),
        ("1. e4 (1. d4 d5 *", "`(`: a variation without its end"),
        ("1. e4 ) e5 *", "game 1, ply 1, `)`: no variation to close"),
        ("1. (1. e4) d4 *", "`(`: a variation before any move"),
        ("1. ((1. e4 *", "game 1, `(`: a variation without its end"),
        ("1. e4 0000 2. d4 *", "ply 2, `0000`: a null move, which only variations may have"),
        ("1. e4 {open e5 *", "game 1, ply 1, `{`: a comment without its end"),
        ('[Event "x]\n\n1. e4 *', 'expected a header such as `[Event "?"]`'),
    ],
)
def test_error_is_reported_with_game_ply_text_and_reason(text: str, found: str) -> None:
    assert any(found in problem for problem in problems(text)), problems(text)


def test_ambiguous_move_is_an_error_of_its_game() -> None:
    text = '[FEN "4k3/8/8/8/8/8/4K3/R6R w - - 0 1"]\n\n1. Rd1 *'
    assert problems(text) == ["game 1, ply 1, `Rd1`: `Rd1` is ambiguous: Rad1, Rhd1"]


def test_rest_of_a_file_is_read_after_a_wrong_game() -> None:
    found = games(HEAD + "1. e4 e5 2. Ke3 1-0\n\n" + HEAD + MATE)
    assert [(len(g.moves), len(g.problems)) for g in found] == [(2, 1), (7, 0)]


def test_wrong_variation_does_not_end_the_game() -> None:
    game = only("1. e4 (1. d4 Qd5 2. c4) 1... e5 *")
    assert len(game.moves) == 2
    assert [str(move) for move in game.notes[1].variations[0].moves] == ["d2d4"]
    assert len(game.problems) == 1


@pytest.mark.parametrize(
    "data",
    [
        b'\xef\xbb\xbf[White "J\xc3\xb3n"]\r\n\r\n1. e4 *',
        b'[White "J\xf3n"]\r\n\r\n1. e4 *',
        '[White "Jón"]\n\n1. e4 *'.encode("utf-16"),
    ],
)
def test_encodings_and_byte_order_marks_are_accepted(data: bytes) -> None:
    game = only(data)
    assert (game.header("White"), len(game.moves)) == ("Jón", 1)


@pytest.mark.parametrize("data", [b"PK\x03\x04", b"\x1f\x8b", b"BZh9"])
def test_compressed_files_are_not_opened(data: bytes) -> None:
    with pytest.raises(UsageError, match="compressed, which is not opened"):
        chess().read_games(data)


def test_long_lines_and_truncated_comments_are_read() -> None:
    game = only("1. e4 {" + "x" * 1_000_000 + "} e5 {never closed")
    assert len(game.moves) == 2
    assert game.notes[2].comments == ("never closed",)


def test_text_of_another_format_is_an_error() -> None:
    with pytest.raises(NotationError, match="expected games of Chess in"):
        games("(;FF[4])")


def test_written_game_reads_back() -> None:
    text = HEAD + "1. e4! {best} (1. d4 d5 (1... Nf6) 2. c4 $6) 1... e5 2. Nf3 1-0"
    game, again = only(text), only(chess().format_record(only(text)))
    assert (again.moves, again.notes, again.result) == (game.moves, game.notes, game.result)
    assert set(game.headers) <= set(again.headers)
    assert chess().format_record(again) == chess().format_record(game)


def test_lines_are_wrapped_and_the_roster_is_first() -> None:
    written = chess().format_record(only('[A "b"]\n\n' + "1. Nf3 Nf6 2. Ng1 Ng8 3. Nc3 Nc6 *"))
    lines = written.splitlines()
    names = [line.split()[0] for line in lines if line.startswith("[")]
    assert names == ["[Event", "[Site", "[Date", "[Round", "[White", "[Black", "[Result", "[A"]
    assert max(map(len, lines)) < 80


def test_game_without_letters_has_the_moves_of_its_own_notation() -> None:
    game = rulesengine.load("othello", engine="interpreter")
    (found,) = games("1. d3 c3 2. c4 *", game)
    assert ([str(move) for move in found.moves], found.problems) == (["d3", "c3", "c4"], ())
    assert '[Variant "Othello"]' in game.format_record(found)


def test_random_games_are_those_of_python_chess() -> None:
    library = pytest.importorskip("chess", reason="python-chess is not installed")
    pgn = pytest.importorskip("chess.pgn")
    game, chosen = rulesengine.load("chess"), random.Random(4)
    for _ in range(5):
        board = library.Board()
        while not board.is_game_over() and board.ply() < 80:
            board.push(chosen.choice(list(board.legal_moves)))
        (found,) = game.read_games(str(pgn.Game.from_board(board)))
        assert [str(move) for move in found.moves] == [move.uci() for move in board.move_stack]
        read = pgn.read_game(io.StringIO(game.format_record(found)))
        assert list(read.mainline_moves()) == board.move_stack
        assert read.errors == []


def test_written_games_are_those_of_pgn_extract() -> None:
    program = shutil.which("pgn-extract", path="/usr/games:/usr/bin:/usr/local/bin")
    if program is None:
        pytest.skip("pgn-extract is not installed")
    game, chosen, texts, expected = chess(), random.Random(6), list[str](), list[str]()
    for _ in range(3):
        state, moves = game.initial_state(), list[Move]()
        for _ in range(24):
            moves.append(chosen.choice(game.legal_moves(state)))
            state = game.apply(state, moves[-1])
        notes = {2: Note(("good",), (1,), (Variation(tuple(moves[1:2])),))}
        start = Position(game.initial_state())
        recorded = RecordedGame(1, (), start, tuple(moves), state, GameResult(None), notes)
        texts.append(game.format_record(recorded))
        expected.append(" ".join(map(str, moves)))
    options = ["-s", "-Wuci", "--nocomments", "--novars", "--notags", "--noresults", "-w9999"]
    done = subprocess.run(
        [program, *options], input="\n".join(texts), capture_output=True, text=True, check=True
    )
    assert [line.strip() for line in done.stdout.splitlines() if line.strip()] == expected
    assert done.stderr == ""


def test_moves_and_drops_in_uci_are_read() -> None:
    game = only("1. g1f3 d7d5 2. g2g3 c8g4 3. f1g2 b8c6 4. e1g1 *")
    assert (len(game.moves), game.problems) == (7, ())
    house = rulesengine.load("crazyhouse", engine="interpreter")
    text = '[FEN "4k3/8/8/8/8/8/8/4K3[PPN] w - - 0 1"]\n\n1. P@e4 Kd7 2. N@c5+ Kd6 3. P@e5+ *'
    (found,) = house.read_games(text)
    assert (len(found.moves), found.problems) == (5, ())


ECO = Path("/usr/share/pgn-extract/eco.pgn")


@pytest.mark.deep
@pytest.mark.skipif(not ECO.exists(), reason="the openings of pgn-extract are not installed")
def test_openings_of_pgn_extract_are_read_as_by_python_chess() -> None:
    pgn = pytest.importorskip("chess.pgn", reason="python-chess is not installed")
    data = ECO.read_bytes()
    text = io.StringIO(data.decode("latin-1"))
    for game in islice(rulesengine.load("chess").read_games(data), 600):
        other = pgn.read_game(text)
        assert game.problems == ()
        assert [str(move) for move in game.moves] == [m.uci() for m in other.mainline_moves()]
        assert [other.headers[name] for name, _ in game.headers] == [v for _, v in game.headers]
    assert game.number == 600


@pytest.mark.parametrize(
    ("name", "move", "winner"),
    [("gomoku", "h8", "white"), ("go", "e5", "white"), ("connect-four", "d1", "first")],
)
def test_one_nil_is_a_win_of_white_also_where_black_begins(
    name: str, move: str, winner: str
) -> None:
    game = rulesengine.load(name, engine="interpreter")
    (read,) = games(f'[White "Ann"]\n\n1. {move} 1-0', game)
    assert read.result == GameResult(winner)
    written = game.format_record(read, "pgn")
    assert '[White "Ann"]' in written
    assert written.rstrip().endswith("1-0")
