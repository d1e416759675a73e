"""Games of a tournament as Parquet: read back and played again."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from rulesengine import load
from tests.helpers.cli_calls import call

WORDS = ("--player", "a=search:nodes=6", "--player", "b=random", "--games", "4", "--seed", "3")


@pytest.mark.slow
@pytest.mark.skipif(find_spec("pyarrow") is None, reason="pyarrow is not installed")
def test_every_game_is_a_row_that_plays_again(tmp_path: Path) -> None:
    from pyarrow import parquet

    out, table = tmp_path / "t.db", tmp_path / "t.parquet"
    command = ("tournament", "tic-tac-toe", "--set", "m=4", *WORDS, "--engine", "interpreter")
    done = call(*command, "--out", str(out), "--parquet", str(table), "--json")
    assert (done.code, done.err) == (0, "")
    rows = parquet.read_table(table).to_pylist()
    assert [(row["round"], row["turn"]) for row in rows] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    for row in rows:
        game = load("tic-tac-toe", engine="interpreter")
        game = game.bind(**dict(row["parameters"]))
        assert game.parameters["m"] == 4
        state = game.initial_state()
        for move in row["moves"]:
            state = game.apply(state, move)
        outcome = game.outcome(state)
        assert outcome is not None
        assert (outcome.winner, len(row["moves"])) == (row["winner"], row["plies"])
        assert row["payoffs"] == [outcome.payoffs[seat] for seat in row["seats"]]
    by_name = {name: [row["names"].index(name) for row in rows] for name in "ab"}
    assert by_name == {"a": [0, 1, 0, 1], "b": [1, 0, 1, 0]}
    points = sum(row["winner"] == row["seats"][row["names"].index("a")] for row in rows)
    assert done.json()["players"][0]["wins"] == points


def test_without_the_library_there_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulesengine.contests.parquet.find_spec", lambda name: None)
    words = ("--out", str(tmp_path / "t.db"), "--parquet", str(tmp_path / "t.parquet"))
    done = call("tournament", "tic-tac-toe", *WORDS, *words, "--engine", "interpreter")
    assert (done.code, done.out) == (2, "")
    assert done.err == "rulesengine: Parquet needs the extra `data`\n"
