"""Counts of reachable positions: published ones, on disk, up to symmetry."""

import json
from pathlib import Path
from typing import Any

import pytest

from rulesengine import Job, State, UsageError, load
from rulesengine.errors import LimitError, Stopped
from rulesengine.loading import load_source
from rulesengine.search.enumeration import sorted_runs
from rulesengine.search.enumeration.layers import layers
from rulesengine.search.enumeration.sorted_runs import LayerRecords, RunFolder
from rulesengine.support.source import Source
from tests.helpers.cli_calls import call

# John Tromp; the On-Line Encyclopedia of Integer Sequences, A212693 begins so.
CONNECT_FOUR = (1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186, 1662623, 4568683)
OTHELLO = (1, 4, 12, 54, 236, 1288, 7092, 42614, 269352)
OTHELLO_ALIKE = (1, 1, 3, 14, 60, 322, 1773, 10649, 67245)


@pytest.mark.slow
def test_tic_tac_toe_has_5478_positions_and_765_up_to_symmetry() -> None:
    game = load("tic-tac-toe")
    assert sum(game.count(9)) == 5478
    assert sum(game.count(9, symmetry=True)) == 765
    assert game.count(11)[9:] == (78, 0, 0)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["interpreter", "python", "native"])
def test_every_engine_counts_the_same(engine: Any) -> None:
    assert load("othello", engine=engine).count(4, symmetry=True) == OTHELLO_ALIKE[:5]
    assert load("connect-four", engine=engine).count(4) == CONNECT_FOUR[:5]


@pytest.mark.slow
def test_published_counts_of_positions_by_ply() -> None:
    assert load("connect-four", engine="native").count(6) == CONNECT_FOUR[:7]
    assert load("othello", engine="native").count(6) == OTHELLO[:7]
    assert load("othello", engine="native").count(6, symmetry=True) == OTHELLO_ALIKE[:7]


@pytest.mark.deep
def test_published_counts_of_positions_by_ply_further_on() -> None:
    assert load("connect-four", engine="native").count(11, memory=2**28) == CONNECT_FOUR
    assert load("othello", engine="native").count(8) == OTHELLO
    assert load("othello", engine="native").count(8, symmetry=True) == OTHELLO_ALIKE


# Positions of chess by pieces, side to move, castling rights, and en passant where it is legal, as
# python-chess counts them; with every double step kept it would be 7,602 and 101,240.
CHESS = (1, 20, 400, 5362, 72078)


@pytest.mark.slow
@pytest.mark.parametrize("memory", [None, 100_000])
def test_positions_of_chess_are_those_of_python_chess(memory: int | None) -> None:
    game = load("chess")
    assert game.count(3, compared=True, memory=memory) == CHESS[:4]
    assert game.count(3) == (1, 20, 400, 8902)  # the clocks are part of a state


@pytest.mark.deep
def test_positions_of_chess_after_four_plies() -> None:
    assert load("chess").count(4, compared=True) == CHESS


@pytest.mark.slow
def test_states_without_registers_are_positions() -> None:
    game = load("tic-tac-toe")
    assert game.count(9, compared=True) == game.count(9)
    assert game.count(9, compared=True, symmetry=True) == game.count(9, symmetry=True)


def test_the_command_has_a_column_for_positions() -> None:
    out = call("count", "tic-tac-toe", "2", "--compared").out
    assert [line.split()[-1] for line in out.splitlines()] == ["positions", "1", "9", "72"]
    plies = call("count", "tic-tac-toe", "2", "--compared", "--json").json()["plies"]
    assert [entry["positions"] for entry in plies] == [1, 9, 72]
    assert "positions" not in call("count", "tic-tac-toe", "1", "--json").json()["plies"][0]


def test_the_start_need_not_be_symmetric() -> None:
    game = load("tic-tac-toe")
    start = game.apply(game.initial_state(), "a1")
    # The stabiliser of the corner is a reflection: of the 8 other cells, 2 are on its diagonal.
    assert game.count(1, start, symmetry=True) == (1, 5)
    assert game.count(1, start) == (1, 8)


def test_a_finished_position_has_no_later_ones() -> None:
    game = load("tic-tac-toe")
    over = game.state_from("xxx\noo.\n...\nmover: nought")
    assert game.count(2, over) == (1, 0, 0)


# A counter that is part of a position, and one that is not.
LINE = """\
spec: 1
name: A line
board: {rows: 1, columns: 3}
players: [left, right]
pieces: {stone: {left: x, right: o}, empty: "."}
registers: {first: {type: cell, start: no_cell}}
rules:
  moves:
    place: stone
    to: empty
    do: %s
"""


@pytest.mark.slow
def test_positions_are_distinct_where_what_rules_read_is() -> None:
    plain = load_source(Source("test.yaml", LINE % "set first to no_cell"))
    kept = load_source(Source("test.yaml", LINE % "if plies = 0 then set first to to"))
    # Left places two of three stones: 3 boards, each by either of the two as the first.
    assert plain.count(3) == (1, 3, 6, 3)
    assert kept.count(3) == (1, 3, 6, 6)
    # Reflected: {outer, middle}; a board with right's stone in the middle is symmetric.
    assert plain.count(3, symmetry=True) == (1, 2, 3, 2)
    assert kept.count(3, symmetry=True) == (1, 2, 3, 3)


def test_positions_with_other_histories_are_distinct_where_rules_read_them() -> None:
    game = load("go", n=2)
    # 2x2: three plies on different cells can be reached in several orders, each a history.
    states: set[Any] = {game.initial_state()}
    for count in game.count(3)[1:]:
        states = {game.apply(s, m) for s in states for m in game.legal_moves(s)}
        assert len(states) == count


@pytest.mark.slow
@pytest.mark.parametrize("symmetry", [False, True])
@pytest.mark.parametrize("memory", [1, 20_000])
def test_counts_on_disk_are_those_in_memory(
    symmetry: bool, memory: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    game = load("tic-tac-toe", engine="native")
    start = game.initial_state()
    whole = list(layers(game, 6, start, symmetry=symmetry))
    written = []
    for layer in layers(game, 6, start, symmetry=symmetry, memory=memory):
        written.append(layer)
        assert layer.ply < 4 or list(tmp_path.iterdir())
    assert written == whole
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_an_interrupt_leaves_no_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    game = load("tic-tac-toe")

    def stopped(state: State) -> int:
        if sum(state.planes).bit_count() < 4:
            return 0
        assert list(tmp_path.iterdir())
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(layers(game, 5, game.initial_state(), value=stopped, memory=1))
    assert not list(tmp_path.iterdir())


def test_a_full_disk_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(RunFolder, "path", lambda self: tmp_path / "no folder" / "0")
    with pytest.raises(LimitError, match="no room on the disk: No such file"):
        load("tic-tac-toe").count(5, memory=1)


def test_weights_of_a_record_in_several_runs_are_added() -> None:
    with RunFolder(1) as folder:
        gathered = LayerRecords(folder, 2, 1000, None)
        for weight in (1, 20, 300):
            gathered.pending |= {b"ab": weight, b"aa" if weight > 1 else b"ac": weight}
            gathered.spill_if_large()
        gathered.finish()
        assert list(gathered) == [(b"aa", 320), (b"ab", 321), (b"ac", 1)]


def test_memory_is_shared_by_the_plies_that_are_held() -> None:
    with RunFolder(1_000_000) as folder:
        assert 1_000 < folder.room(24) * sorted_runs._HELD < 10_000
        assert folder.room(10**9) == 1


@pytest.mark.slow
def test_games_are_counted_with_positions() -> None:
    game = load("tic-tac-toe")
    found = list(layers(game, 9, game.initial_state(), symmetry=True))
    # Published: games of noughts and crosses that end at moves 5 to 9, 255,168 in all.
    assert [layer.ended for layer in found[5:]] == [1440, 5328, 47952, 72576, 127872]
    assert [layer.games for layer in found[:6]] == [game.perft(ply) for ply in range(6)]


def test_a_job_counts_positions_and_stops_them() -> None:
    game, job = load("tic-tac-toe"), Job()
    assert sum(game.count(3, job=job)) == job.done == 1 + 9 + 72 + 252
    job.stop()
    with pytest.raises(Stopped):
        game.count(3, job=job)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"plies": -1}, "the number of plies is a whole number from 0 on, found -1"),
        ({"plies": "2"}, "the number of plies"),
        ({"plies": 1, "memory": 0}, "the number of bytes is a whole number from 1 on, found 0"),
        ({"plies": 1, "state": None, "memory": 1.5}, "the number of bytes"),
    ],
)
def test_wrong_numbers_are_refused(words: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        load("tic-tac-toe").count(**words)


# the command


def test_count_prints_a_row_per_ply() -> None:
    done = call("count", "tic-tac-toe", "2", "--symmetry")
    assert [line.split() for line in done.out.splitlines()] == [
        ["ply", "states", "finished", "games", "ended"],
        ["0", "1", "0", "1", "0"],
        ["1", "3", "0", "9", "0"],
        ["2", "12", "0", "72", "0"],
    ]


@pytest.mark.slow
def test_an_expression_is_reported_by_its_least_greatest_sum_and_histogram() -> None:
    words = ("count", "tic-tac-toe", "3", "--of", "count(own and corners)")
    plies = call(*words, "--json").json()["plies"]
    # At most one own cell is a corner: nought's own cell after three plies is one of 9.
    last = plies[3]
    assert (last["least"], last["greatest"]) == (0, 1)
    assert last["histogram"] == {"0": 5 * 28, "1": 4 * 28}
    assert last["sum"] == 4 * 28
    assert call(*words).out.splitlines()[-3:] == [
        "states by `count(own and corners)` after 3 plies:",
        "0 140",
        "1 112",
    ]


@pytest.mark.slow
def test_an_expression_may_ask_how_a_game_ends_and_for_plies() -> None:
    plies = call("count", "tic-tac-toe", "5", "--of", "lost", "--json").json()["plies"]
    assert plies[5]["histogram"] == {"0": 1140, "1": 120}
    plies = call("count", "tic-tac-toe", "3", "--of", "plies * 2", "--json").json()["plies"]
    assert [ply["histogram"] for ply in plies] == [{"0": 1}, {"2": 9}, {"4": 72}, {"6": 252}]


def test_an_expression_is_one_that_symmetry_keeps() -> None:
    words = ("count", "tic-tac-toe", "2", "--symmetry", "--of")
    assert call(*words, "count(own and corners)").code == 0
    done = call(*words, "count(own and a1)")
    assert done.code == 2
    assert "not the same in positions that are alike" in done.err


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("winer", 1, "did you mean `winner`?"),
        ("own", 1, "expected a number, found a set of cells"),
        ("captured", 1, "`captured` cannot be read in `count`"),
        ("1 +", 1, "--of:1"),
    ],
)
def test_a_wrong_expression_is_shown(text: str, code: int, message: str) -> None:
    done = call("count", "tic-tac-toe", "2", "--of", text)
    assert done.code == code
    assert message in done.err


def test_json_is_one_object() -> None:
    done = call("count", "tic-tac-toe", "1", "--json", "--set", "m=4")
    entry = {"ply": 1, "states": 12, "finished": 0, "games": 12, "ended": 0}
    assert json.loads(done.out)["plies"][1] == entry


@pytest.mark.parametrize(("last", "expected"), [(True, [85.5, 36.0]), (False, [45.0])])
def test_coming_layers_are_announced_with_the_moves_of_the_last(
    last: bool, expected: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    game, announced = load("tic-tac-toe"), list[float]()
    monkeypatch.setattr(type(game), "expect", lambda _, plies: announced.append(plies["singles"]))
    assert [layer.states for layer in layers(game, 2, game.initial_state(), last=last)] == [
        1,
        9,
        72,
    ]
    # A layer has as many states as the moves before it: 9, then 9 * 9 or, once counted, 72.
    assert announced == expected
