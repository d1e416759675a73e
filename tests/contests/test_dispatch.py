"""Units in batches: the batch size, and exactly one result for each unit."""

import sqlite3
from concurrent.futures import BrokenExecutor, Executor, Future
from pathlib import Path
from typing import Any

import pytest

from rulesengine import UsageError, load
from rulesengine.contests import Pool, match, tournament
from rulesengine.contests.units import Batch


class Counting(Executor):
    """Executes calls at once, and records the number of units in each."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def submit(self, fn: Any, /, *args: Any, **keywords: Any) -> "Future[Any]":
        (batch,) = args
        assert isinstance(batch, Batch)
        self.sizes.append(len(batch.units))
        future: Future[Any] = Future()
        future.set_result(fn(*args, **keywords))
        return future


@pytest.mark.slow
def test_short_units_go_many_at_once_and_the_last_ones_few() -> None:
    game, executor = load("tic-tac-toe", engine="interpreter"), Counting()
    pool = Pool(lambda: executor, 2)
    players = ["a=random", "b=random"]
    apart = match(game, players, 120, opening=1, executor=pool)
    assert sum(executor.sizes) == 60
    assert executor.sizes[0] == 1  # there is no estimate yet
    assert max(executor.sizes) > 4
    assert executor.sizes[-1] == 1
    assert max(executor.sizes) <= 60 // (2 * 2)  # half of a worker's share
    alone = match(game, players, 120, opening=1)
    assert (apart.table.wins, apart.table.plies) == (alone.table.wins, alone.table.plies)


def test_long_units_go_one_by_one() -> None:
    class Slow(Counting):
        def submit(self, fn: Any, /, *args: Any, **keywords: Any) -> "Future[Any]":
            future = super().submit(fn, *args, **keywords)
            done = future.result()
            slow: Future[Any] = Future()
            slow.set_result(type(done)(done.results, 10.0))
            return slow

    executor = Slow()
    game = load("tic-tac-toe", engine="interpreter")
    match(game, ["a=random", "b=random"], 60, opening=1, executor=Pool(lambda: executor, 1))
    assert executor.sizes == [1] * 30


def test_finished_games_are_stored_when_workers_die(tmp_path: Path) -> None:
    class Dying(Counting):
        def submit(self, fn: Any, /, *args: Any, **keywords: Any) -> "Future[Any]":
            if not self.sizes:
                return super().submit(fn, *args, **keywords)
            dead: Future[Any] = Future()
            dead.set_exception(BrokenExecutor())
            return dead

    game, out = load("tic-tac-toe", engine="interpreter"), tmp_path / "t.db"
    with pytest.raises(UsageError, match="workers have died"):
        tournament(game, ["random", "b=random"], 8, out, executor=Pool(Dying, 2))
    with sqlite3.connect(out) as connection:
        assert connection.execute("SELECT number FROM units").fetchall() == [(0,)]
    connection.close()
