"""Records of games: their text, errors in them, and the stored games of every bundled spec."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rulesengine
from rulesengine import NotationError, Outcome, UsageError
from rulesengine.formats.values import GameResult
from rulesengine.game import Game
from rulesengine.loading import load_source
from rulesengine.play import (
    HUMAN,
    RANDOM,
    GameRecord,
    Session,
    read_record,
    replay,
    rules_hash,
    write_record,
)
from rulesengine.support.limits import MAX_PLIES
from rulesengine.support.resources import bundled_names
from rulesengine.support.source import Source
from tests.helpers import make_records
from tests.helpers.cli_calls import call
from tests.helpers.each_game import LARGER, OTHERS, SOME, each_game

STORED = Path(__file__).parents[1] / "data" / "records"
HASH = "0123456789abcdef" * 4

# Three in a row on a board of three by three; defined here so that a test can change its rules.
SPEC = """\
spec: 1
name: Rows
board: {rows: 3, columns: 3, origin: bottom-left}
players: [first, second]
pieces:
  stone: {first: x, second: o}
  empty: "."
rules:
  moves:
    place: stone
    to: empty
  score: count(own)
  end:
    - when: any(line(own, at least 3))
      result: player wins
      reason: a row
    - when: none(empty)
      result: draw
      reason: a full board
"""
# Computed on paper: first fills a1, b1, c1.
WON = Outcome("first", "a row", {"first": 3, "second": 2})
MOVES = ("a1", "a2", "b1", "b2", "c1")


def spec(text: str = SPEC, name: str = "rows.yaml") -> Game:
    return load_source(Source(name, text))


def record(game: Game, *moves: str, result: Outcome | None = None, start: str = "") -> GameRecord:
    return GameRecord(game.name, rules_hash(game), moves, result, start=start)


def stored(name: str) -> list[GameRecord]:
    text = (STORED / f"{name}.txt").read_text(encoding="utf-8")
    return [read_record(part.rstrip("\n") + "\n") for part in text.split("\n\n")]


# the text

words = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1)


@pytest.mark.slow
@given(st.lists(words | st.sampled_from(["a b", '"', "result:", "scores:", "result: x", ""])))
def test_whatever_the_moves_are_a_record_reads_back(moves: list[str]) -> None:
    given = GameRecord("Game", HASH, tuple(moves), None)
    assert read_record(write_record(given)) == given


def test_a_record_with_everything_reads_back() -> None:
    given = GameRecord(
        "Any Game", HASH, ("a1", "b2"), Outcome(None, "why, indeed", {"w": -1, "b": 2}),
        spec="./any.yaml", parameters={"n": 4, "mode": "short"},
        players={"w": HUMAN, "b": "1"}, seed=7, start="..\n..\nmover: b",
    )  # fmt: skip
    assert read_record(write_record(given)) == given


def test_moves_are_written_in_lines_of_at_most_80_columns() -> None:
    lines = write_record(GameRecord("Game", HASH, ("a1xc3xe5",) * 500, None)).splitlines()
    body = lines[lines.index("moves:") + 1 : -1]
    assert max(map(len, body)) == 80  # nine moves of eight letters fill a line but one
    assert sum(len(line.split()) for line in body) == 500


GOOD = f"rulesengine record 1\ngame: G\nrules: {HASH}\nseed: 0\nmoves:\na1\nresult: unfinished\n"


def test_the_record_that_the_mistakes_are_made_in_is_right() -> None:
    assert read_record(GOOD).moves == ("a1",)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("record 1", "record 2", "line 1: expected `rulesengine record 1`"),
        ("game: G", "gme: G", "line 2: expected `game: ...`, found `gme: G`"),
        (HASH, "12", "line 3: expected 64 hexadecimal digits"),
        ("seed: 0", "seed: x", "line 4: expected a number"),
        ("seed: 0", "set n", "line 4: expected `set NAME=...`"),
        ("seed: 0", "set n=1\nset n=2\nseed: 0", "line 5: expected `n` once"),
        ("seed: 0", "seed: 0\nstart:", "line 6: expected the lines of a state"),
        ("moves:", "move:", "line 5: expected `moves:`"),
        ("a1\n", "a1\n\n", "line 7: expected moves"),
        ("a1\n", '"a1\n', "line 6: expected moves"),
        ("a1\n", '"\\z"\n', "line 6: expected a move"),
        ("a1\n", "a1 " * 10_001 + "\n", "line 6: expected at most 10000 moves"),
        ("result: unfinished\n", "", "line 7: expected `result: ...`, found the end"),
        ("unfinished", "nobody", "line 7: expected `NAME wins, REASON`"),
        ("unfinished", "draw, why\nscores: a 1, a 2", "line 8: expected each player's score once"),
        ("unfinished", "draw, why\nscores: a x", "line 8: expected a number"),
        ("unfinished\n", "unfinished\nmore\n", "line 8: expected the end of the record"),
    ],
)
def test_a_mistake_in_a_record_is_reported_with_its_line(old: str, new: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_record(GOOD.replace(old, new, 1))
    assert str(caught.value).startswith(message)


@given(st.text(max_size=80), st.integers(0, len(GOOD)))
def test_text_put_anywhere_into_a_record_is_read_or_refused(text: str, at: int) -> None:
    try:
        found = read_record(GOOD[:at] + text + GOOD[at:])
    except NotationError as error:
        message = str(error)
    else:
        message = "line " if read_record(write_record(found)) == found else "it does not read back"
    assert message.startswith("line ")


# the hash

SAME = {
    "another file": (SPEC, "elsewhere/other.yaml"),
    "a comment": (SPEC.replace("rules:", "# of the house\nrules:"), "rows.yaml"),
    "a comment in a group": (SPEC.replace("    to: empty", "    # here\n    to: empty"), "a.yaml"),
    "a strategy": (SPEC + "strategies:\n  any:\n    - lowest\n", "rows.yaml"),
    "a drawing": (SPEC + "drawing:\n  row: '{cells}'\n", "rows.yaml"),
}
OTHER = {
    "the board": SPEC.replace("columns: 3", "columns: 4"),
    "the moves": SPEC.replace("to: empty", "to: empty where row(it) = 1"),
    "an end": SPEC.replace("at least 3", "exactly 3"),
    "a reason": SPEC.replace("a row", "the row"),
    "the score": SPEC.replace("count(own)", "count(own) + 1"),
    "the origin": SPEC.replace("bottom-left", "top-left"),
    "a symbol": SPEC.replace("first: x", "first: y"),
}


@pytest.mark.parametrize("name", SAME)
def test_the_hash_stays_with_what_no_game_depends_on(name: str) -> None:
    assert rules_hash(spec(*SAME[name])) == rules_hash(spec())


@pytest.mark.parametrize("name", OTHER)
def test_the_hash_changes_with_the_rules(name: str) -> None:
    assert rules_hash(spec(OTHER[name])) != rules_hash(spec())


# replay


def test_a_game_that_was_won_is_played_again() -> None:
    game = spec()
    played = replay(game, record(game, *MOVES, result=WON))
    assert (played.changed, played.differences) == ((), ())
    assert [str(move) for move in played.moves] == list(MOVES)
    assert str(played.states[-1]).splitlines()[:3] == ["...", "oo.", "xxx"]


@pytest.mark.parametrize(
    ("moves", "result", "difference"),
    [
        (("a1", "a1"), None, "ply 2: `a1` is not legal for second"),
        (("a1", "z9"), None, "ply 2: `z9` names no move"),
        ((*MOVES, "c2"), WON, "ply 6: `c2` is not legal: the game is over, a row"),
        (MOVES, None, "ply 5: the record says unfinished, the game first wins, a row, first 3"),
        (MOVES[:4], WON, "ply 4: the record says first wins, a row, first 3, second 2, the game"),
        (MOVES, replace(WON, winner="second"), "ply 5: the record says second wins"),
        (MOVES, replace(WON, scores={}), "ply 5: the record says first wins, a row, the game"),
    ],
)
def test_replay_difference_is_reported_with_its_ply(
    moves: tuple[str, ...], result: Outcome | None, difference: str
) -> None:
    game = spec()
    (found,) = replay(game, record(game, *moves, result=result)).differences
    assert found.startswith(difference)


def test_changed_rules_are_reported_and_the_moves_still_checked() -> None:
    old, new = spec(), spec(OTHER["the moves"])
    played = replay(new, record(old, *MOVES, result=WON))
    assert played.changed == ("the rules have changed since the record was written",)
    assert played.differences[0].startswith("ply 2: `a2` is not legal")


def test_record_of_another_game_is_reported() -> None:
    game = spec()
    played = replay(game, replace(record(game), game="Columns"))
    assert played.changed == ("this is a record of Columns, the spec is of Rows",)


def test_a_record_may_begin_elsewhere() -> None:
    game = spec()
    start = "...\noo.\nxx.\nmover: second"
    played = replay(
        game,
        record(
            game, "c2", result=Outcome("second", "a row", {"first": 2, "second": 3}), start=start
        ),
    )
    assert played.differences == ()


def test_a_start_that_is_no_state_is_an_error() -> None:
    game = spec()
    with pytest.raises(NotationError, match="expected a position of"):
        replay(game, record(game, start="..."))


def test_the_parameters_of_a_record_count() -> None:
    small = rulesengine.load("othello", n=4)
    given = Session.begin(small, dict.fromkeys(small.players, RANDOM)).record()
    assert replay(rulesengine.load("othello"), given).game.parameters == {"n": 4}
    with pytest.raises(UsageError, match="no parameter `m`"):
        replay(small, replace(given, parameters={"m": 4}))


# the stored games


def test_every_bundled_game_has_its_records_and_no_other() -> None:
    assert sorted(path.stem for path in STORED.glob("*")) == sorted(bundled_names())


@each_game()
def test_ten_games_are_stored_and_say_how_they_end(name: str) -> None:
    records = stored(name)
    # Fewer for very long records.
    assert len(records) == 10 or sum(len(r.moves) for r in records) > 500
    assert [(r.game, r.spec, r.seed) for r in records] == [
        (rulesengine.load(name).name, name, seed) for seed in range(1, len(records) + 1)
    ]
    assert all(kept.result is not None for kept in records)


@each_game(quick=(), deep=LARGER)
def test_the_first_stored_game_is_what_its_seed_gives(name: str) -> None:
    # The same number draws the same move: the order of the legal moves is unchanged.
    plies = MAX_PLIES if name in SOME else 20
    made, kept = make_records.games(name, 1, plies)[0], stored(name)[0]
    assert made.moves == kept.moves[:plies]
    assert made.result == kept.result or len(made.moves) == plies


@each_game(quick=(), deep=OTHERS)
def test_the_second_stored_game_is_played_again(name: str) -> None:
    for kept in stored(name)[1:2]:  # a long game has no second one
        assert replay(rulesengine.load(name), kept).differences == ()


@pytest.mark.deep
@pytest.mark.parametrize("name", bundled_names())
def test_the_other_stored_games_are_played_again(name: str) -> None:
    game = rulesengine.load(name)
    for kept in stored(name)[2:]:
        assert replay(game, kept).differences == ()


@pytest.mark.slow
def test_the_script_never_writes_a_file_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(make_records, "RECORDS", tmp_path)
    monkeypatch.setattr(make_records, "bundled_names", lambda: ("connect-four", "tic-tac-toe"))
    (tmp_path / "connect-four.txt").write_text("mine")
    assert make_records.main() == 0
    assert (tmp_path / "connect-four.txt").read_text() == "mine"
    assert (tmp_path / "tic-tac-toe.txt").read_text().count("rulesengine record 1\n") == 10
    assert capsys.readouterr().out == "tic-tac-toe\n"


# `replay` on the command line


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "rows.yaml").write_text(SPEC)
    given = replace(record(spec(), *MOVES, result=WON), spec=f"{tmp_path}/rows.yaml")
    (tmp_path / "won").write_text(write_record(given))
    return tmp_path


def test_replay_prints_the_last_board_and_the_result(files: Path) -> None:
    found = call("replay", f"{files}/won")
    assert found.code == 0
    assert found.out.splitlines() == [
        "   a b c",
        "3  . . .",
        "2  o o .",
        "1  x x(x)",
        "first wins: a row (first 3, second 2)",
    ]


def test_replay_reports_the_differing_ply_and_exits_with_1(files: Path) -> None:
    text = (files / "won").read_text()
    (files / "won").write_text(text.replace("b1 b2", "b1 a1"))
    found = call("replay", f"{files}/won")
    assert found.code == 1
    assert found.err.startswith(f"rulesengine: {files}/won: ply 4: `a1` is not legal for second")


def test_replay_reports_changed_rules_first(files: Path) -> None:
    (files / "other.yaml").write_text(OTHER["the moves"])
    found = call("replay", f"{files}/won", "--spec", f"{files}/other.yaml")
    assert found.code == 1
    first, second = found.err.splitlines()
    assert first.endswith("the rules have changed since the record was written")
    assert "ply 2: `a2`" in second


def test_replay_of_what_is_no_record_names_file_and_line(files: Path) -> None:
    found = call("replay", f"{files}/rows.yaml")
    assert found.code == 1
    assert f"{files}/rows.yaml: line 1: expected `rulesengine record 1`" in found.err


def test_replay_of_a_game_in_another_format_needs_the_spec(files: Path) -> None:
    (files / "g.pgn").write_text('[Result "1-0"]\n\n1. e4 1-0\n')
    found = call("replay", f"{files}/g.pgn")
    assert found.code == 1
    assert "other formats need `--spec`" in found.err
    assert call("replay", f"{files}/g.pgn", "--spec", "chess").code == 0


@pytest.mark.parametrize(("stated", "shown"), [("1-0", "white wins"), ("1/2-1/2", "a draw")])
def test_result_without_a_reason_ends_with_the_winner(files: Path, stated: str, shown: str) -> None:
    (files / "g.pgn").write_text(f"1. 11-15 23-19 {stated}\n")
    found = call("replay", f"{files}/g.pgn", "--spec", "english-draughts")
    assert found.out.splitlines()[-1] == shown
    written = call("convert", "english-draughts", f"{files}/g.pgn", "--to", "record").out
    assert written.endswith(f"\nstated: {shown.removeprefix('a ')}\n")
    assert read_record(written).settlement == shown


def test_replay_of_a_missing_file_is_wrong_use(files: Path) -> None:
    assert call("replay", f"{files}/none").code == 2


def test_replay_as_json(files: Path) -> None:
    found = call("replay", "--json", f"{files}/won").json()
    assert (found["winner"], found["reason"], found["plies"]) == ("first", "a row", 5)
    assert (found["scores"], found["differences"]) == ({"first": 3, "second": 2}, [])


def test_draw_by_agreement_and_a_resignation_are_shown_by_replay(tmp_path: Path) -> None:
    game = rulesengine.load("tic-tac-toe")
    record = Session.begin(game, dict.fromkeys(game.players, "human"), spec="tic-tac-toe").record()
    for settled, line, settlement in (
        (
            {"stated": GameResult(None, "agreement")},
            "stated: draw, agreement\n",
            "a draw by agreement",
        ),
        ({"forfeit": "cross, resigned"}, "forfeit: cross, resigned\n", "cross loses: resigned"),
    ):
        text = write_record(replace(record, **settled))
        assert text.endswith(line)
        assert read_record(text) == replace(record, **settled)
        assert replay(game, read_record(text)).settlement == settlement
        file = tmp_path / "game"
        file.write_text(text)
        assert call("replay", str(file)).out.endswith(f"{settlement}\n")
    with pytest.raises(NotationError, match="expected `NAME wins"):
        read_record(text.replace("forfeit: cross, resigned", "stated: win"))
