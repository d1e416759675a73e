"""Bound steps, with a stub of a kernel that calls the driver by the interpreter."""

from collections.abc import Callable, Sequence
from math import inf
from typing import Any, cast

import pytest

from rulesengine import load
from rulesengine.batch import Batch
from rulesengine.engine.drivers.batch.memories import GameRange
from rulesengine.engine.drivers.batch.step import step_games
from tests.batch.test_batches import alike

pytestmark = pytest.mark.usefixtures("in_haste")
GAMES = 5


class Kernel:
    """A kernel of the steps of a batch; its bound calls fail in the game `fails_in`, if any."""

    def __init__(self, batch: Batch) -> None:
        self.batch, self.steps = batch, 0
        self.fails_in: int | None = None

    def call(self, name: str, args: Sequence[Any]) -> tuple[int]:
        assert name == "step_games"
        return (self._run(*args[:3]),)

    def bound(self, name: str, args: Sequence[Any]) -> Callable[[], bool]:
        def call() -> bool:
            self.steps += 1
            if self.fails_in is None:
                return self.call(name, args) == (GAMES,)
            if self.fails_in:  # otherwise it has not begun and has not written its mark
                self._run(0, self.fails_in, args[2])
                self.batch._own.numbers[args[2]] = self.fails_in
                self.batch._arrays.forget(self.fails_in)  # the output is half done
            return False

        return call

    def _run(self, first: int, end: int, mark: int) -> int:
        batch = self.batch
        step = batch._steps.of(batch._was, batch._lines.memory)
        return step_games(batch._functions, GameRange(first, end, mark), step.memories)


@pytest.fixture
def batches(monkeypatch: pytest.MonkeyPatch) -> tuple[Batch, Batch]:
    # No step counts as long, whatever the first ones took.
    monkeypatch.setattr("rulesengine.batch.runner.inf", 0.0)
    monkeypatch.setattr("rulesengine.batch.runner.SHORT", inf)
    game = load("tic-tac-toe", engine="interpreter")
    return game.batch(GAMES, seed=1, restart=True), game.batch(GAMES, seed=1, restart=True)


def give(batch: Batch, kernel: Kernel | None, *, is_settled: bool) -> None:
    work = cast("Any", batch._work)
    work._part = lambda: kernel
    work._kernels.is_settled = lambda: is_settled


def test_the_interpreter_continues_in_the_game_in_which_a_bound_kernel_fails(
    batches: tuple[Batch, Batch],
) -> None:
    batch, other = batches
    kernel = Kernel(batch)
    give(batch, kernel, is_settled=True)
    for fails_in in (None, 2, 0, 4, 0, 1, None, 3, *[2] * 10):
        kernel.fails_in = fails_in
        batch.step()
        other.step()
        alike(batch, other)
    assert kernel.steps == 18


def test_a_kernel_that_becomes_ready_is_used_from_the_next_step_on(
    batches: tuple[Batch, Batch],
) -> None:
    batch, other = batches
    slow, fast = Kernel(batch), Kernel(batch)
    given = [(None, False), (slow, False), (slow, False), (fast, True), (slow, True)]
    steps = []
    for kernel, is_settled in given:
        for _ in range(2):  # in both directions
            give(batch, kernel, is_settled=is_settled)
            batch.step()
            other.step()
            alike(batch, other)
        steps.append((slow.steps, fast.steps))
    assert steps == [(0, 0), (2, 0), (4, 0), (4, 2), (4, 4)]
