"""Chunks of work that threads take from a shared counter, and the helper threads that wait for
them.
"""

import gc
import os
import signal
import threading
from collections.abc import Callable

import numpy as np
import pytest

from rulesengine import load
from rulesengine.batch.work_sharing import Helpers, Shares
from rulesengine.engine.kernel.backends.registry import working
from tests.engine.test_selection import until
from tests.helpers.processes import PATIENCE


def test_caller_runs_shares_without_helpers() -> None:
    shares = Shares([lambda k=k: k * k for k in range(5)])  # type: ignore[misc]
    shares.work()
    assert shares.results() == [0, 1, 4, 9, 16]


def test_helpers_run_all_shares_while_the_caller_waits() -> None:
    helpers, here = Helpers[int](), threading.get_ident()
    for _ in range(3):
        shares = Shares([threading.get_ident] * 4)
        helpers.submit(shares, 2)
        assert here not in shares.results()
    assert len(helpers._threads) == 2


def test_two_threads_work_at_the_same_time() -> None:
    # Each call waits for the other one: neither could end alone.
    both, helpers = threading.Barrier(2, timeout=PATIENCE), Helpers[int]()
    shares = Shares([both.wait, both.wait])
    helpers.submit(shares, 1)
    shares.work()
    assert sorted(shares.results()) == [0, 1]


def test_helper_exception_is_raised_in_the_waiting_thread() -> None:
    def fails() -> int:
        raise IndexError("of a call")

    helpers, shares = Helpers[int](), Shares[int]([fails])
    helpers.submit(shares, 1)
    with pytest.raises(IndexError, match="of a call"):
        shares.results()


def test_after_the_end_no_call_is_made_and_none_is_in_hand() -> None:
    begun, go_on, done = threading.Event(), threading.Event(), list[int]()

    def slow() -> int:
        begun.set()
        go_on.wait(PATIENCE)
        done.append(1)
        return 1

    helpers, shares = Helpers[int](), Shares([slow, slow])
    helpers.submit(shares, 1)
    assert begun.wait(PATIENCE)
    ending = threading.Thread(target=shares.end)
    ending.start()
    until(lambda: not shares._pending)
    assert ending.is_alive()
    go_on.set()
    ending.join(PATIENCE)
    assert (ending.is_alive(), done) == (False, [1])


@pytest.mark.slow
def test_helpers_end_when_unreferenced() -> None:
    helpers, shares = Helpers[int](), Shares([lambda: 1])
    helpers.submit(shares, 1)
    assert shares.results() == [1]
    (thread,) = helpers._threads
    del helpers
    gc.collect()
    thread.join(PATIENCE)
    assert not thread.is_alive()


@pytest.fixture
def in_child() -> Callable[[Callable[[], bool]], bool]:
    def asked(call: Callable[[], bool]) -> bool:
        child = os.fork()
        if child == 0:
            signal.alarm(60)  # ends a call that waits for missing threads
            os._exit(0 if call() else 1)
        return os.waitpid(child, 0)[1] == 0

    return asked


@pytest.mark.slow
@pytest.mark.skipif(
    not hasattr(os, "fork") or "native" not in [b.name for b in working()] or os.cpu_count() == 1,
    reason="forks, native kernels and two cores",
)
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_batch_with_threads_goes_on_in_a_child(in_child: Callable[..., bool]) -> None:
    game = load("connect-four", engine="native")
    batch, alone = game.batch(64, threads=2), game.batch(64)
    batch.playouts(1)
    alone.step()

    def goes_on() -> bool:
        batch.playouts(1)  # long by its estimate: helpers take part
        batch.step()
        return np.array_equal(batch.mask, alone.mask)

    assert in_child(goes_on)
