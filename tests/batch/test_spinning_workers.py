"""Helper threads that spin in the kernel between steps: the games do not depend on the thread."""

import os
import subprocess
import sys
import threading
from math import inf
from types import SimpleNamespace

import numpy as np
import pytest

from rulesengine import EvaluationError, Game, load
from rulesengine.batch import Batch
from rulesengine.batch.ab_timing import AlternativeTiming
from rulesengine.batch.runner import Work
from rulesengine.batch.spinning_workers import KernelMemories, SpinningWorkers
from rulesengine.engine.drivers.batch import layout as at
from rulesengine.engine.drivers.batch.step import show_games
from rulesengine.engine.kernel.backends.registry import working
from rulesengine.loading import load_source
from rulesengine.support.source import Source
from tests.batch.test_batches import FAILING, LISTING_FAILS
from tests.engine.test_selection import until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif("native" not in [b.name for b in working()], reason="native kernels"),
    pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="two cores"),
]
GAMES = 200


@pytest.fixture(autouse=True)
def _every_step_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    def is_step(self: Work, driver: object, seconds: float) -> bool:
        return self._threads > 1 and getattr(driver, "__name__", "") == "step_games"

    monkeypatch.setattr(Work, "_is_for_spinning", is_step)
    always = SimpleNamespace(selected=1, record=lambda seconds: None)
    monkeypatch.setattr("rulesengine.batch.runner.AlternativeTiming", lambda: always)
    # No step counts as long, whatever the first ones took.
    monkeypatch.setattr("rulesengine.batch.runner.inf", 0.0)
    monkeypatch.setattr("rulesengine.batch.runner.SHORT", inf)


@pytest.fixture(params=["leading", "serving"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Let the calling thread lead, or serve as the helpers do, since these may arrive too late."""

    def serve(self: SpinningWorkers, held: KernelMemories, games: int, chunks: int) -> None:
        numbers = self._plan.numbers
        assert self._step
        is_back = self._step[0].was is not held.memories.was
        numbers[at.CHUNKS], numbers[at.IS_BACK], numbers[at.DONE] = chunks, int(is_back), 0
        numbers[at.OFFERED] = chunks
        self._pool.serving.append(0)
        self._serve(held, 0)
        until(lambda: numbers[at.DONE] == chunks)

    if request.param == "serving":
        monkeypatch.setattr(SpinningWorkers, "_lead", serve)
    return str(request.param)


def pair(game: Game) -> tuple[Batch, Batch]:
    """Return a batch with a helper thread, and one with the same games and a single thread."""
    return game.batch(GAMES, seed=4, threads=2, restart=True), game.batch(
        GAMES, seed=4, restart=True
    )


def alike(batch: Batch, other: Batch) -> None:
    assert np.array_equal(batch.mask, other.mask)
    assert np.array_equal(batch.plies, other.plies)
    assert np.array_equal(batch.payoffs, other.payoffs)
    assert np.array_equal(batch.observe(), other.observe())


# The second game stores histories, which move to other memory as they grow.
@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("name", ["connect-four", pytest.param("popout", marks=pytest.mark.deep)])
def test_a_crew_plays_the_games_of_one_thread(name: str) -> None:
    batch, alone = pair(load(name, engine="native"))
    for number in range(80):
        actions = alone.sample()
        actions[number::7] = -7  # no legal one
        refused = batch.step(actions)
        assert np.array_equal(refused, alone.step(actions))
        alike(batch, alone)
    batch.reset([3, 150], seed=9)
    alone.reset([3, 150], seed=9)
    batch.step()
    alone.step()
    alike(batch, alone)


def test_helpers_leave_the_kernel_after_a_while() -> None:
    batch = load("connect-four", engine="native").batch(GAMES, threads=2)
    batch.step()
    until(lambda: not batch._work._spinning._pool.serving)
    batch.step()
    assert batch.plies.tolist() == [2] * GAMES


ENDS = """
from math import inf
from types import SimpleNamespace

import rulesengine
from rulesengine.batch import runner as work, spinning_workers as crew

crew._SERVING = 1 << 40  # they would never leave by themselves
work.Work._is_for_spinning = lambda self, driver, seconds: driver.__name__ == "step_games"
work.AlternativeTiming = lambda: SimpleNamespace(selected=1, record=lambda seconds: None)
work.inf, work.SHORT = 0.0, inf
batch = rulesengine.load("connect-four", engine="native").batch(4096, threads=2, restart=True)
for _ in range(100):
    batch.step()
print(len(batch._work._spinning._pool.serving))
"""


def test_a_process_ends_where_helpers_are_in_the_kernel() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ENDS], capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", "")


@pytest.mark.usefixtures("way")
def test_rules_that_fail_in_a_crew_are_reported_and_all_other_games_go_on() -> None:
    batch, alone = pair(load_source(Source("failing.yaml", FAILING), engine="native"))
    # The first player's second stone exceeds the register's range, except at c1.
    fails, messages = np.arange(GAMES) % 5 == 2, list[str]()
    for usual, other in ((0, 1), (1, 2), (2, 0)):
        for one in (batch, alone):
            try:
                one.step(np.where(fails, other, usual))
            except EvaluationError as error:
                messages.append(str(error))
    assert len(messages) == 2
    assert "(game 2, ply 3)" in messages[0] == messages[1]
    assert np.array_equal(batch.failed, fails.nonzero()[0])
    assert np.array_equal(batch.plies, np.where(fails, 2, 3))
    alike(batch, alone)
    # Games that failed stay as they are; the others restart.
    for one in (batch, alone):
        one.step(where=~fails)
    alike(batch, alone)


@pytest.mark.usefixtures("way")
def test_partial_output_of_a_failed_game_is_recomputed() -> None:
    batch, alone = pair(load_source(Source("failing.yaml", LISTING_FAILS), engine="native"))
    fails = np.arange(GAMES) % 5 == 2
    for one in (batch, alone):
        one.step([0] * GAMES)
        one.step([1] * GAMES)
        with pytest.raises(EvaluationError, match=r"division by zero.*\(game 2, ply 3\)"):
            one.step([2] * GAMES, where=fails)
    assert not batch.refused.size
    assert np.array_equal(batch.failed, fails.nonzero()[0])
    assert batch.plies.tolist() == [2] * GAMES
    alike(batch, alone)


def test_an_interrupt_leaves_the_games_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    batch, alone = pair(load("connect-four", engine="native"))
    batch.step()
    alone.step()
    lead = SpinningWorkers._lead

    def interrupted(self: SpinningWorkers, *given: object) -> None:
        lead(self, *given)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(SpinningWorkers, "_lead", interrupted)
        with pytest.raises(KeyboardInterrupt):
            batch.step()
    assert not batch._work._spinning._pool.serving
    alike(batch, alone)
    for one in (batch, alone):
        one.step()
    alike(batch, alone)


def test_threads_that_cannot_be_started_are_reported_and_none_is_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    batch, alone = pair(load("connect-four", engine="native"))

    batch._work._seconds[show_games] = 0.01  # as on a slow machine; threads would share it

    def fails(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", fails)
        with pytest.raises(MemoryError):
            batch.step()
    alike(batch, alone)
    batch.step()
    alone.step()
    alike(batch, alone)


def test_the_faster_way_is_kept_and_both_are_tried_again() -> None:
    for costs in ([1.0, 2.0], [2.0, 1.0]):
        trying, gone = AlternativeTiming(), list[int]()
        for number in range(2 * 524):
            gone.append(trying.selected)
            # Now and then a thread is preempted for long.
            trying.record(costs[trying.selected] + 100 * (number % 7 == 0))
        better = int(costs[1] < costs[0])
        assert gone[:524] == [0] * 12 + [1] * 12 + [better] * 500
        assert gone[524:] == gone[:524]
