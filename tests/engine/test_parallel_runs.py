"""Kernel counts that move to a thread, decided by a clock that the count itself advances."""

import threading
from types import SimpleNamespace
from typing import Any

import pytest

from rulesengine import Job
from rulesengine.engine.kernel import parallel_runs
from rulesengine.engine.kernel.parallel_runs import PerftRun

_CALL = 1e-5  # seconds


class RecordingCount(PerftRun):
    """A count where each move has as many replies; it records depths and threads."""

    def __init__(
        self, growth: int, leaf: float, *, cells: int = 64, longest: int = 99, threads: bool = True
    ) -> None:
        program = SimpleNamespace(topology=SimpleNamespace(cells=cells))
        backend = SimpleNamespace(has_threads=threads)
        part = SimpleNamespace(is_final=True)
        kernels: Any = SimpleNamespace(
            backend=backend, machine=SimpleNamespace(program=program), part=lambda name: part
        )
        functions: Any = None
        super().__init__(kernels, functions, Job(), keep=False, free=False, bulk=False)
        self.growth, self.leaf, self.longest = growth, leaf, longest
        self.clock = 0.0
        self.depths: list[int] = []
        self.threads: list[threading.Thread] = []

    def _by_kernel(self, lane: bytearray, state: Any, depth: int) -> int:
        self.depths.append(depth)
        self.threads.append(threading.current_thread())
        self.clock += _CALL + self.leaf * self.growth ** min(depth, self.longest)
        return self.growth**depth if depth <= self.longest else 0


@pytest.mark.parametrize(
    ("count", "depth", "depths", "has_thread"),
    [
        (RecordingCount(2, 1e-8, cells=9), 1, [1], False),
        (RecordingCount(2, 1e-8, cells=9), 3, [1, 3], False),  # 9 x 9 calls are short
        (RecordingCount(4, 1e-9), 4, [1, 2, 3, 4], False),  # 64 x 64 calls are not
        (RecordingCount(10, 1e-6), 2, [1, 2], False),  # a tenth of a millisecond needs no thread
        (RecordingCount(10, 1e-6), 6, [1, 2, 3, 6], True),  # a second: the next may take too long
        (
            RecordingCount(9, 6e-8),
            5,
            [1, 2, 5],
            True,
        ),  # 4 ms, of which the next depth is a hundredth
        (
            RecordingCount(9, 4e-8),
            6,
            [1, 2, 3, 6],
            True,
        ),  # 21 ms: the depth before took a thousandth
        (RecordingCount(6, 8e-8), 5, [1, 2, 3, 4, 5], False),  # 0.6 ms: the other counts cost less
        (RecordingCount(3, 1e-9, longest=9), 10**6, [*range(1, 11)], False),  # no game is that long
        (RecordingCount(10, 1e-6, threads=False), 6, [6], False),
    ],
)
def test_a_count_gets_a_thread_where_it_takes_long(
    count: RecordingCount,
    depth: int,
    depths: list[int],
    has_thread: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(parallel_runs, "_clock", lambda: count.clock)
    state: Any = None
    assert count.below(state, depth) == (count.growth**depth if depth <= count.longest else 0)
    assert count.depths == depths
    here = threading.current_thread()
    assert [thread is here for thread in count.threads[:-1]] == [True] * (len(depths) - 1)
    assert (count.threads[-1] is not here) == has_thread
