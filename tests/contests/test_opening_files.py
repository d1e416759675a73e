"""Openings of files in contests, studies and learning: formats, order, seats and errors."""

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from rulesengine import Game, UsageError, load
from rulesengine.contests import (
    Openings,
    match,
    opened,
    read_entrants,
    read_openings,
    threads,
    tournament,
)
from rulesengine.contests.api import contest_of
from rulesengine.contests.opening_files import opening_lines
from rulesengine.contests.study import Design, Variant, study
from rulesengine.contests.tournament import Standings
from rulesengine.contests.unit_runner import play_unit
from rulesengine.contests.units import Unit, terms_of
from rulesengine.play import GameRecord, read_record, replay, rules_hash, write_record
from tests.helpers.cli_calls import call
from tests.helpers.contest_players import program

PGN = '[Event "a"]\n\n1. e4 e5 2. Nf3 *\n\n[Event "b"]\n\n1. d4 {quiet} d5 (1... Nf6) *\n'
EPD = (
    'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - id "open game";\n'
    "4k3/8/8/8/8/8/4P3/4K3 b - - \n"
)
# Programs that play c3 if they have read the line `SAID`, by lines and by UCI.
LINES = """
is_told = False
for line in sys.stdin:
    is_told = line == SAID if line.startswith("position") else is_told
    if line == "move\\n":
        print("c3" if is_told else "a3", flush=True)
"""
MOVES = """
for line in sys.stdin:
    word = line.split()[0]
    if word == "position":
        is_told = line == SAID
    answer = {"uci": "uciok", "isready": "readyok", "go": "bestmove c3"}.get(word)
    if answer:
        print(answer if word != "go" or is_told else "bestmove a3", flush=True)
"""
ENTRANTS = ["a=search:nodes=1", "b=random"]


@pytest.fixture(scope="module")
def chess() -> Game:
    return load("chess")


@pytest.fixture(scope="module")
def tic() -> Game:
    return load("tic-tac-toe", engine="interpreter")


def moves(game: Game, text: str, **more: object) -> list[str]:
    lines = opening_lines(game, Openings(text, **more), seed=0)  # type: ignore[arg-type]
    return [" ".join(line.moves) for line in lines]


def test_openings_of_every_format_are_their_moves_or_positions(chess: Game) -> None:
    assert moves(chess, PGN) == ["e2e4 e7e5 g1f3", "d2d4 d7d5"]
    assert moves(chess, PGN, plies=1) == ["e2e4", "d2d4"]
    assert moves(chess, "e4 e5\nd4 d5 c4\n") == ["e2e4 e7e5", "d2d4 d7d5 c2c4"]
    positions = opening_lines(chess, Openings(EPD), seed=0)
    assert [line.moves for line in positions] == [(), ()]
    assert chess.export(chess.state_from(positions[1].start)) == "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"
    assert moves(load("othello"), "f5d6c3\nf5f6\n") == ["f5 d6 c3", "f5 f6"]
    assert moves(load("go"), "(;GM[1]SZ[9];B[dd];W[ff])(;GM[1]SZ[9];B[ee])") == ["d6 f4", "e5"]
    tic = load("tic-tac-toe")
    record = GameRecord(tic.name, rules_hash(tic), ("b2", "a1"), None)
    assert moves(tic, write_record(record)) == ["b2 a1"]


def test_a_random_order_is_that_of_the_seed_and_has_all_openings(tic: Game) -> None:
    text = "".join(f"{cell}\n" for cell in ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"))
    book = Openings(text, order="random")
    first, again, other = (opening_lines(tic, book, seed) for seed in (1, 1, 2))
    assert first == again != other
    assert Counter(first) == Counter(other) == Counter(opening_lines(tic, Openings(text), 1))


def test_each_opening_is_played_from_every_seat_and_the_first_follows_the_last(
    tic: Game, tmp_path: Path
) -> None:
    file = tmp_path / "games.db"
    found = tournament(tic, ENTRANTS, 6, file, openings=Openings("b2 a1\na1 b2\n"))
    expected = {0: "b2 a1", 1: "a1 b2", 2: "b2 a1"}
    assert starts(found, file, 2) == {
        (number, turn): moves for number, moves in expected.items() for turn in (0, 1)
    }


def starts(standings: Standings, file: Path, plies: int) -> dict[tuple[int, int], str]:
    """Return the first plies of the games by round and turn."""
    with opened(file, standings.contest.identity()) as store:
        games = [game for unit, _ in standings.units for game in store.result(unit).games]
    return {
        (game.round, game.turn): " ".join(read_record(game.record).moves[:plies]) for game in games
    }


def test_records_of_games_from_positions_replay(tic: Game) -> None:
    terms = terms_of(tic, "tic-tac-toe", read_entrants(ENTRANTS), plies=3, book="positions")
    lines = opening_lines(tic, Openings("3/1x1/3 n\n3/3/3 n\n"), 0)
    unit = Unit(0, 0, ("random", "random"), 0, 2, lines=lines)
    games = play_unit(terms, unit).games
    assert len(games) == 4
    for game in games:
        played = replay(tic, read_record(game.record))
        assert (played.differences, len(played.moves)) == ((), 3)
        assert str(played.states[0]) == lines[game.round].start
        assert played.states[0].mover == "nought"


def test_workers_and_a_resumed_tournament_play_the_same_openings(tic: Game, tmp_path: Path) -> None:
    book, file = Openings("a1 b2\nc1 b2\nb1 b2\n", order="random"), tmp_path / "games.db"
    short = tournament(tic, ENTRANTS, 8, file, openings=book, seed=3)
    with threads(2) as pool:
        other = tournament(
            tic, ENTRANTS, 8, tmp_path / "other.db", openings=book, seed=3, executor=pool
        )
    assert starts(short, file, 9) == starts(other, tmp_path / "other.db", 9)
    again = tournament(tic, ENTRANTS, 8, file, openings=book, seed=3)
    assert again.table.played == short.table.played == 8
    with pytest.raises(UsageError, match="has another contest"):
        tournament(tic, ENTRANTS, 8, file, openings=Openings("a1\n"), seed=3)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "book"),
        ("1. e4 e5 2. Ke3 *\n", "game 1, ply 3, `Ke3`"),
        ("e4\nd5\n", "game 2, ply 1, `d5`"),
        ("1. f3 e5 2. g4 Qh4# 0-1\n", "the game is over after opening 1: limit the plies"),
        ("7k/5KQ1/8/8/8/8/8/8 b - -\n", "the game is over after opening 1$"),
        ("8/8/8/8/8/8/8/K7 w - -\n", "impossible position: each side has one king"),
    ],
)
def test_a_file_with_an_error_is_refused_with_its_place(
    chess: Game, text: str, why: str, tmp_path: Path
) -> None:
    file = tmp_path / "book"
    file.write_text(text)
    with pytest.raises(UsageError, match=why):
        match(chess, ENTRANTS, 2, openings=read_openings(file))


def test_an_error_after_the_plies_that_are_taken_is_no_error(chess: Game) -> None:
    assert moves(chess, "1. e4 e5 2. Ke3 *\n", plies=2) == ["e2e4 e7e5"]


def test_other_orders_and_random_plies_after_openings_are_refused(tic: Game) -> None:
    with pytest.raises(UsageError, match="no order `x` of openings: there is sequential, random"):
        read_openings(__file__, order="x")
    with pytest.raises(UsageError, match="not followed by random plies"):
        match(tic, ENTRANTS, 2, openings=Openings("a1\n"), opening=2)


def test_a_program_that_begins_at_the_initial_position_is_refused() -> None:
    othello = load("othello")
    players = ["gtp:program", "random"]
    position = "---------------------------OX------XO--------------------------- O;"
    with pytest.raises(UsageError, match="`gtp:` players begin at the initial position"):
        contest_of(othello, players, 2, openings=Openings(position))
    assert contest_of(othello, players, 2, openings=Openings("f5\n")).lines[0].moves == ("f5",)
    with pytest.raises(UsageError, match="--openings: a program with a script of its own"):
        contest_of(load("aps105-reversi"), ["cmd:x", "random"], 2, openings=Openings("cd\n"))


@pytest.mark.parametrize(
    ("kind", "text", "line"),
    [
        ("cmd", LINES, "position 3/1x1/3 n\n"),
        ("uci", MOVES, "position fen 3/1x1/3 n\n"),
    ],
)
def test_programs_receive_the_position_from_which_a_game_begins(
    tic: Game, tmp_path: Path, kind: str, text: str, line: str
) -> None:
    terms = terms_of(tic, "", read_entrants(ENTRANTS), plies=1, book="positions")
    player = program(tmp_path, f"SAID = {line!r}\n{text}").replace("cmd:", f"{kind}:")
    lines = opening_lines(tic, Openings("3/1x1/3 n\n"), 0)
    (game,) = play_unit(terms, Unit(0, 0, ("random", player), 0, 1, 1, lines)).games
    assert read_record(game.record).moves == ("c3",), game.reason


def test_a_study_of_variants_uses_those_openings_that_a_variant_has() -> None:
    design = Design(("random", "b=random"), games=2, samples=2, judge=0, openings=Openings("a4\n"))
    found = study([Variant("tic-tac-toe", (value,)) for value in ("n=3", "n=4")], design)
    assert [bool(one.refused) for one in found.variants] == [True, False]
    assert "openings" in found.variants[0].refused


def test_learning_begins_games_at_the_openings(tmp_path: Path) -> None:
    tic = load("tic-tac-toe")
    first = tic.learn(tmp_path / "plain", games=30)
    starts = [tic.apply(tic.initial_state(), "b2"), tic.initial_state()]
    second = tic.learn(tmp_path / "opened", games=30, starts=starts)
    assert (first.new, second.new) == (30, 30)
    assert (tmp_path / "plain").read_bytes() != (tmp_path / "opened").read_bytes()
    for _ in range(2):
        tic.learn(tmp_path / "halves", games=15, starts=starts)
    assert (tmp_path / "halves").read_bytes() == (tmp_path / "opened").read_bytes()


def test_commands_take_openings(tmp_path: Path) -> None:
    book = tmp_path / "book.txt"
    book.write_text("b2 a1 c3\na1 b2\n")
    players = ("--player", "a=random", "--player", "b=search:nodes=9")
    contest = ("tic-tac-toe", *players, "--games", "4", "--openings", str(book))
    done = call("match", *contest, "--opening", "2", "--order", "random", "--json")
    assert (done.code, done.json()["games"]) == (0, 4), done.err
    out = ("--out", str(tmp_path / "t.db"), "--report", str(tmp_path / "t.html"))
    assert call("tournament", *contest, *out).code == 0
    assert "2 openings of a file" in (tmp_path / "t.html").read_text()
    learned = call(
        "learn",
        "tic-tac-toe",
        "--games",
        "4",
        "--out",
        str(tmp_path / "w"),
        "--openings",
        str(book),
    )
    assert learned.code == 0, learned.err
    games = tmp_path / "games.db"
    settings = ("--games", "2", "--samples", "2", "--judge", "0", "--out", str(games))
    measured = call("study", "tic-tac-toe", *players, *settings, "--openings", str(book))
    assert measured.code == 0, measured.err
    with closing(sqlite3.connect(games)) as file:
        texts = [text for (text,) in file.execute("SELECT record FROM games")]
    # Random games that estimate the size of the tree begin at the start.
    begun = {read_record(text).moves[:2] for text in texts if "search" in text}
    assert begun == {("b2", "a1"), ("a1", "b2")}
    wrong = call("match", *contest, "--order", "sideways")
    assert (wrong.code, "no order `sideways`" in wrong.err) == (2, True)
