"""Matches between players: seats, openings, forfeits and totals."""

import os
import signal
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

import pytest

from rulesengine import Game, Job, NotationError, Stopped, UsageError, load
from rulesengine.contests import (
    BasePlayer,
    Crosstable,
    Entrant,
    Opening,
    Standings,
    Turn,
    difference,
    match,
    opening,
    play_game,
    player_of,
    processes,
    read_entrants,
    terms_of,
    threads,
    wrap_executor,
)
from rulesengine.contests.unit_runner import play_batch, play_unit
from rulesengine.contests.units import Batch, PlayedGame, Result, Tally, Unit, seats_of
from rulesengine.engine.drivers.random import Generator
from rulesengine.play import read_record, replay
from rulesengine.state import Move
from rulesengine.support.frozen import replace
from tests.helpers.cli_calls import call
from tests.helpers.contest_players import BAD, PROPER, program
from tests.helpers.processes import PATIENCE


@pytest.fixture(scope="module")
def tic() -> Game:
    return load("tic-tac-toe", engine="interpreter")


def test_a_text_splits_at_its_first_equals_sign() -> None:
    read = read_entrants(["a=cmd:run --x=1", "search:nodes=9", "random", "b=search:nodes=9"])
    assert read == (
        Entrant("a", "cmd:run --x=1"),
        Entrant("search:nodes=9", "search:nodes=9"),
        Entrant("random", "random"),
        Entrant("b", "search:nodes=9"),
    )


@pytest.mark.parametrize(
    ("texts", "why"),
    [
        (["a=random", "a=random"], "`a` is given twice"),
        (["random", "random"], "`random` is given twice"),
        (["=random"], "expected NAME=PLAYER"),
        (["a="], "expected NAME=PLAYER"),
        (["a b\n=random"], "one line"),
        ([" a=random"], "expected NAME=PLAYER"),
        ([""], "expected NAME=PLAYER"),
    ],
)
def test_other_texts_are_refused(texts: list[str], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        read_entrants(texts)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("nobody", "unknown player `nobody`: expected one of random"),
        ("random:1", "unknown player"),
        ("search", "unknown player"),
        ("search:nodes=0", "more than 0 nodes"),
        ("search:nodes=4,x=1", "N, noise=N or evaluation=NAME with commas .*, found `x=1`"),
        ("search:nodes=4,", "with commas between them, found ``"),
        ("search:", "say how long to search: seconds, nodes, plies or playouts"),
        ("search:evaluation=rules", "say how long to search"),
        ("search:nodes=4,nodes=5", "the limit `nodes` is given twice"),
        ("search:nodes=4,evaluation=rules,evaluation=rules", "`evaluation` is given twice"),
        ("search:nodes=4,evaluation=x", "no evaluation `x`: there is rules, fitted, learned"),
        ("search:nodes=4,evaluation=", "no evaluation ``: there is rules"),
        ("search:plies=2,nodes=2.5", "the limit of nodes is a whole number, found `2.5`"),
        ("search:nodes=4,noise=-1", "the limit of noise is a number, found `-1`"),
        ("search:seconds=nan", "the limit of seconds is a number, found `nan`"),
        ("search:level=x", "a level is a whole number without other limits, found `level=x`"),
        ("search:nodes=4,level=3", "without other limits, found `nodes=4,level=3`"),
        ("mcts:nodes=4", "random games are counted by playouts"),
        ("cmd:", "expected the words of a command"),
        ("cmd:'a", "expected the words of a command"),
        ("gtp: ", "expected the words of a command"),
        ("uci:x -- nodes", "expected NAME=VALUE"),
        ("uci:x -- pass=go", "expected `pass=stay`, found `pass=go`"),
        ("learned:file", "file: no such file"),
    ],
)
def test_a_text_that_is_no_player_is_reported(tic: Game, text: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        player_of(tic, text)


@pytest.mark.parametrize(
    ("players", "games", "why"),
    [
        (["random"], 2, "this contest needs at least 2 players, found 1"),
        (["random", "random"], 2, "the player `random` is given twice: name each"),
        (["random", "b=random"], 3, "the number of games is a multiple of 2"),
        (["random", "b=random"], 0, "the number of games is at least 1, found 0"),
    ],
)
def test_messages_of_a_contest_name_no_option_of_a_command(
    tic: Game, players: list[str], games: int, why: str
) -> None:
    with pytest.raises(UsageError, match=f"^{why}"):
        match(tic, players, games)


def test_everyone_sits_everywhere_once_in_a_round() -> None:
    assert [seats_of(turn, 2) for turn in (0, 1)] == [(0, 1), (1, 0)]
    assert {seats_of(turn, 3)[0] for turn in range(3)} == {0, 1, 2}


def test_both_games_of_a_round_begin_with_the_same_moves(tic: Game) -> None:
    games = played(tic, ["random", "b=random"], rounds=4, opening=3)
    moves = [read_record(game.record).moves for game in games]
    assert all(a[:3] == b[:3] for a, b in zip(moves[::2], moves[1::2], strict=True))
    assert len({m[:3] for m in moves}) > 1
    assert [game.seats for game in games[:2]] == [(0, 1), (1, 0)]


def test_an_opening_is_drawn_by_seed_and_ends_no_game(tic: Game) -> None:
    assert opening(tic, 5, 1, 4).moves == opening(tic, 5, 1, 4).moves != opening(tic, 6, 1, 4).moves
    for number in range(3):
        found = opening(tic, 0, number, 9)  # after nine plies the board is full
        assert len(found.moves) == 8
        assert tic.outcome(found.state) is None


@pytest.mark.slow
def test_random_games_are_those_of_playouts(tic: Game) -> None:
    """Compare batches by kernels with the referee, which plays the games one by one."""
    terms = terms_of(tic, "", read_entrants(["random", "b=random"]), keeps=False, one_by_one=False)
    counted = play_unit(terms, Unit(0, 0, ("random", "random"), 0, 40))
    terms = terms_of(tic, "", read_entrants(["random", "b=random"]))
    single = play_unit(terms, Unit(0, 0, ("random", "random"), 0, 40))
    assert counted.games == ()
    assert single.tallies == ()
    tables = [Crosstable(2), Crosstable(2)]
    for table, result in zip(tables, (counted, single), strict=True):
        table.add(result, (0, 1))
    one, other = tables
    assert one.wins == +other.wins
    assert one.draws == +other.draws
    assert (one.plies, one.drawn, one.seats) == (other.plies, other.drawn, +other.seats)


def test_a_kept_game_replays(tic: Game) -> None:
    for game in played(tic, ["search:nodes=6", "random"], rounds=1):
        found = replay(tic, read_record(game.record))
        assert (found.differences, found.changed) == ((), ())
        assert found.outcome == read_record(game.record).result


@pytest.mark.slow
def test_games_are_the_same_on_all_executors(tic: Game) -> None:
    def table(standings: object) -> tuple[object, ...]:
        found = standings.table  # type: ignore[attr-defined]
        return found.wins, found.draws, found.plies

    players = ["search:nodes=6", "mcts:playouts=2", "random"]
    alone = match(tic, players, 4, seed=3)
    with ThreadPoolExecutor(2) as pool:
        assert table(match(tic, players, 4, seed=3, executor=wrap_executor(pool, 2))) == table(
            alone
        )
    assert alone.table.played == 12


def test_a_game_of_three_players(tic: Game) -> None:
    three = load("three-player-tic-tac-toe", engine="interpreter")
    standings = match(three, ["a=random", "b=random", "c=random"], 6)
    table = standings.table
    assert (table.played, table.games) == (6, Counter({0: 6, 1: 6, 2: 6}))
    for i, j in ((0, 1), (0, 2), (1, 2)):
        assert sum(table.against(i, j)) == 6


def test_referee_draws_chance_like_playouts() -> None:
    pig = load("pig", engine="interpreter")
    players = [player_of(pig, "random") for _ in pig.players]
    found = play_game(pig, players, Opening((), pig.initial_state()), 9, 2)
    state, draw = pig.initial_state(), Generator(9, 2)
    for move in found.moves:
        moves = pig.legal_moves(state)
        weights = pig.weights(state)
        assert move == moves[draw.among(weights) if weights else draw.below(len(moves))]
        state = pig.apply(state, move)
    assert pig.outcome(state) == found.outcome


class Stubborn(BasePlayer):
    """A player that always returns the same answer."""

    def __init__(self, answer: str) -> None:
        self.said = answer

    def choose(self, turn: Turn) -> Move | str:
        return self.said


def test_an_illegal_move_loses(tic: Game) -> None:
    start = Opening((), tic.initial_state())
    found = play_game(tic, [Stubborn("a1"), player_of(tic, "random")], start, 0, 0)
    assert (found.ending, found.loser, found.payoffs(tic.players)) == ("forfeit", 0, (-1, 1))
    assert found.reason.startswith("illegal move: ")


@pytest.mark.slow
def test_a_clock_that_runs_out_loses(tic: Game) -> None:
    start = Opening((), tic.initial_state())
    players = [player_of(tic, "search:nodes=300"), player_of(tic, "random")]
    found = play_game(tic, players, start, 0, 0, clock=0.0001)
    assert (found.ending, found.loser) == ("forfeit", 0)
    assert found.reason.startswith("time: ")


def test_a_game_that_is_too_long_is_a_draw(tic: Game) -> None:
    standings = match(tic, ["random", "b=random"], 2, plies=3)
    assert (standings.table.unfinished, standings.table.against(0, 1)) == (2, (0, 2, 0))


def test_a_program_plays_by_lines(tic: Game, tmp_path: Path) -> None:
    games = played(tic, [program(tmp_path, PROPER), "random"], rounds=3, opening=2)
    assert [game.ending for game in games] == ["rules"] * 6
    first = read_record(games[0].record).moves
    assert f"play {first[1]}" in games[0].transcript
    assert f"< {first[2]}" in games[0].transcript


@pytest.mark.parametrize("fault", BAD)
def test_a_program_that_misbehaves_loses_and_the_match_goes_on(
    tic: Game, tmp_path: Path, fault: str
) -> None:
    bad = "bad=" + program(tmp_path, BAD[fault])
    clock = 0.5 if fault == "silence" else PATIENCE
    standings = match(tic, [bad, "random"], 2, clock=clock, opening=0)
    kind = {"silence": "time", "binary": "illegal move"}.get(fault, fault)
    assert standings.table.faults == {(0, kind): 2}
    assert standings.table.against(0, 1) == (0, 0, 2)


def test_a_program_that_is_not_there_loses(tic: Game) -> None:
    standings = match(tic, ["cmd:/no/such/program", "random"], 2)
    assert standings.table.faults == {(0, "crash"): 2}


def test_a_worker_of_another_version_is_refused(tic: Game) -> None:
    terms = replace(terms_of(tic, "", read_entrants(["random", "b=random"])), version="0.0.9")
    with pytest.raises(UsageError, match=r"a worker has version .* of the package, not 0\.0\.9"):
        play_unit(terms, Unit(0, 0, ("random", "random"), 0, 1))


def test_a_person_plays_until_the_input_ends() -> None:
    words = ("match", "tic-tac-toe", "--player", "human", "--player", "random", "--games", "2")
    found = call(*words, "--opening", "0", "--json", stdin=b"a9\na1\n")
    assert found.code == 0
    assert found.json()["players"][0]["losses"] == 2
    assert "a9" in found.err


def test_a_flood_is_no_answer(tic: Game, tmp_path: Path) -> None:
    flood = program(tmp_path, "while True:\n    sys.stdout.write('x' * 4096)")
    assert match(tic, [flood, "random"], 2, opening=0).table.faults == {(0, "output"): 2}


@pytest.mark.deep
def test_a_worker_that_dies_costs_no_game(tic: Game) -> None:
    players = ["search:nodes=20", "random"]
    alone = match(tic, players, 40)
    with processes(2) as pool:
        killed = list[int]()

        def kill(standings: Standings) -> None:
            workers = getattr(pool.executor, "_processes", None) or {}
            if standings.table.played in (4, 20) and workers:
                killed.append(next(iter(workers)))
                os.kill(killed[-1], signal.SIGKILL)

        found = match(tic, players, 40, executor=pool, each=kill)
    assert len(killed) == 2
    assert (found.table.wins, found.table.played) == (alone.table.wins, 40)


def test_a_pool_of_threads_stops_at_its_end_what_they_are_at(tic: Game) -> None:
    entrants = read_entrants(["search:nodes=200", "random"])
    unit = Unit(0, 0, tuple(entrant.player for entrant in entrants), 0, 2_000)
    with threads(1) as pool:
        batch = Batch(terms_of(tic, "tic-tac-toe", entrants), (unit,))
        future = pool.executor.submit(play_batch, batch, pool.job)
        while not future.running():
            time.sleep(0.001)
    with pytest.raises(Stopped):
        future.result(PATIENCE)


def test_cancelled_game_stops_the_search_of_a_player(tic: Game) -> None:
    job = Job()

    class Stopping(BasePlayer):
        def choose(self, turn: Turn) -> Move:
            assert turn.job is job
            job.stop()
            thinker = player_of(tic, "search:seconds=600")
            thinker.begin(self.seat)
            with pytest.raises(Stopped):
                thinker.choose(turn)
            return self.seat.game.legal_moves(turn.state)[0]

    players = [Stopping(), player_of(tic, "random")]
    with pytest.raises(Stopped):
        play_game(tic, players, Opening((), tic.initial_state()), 0, 0, job=job)


def played(game: Game, texts: list[str], rounds: int, opening: int = 0) -> tuple[PlayedGame, ...]:
    entrants = read_entrants(texts)
    unit = Unit(0, 0, tuple(entrant.player for entrant in entrants), 0, rounds)
    return play_unit(terms_of(game, "tic-tac-toe", entrants, opening=opening), unit).games


def test_a_forfeit_is_in_the_record(tic: Game) -> None:
    for game in played(tic, ["cmd:/no/such/program", "random"], rounds=1, opening=3):
        record = read_record(game.record)
        loser = tic.players[game.seats.index(0)]
        assert record.forfeit.startswith(f"{loser}, crash: /no/such/program: ")
        assert (record.result, len(record.moves)) == (None, 3)
        assert replay(tic, record).differences == ()


@pytest.mark.parametrize("line", ["forfeit: x", "forfeit: ", "forfeit: a, b\nforfeit: a, b"])
def test_a_line_that_is_no_forfeit_is_refused(tic: Game, line: str) -> None:
    game = played(tic, ["random", "b=random"], rounds=1)[0]
    text = game.record.partition("result: ")[0] + f"result: unfinished\n{line}\n"
    with pytest.raises(NotationError, match="forfeit"):
        read_record(text)


def test_a_tally_counts_as_its_games_would() -> None:
    table = Crosstable(2)
    tallies = (Tally(0, (5, 3), 2, 1, 70), Tally(1, (4, 6), 0, 0, 60))
    table.add(Result(Unit(0, 0, ("a", "b"), 0, 10), tallies=tallies), (0, 1))
    assert table.against(0, 1) == (11, 3, 7)
    assert (table.played, table.unfinished, table.drawn) == (21, 1, 2)
    assert dict(table.seats) == {0: 9, 1: 9}


def test_the_difference_of_two_is_that_of_their_score() -> None:
    table = Crosstable(2)
    table.wins[0, 1], table.wins[1, 0], table.games[0] = 75, 25, 100
    found = difference(table, 0, 1)
    assert found is not None
    assert round(found.elo, 2) == 190.85  # 400 lg 3
    assert found.low < 190.85 < found.high
    assert difference(Crosstable(2), 0, 1) is None


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--player", "random"], "this contest needs at least 2 players, found 1"),
        (["--player", "random", "--player", "b=random", "--games", "3"], "a multiple of 2, since"),
        (["--player", "random", "--player", "b=x"], "unknown player `x`"),
        (["--clock", "0"], "expected seconds"),
        (["--sprt", "5,1"], "ELO0 is less than ELO1"),
        (["--sprt", "x"], "expected ELO0,ELO1"),
        (["--workers", "0", "--player", "random", "--player", "b=random"], "at least 1"),
    ],
)
def test_wrong_use_is_a_sentence_and_2(words: list[str], why: str) -> None:
    found = call("match", "tic-tac-toe", *words)
    assert (found.code, found.out) == (2, "")
    assert why in found.err
    assert found.err.count("\n") == 1


def test_a_match_prints_its_table_alone() -> None:
    words = ("match", "tic-tac-toe", "--player", "a=random", "--player", "b=random", "--games", "9")
    assert call(*words).code == 2
    found = call(*words[:-1], "10", "--json")
    report = found.json()
    assert (found.code, found.err, report["games"]) == (0, "", 10)
    first, second = report["players"]
    assert first["wins"] == second["losses"]
    assert first["wins"] + first["draws"] + first["losses"] == 10
    assert sum(report["seats"].values()) + report["draws"] == 10
    text = call(*words[:-1], "10")
    assert text.out.splitlines()[0].split() == ["player", "score", "wins", "draws", "losses"]


@pytest.mark.slow
def test_every_opening_of_two_plies_can_be_drawn(tic: Game) -> None:
    seen = {tuple(map(str, opening(tic, 1, n, 2).moves)) for n in range(600)}
    cells = [c + r for c, r in product("abc", "123")]
    assert seen == {(a, b) for a in cells for b in cells if a != b}
