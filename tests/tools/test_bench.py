"""The time budget of `bench`: works as large as fit, with kernels compiled before."""

from typing import Any

import pytest

from rulesengine.job import Job
from rulesengine.state import Playouts
from rulesengine.tools.doctor import bench

_FIRST = 4_000_000  # steps, a good tenth of a second


class Stub:
    """A game with perft d = 10^d; the first random game waits for its kernel."""

    def __init__(self, engine: str, *, endless: bool = False) -> None:
        self.engine = engine
        self.engine_problems: dict[Any, str] = {}
        self.endless = endless
        self.is_made = False
        self.largest = 0

    def engines(self) -> dict[str, str]:
        self._make()
        return {"perft": self.engine, "playouts": self.engine}

    def kernel_kinds(self) -> dict[str, str]:
        return {"perft": "a stub", "playouts": "a stub"}

    def perft(self, depth: int, *, job: Job | None = None) -> int:
        busy(10**depth)
        return int(10**depth)

    def playouts(self, games: int, *, job: Job | None = None) -> Playouts:
        if self.endless and job:
            job.stop()  # as when its time is over
            job.poll()
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


def test_a_call_within_a_time_gives_what_it_gives() -> None:
    assert bench._within(10.0, lambda job: 5) == 5
