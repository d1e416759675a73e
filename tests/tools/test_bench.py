"""The time budget of `bench`: works as large as fit, with kernels compiled before."""

import threading
from typing import Any

import pytest

from rulesengine.errors import EvaluationError
from rulesengine.job import Job
from rulesengine.state import Playouts
from rulesengine.tools.doctor import bench
from tests.helpers.processes import PATIENCE

_FIRST = 4_000_000  # steps, a good tenth of a second


class Stub:
    """A game with perft d = 10^d; the first random game waits for its kernel."""

    def __init__(self, engine: str, *, endless: bool = False) -> None:
        self.engine = engine
        self.engine_problems: dict[Any, str] = {}
        self.endless = endless
        self.is_made = False
        self.largest = 0

    def engines(self, *parts: str) -> dict[str, str]:
        assert parts == ("perft", "playouts")
        self._make()
        return {"perft": self.engine, "playouts": self.engine}

    def kernel_kinds(self, *parts: str) -> dict[str, str]:
        return {"perft": "a stub", "playouts": "a stub"}

    def perft(self, depth: int, *, job: Job | None = None) -> int:
        busy(10**depth)
        return int(10**depth)

    def playouts(self, games: int, *, job: Job | None = None) -> Playouts:
        if self.endless and job:
            job.stop()  # as when its time is over
            job.raise_if_stopped()
        self._make()
        busy(games * 10)
        self.largest = max(self.largest, games)
        return Playouts(games, {}, games, 0, 1.0, games)

    def _make(self) -> None:
        if not self.is_made:
            busy(_FIRST)
            self.is_made = True


def busy(steps: int) -> None:
    for _ in range(steps):
        pass


def measured(*games: Stub, seconds: float = 0.3) -> bench.Bench:
    by_engine = {game.engine: game for game in games}
    return bench.measure(lambda engine: by_engine[engine], list(by_engine), seconds)  # type: ignore[arg-type, return-value]


@pytest.mark.slow
def test_kernels_are_made_before_works_are_sized() -> None:
    game = Stub("one")
    done = measured(game).engines["one"]
    # If the kernel were compiled during the first games, that one game would fill the share.
    assert game.largest >= 64
    assert done.works["playouts"].size >= 64


@pytest.mark.slow
def test_slow_measurement_is_skipped_and_reported() -> None:
    done = measured(Stub("slow", endless=True), Stub("fast"), seconds=0.1)
    slow, fast = done.engines["slow"], done.engines["fast"]
    assert list(slow.works) == ["perft"]
    assert slow.too_long == {"playouts": "a random game takes more than 1.00 s"}
    assert set(fast.works) == {"perft", "playouts"}
    assert fast.too_long == {}
    (agreed,) = done.agreements
    assert (agreed.depth > 0, agreed.games, agreed.checksum) == (True, 0, 0)


def test_an_engine_that_compiles_for_too_long_is_reported_without_figures(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    let = threading.Event()

    class Late(Stub):
        def _make(self) -> None:
            assert let.wait(PATIENCE)

    monkeypatch.setattr(bench, "_COMPILING", 0.3)
    try:
        done = measured(Stub("fast"), Late("late"), seconds=0.1)
    finally:
        let.set()
    late = done.engines["late"]
    assert (late.first_result, dict(late.works)) == (None, {})
    assert late.too_long == {"kernel": "compiling takes more than 0.3 s"}
    assert "perft" in done.engines["fast"].works
    assert done.agreements == ()


def test_an_error_during_the_start_of_an_engine_is_raised() -> None:
    class Failing(Stub):
        def perft(self, depth: int, *, job: Job | None = None) -> int:
            raise EvaluationError("division by zero")

    with pytest.raises(EvaluationError, match="division by zero"):
        measured(Failing("one"))


def test_a_call_within_a_time_gives_what_it_gives() -> None:
    assert bench._within(10.0, lambda job: 5) == 5
