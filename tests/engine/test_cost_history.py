"""Runs that are each too short for compilation pay for it together."""

import threading
from typing import Any

import pytest

import rulesengine
from rulesengine.engine import background
from rulesengine.engine.background import (
    CompileThread,
    compile_in_background,
    join_all,
    join_awaited,
)
from rulesengine.engine.kernel.cost_history import CostHistory
from rulesengine.engine.kernel.selection import Selector
from tests.engine.test_code_cache import MemoryStore
from tests.engine.test_selection import until
from tests.helpers.counting_backend import Counting

MACHINE = rulesengine.load("tic-tac-toe", engine="interpreter").machine


class ExpensiveBackend(Counting):
    """A back end that pays for single calls after a second."""

    name = "dear"

    def compile_seconds(self, size: int, part: str) -> float:
        return 1.0


class ForgetfulStore(MemoryStore):
    """A store without the measured times: the back end compiles faster than it says."""

    def put(self, kind: str, key: bytes, data: bytes) -> None:
        if kind != "compiling":
            super().put(kind, key, data)


@pytest.fixture
def store() -> MemoryStore:
    return ForgetfulStore()


def run(store: MemoryStore, seconds: list[float]) -> Selector:
    """Return the selector after calls of these durations; before the last one it has requested
    kernels.
    """
    selector = Selector(MACHINE, "auto", store, (ExpensiveBackend(),))
    for taken in seconds:
        selector.record_time(selector.clock() - taken)
    selector.for_call("singles")
    return selector


def test_short_runs_make_code_when_together_they_have_paid_for_it(store: MemoryStore) -> None:
    begun = [bool(run(store, [0.4]).parts.started) for _ in range(3)]
    assert begun == [False, False, True]


def test_run_stores_its_cost_at_each_doubling(store: MemoryStore) -> None:
    selector = run(store, [0.1, 0.15, 0.3, 0.2])
    ledger = selector._ledger
    assert ledger is not None
    assert ledger.earlier == 0.0
    # Written at 0.1, 0.25 and 0.55, not at its end.
    assert CostHistory(store, ledger._key).earlier == pytest.approx(0.55, abs=0.04)


def test_code_that_was_not_ready_is_tried_when_twice_as_much_is_spent(store: MemoryStore) -> None:
    begun = [bool(run(store, [seconds]).parts.started) for seconds in (0.5, *[0.6] * 7)]
    # In total 0.5, 1.1, 1.7, 2.3 and so on: compilation begins at 1.1, 2.3 and 4.7.
    assert begun == [False, True, False, True, False, False, False, True]


def test_another_program_has_another_ledger(store: MemoryStore) -> None:
    first = run(store, [0.4])._ledger
    other = rulesengine.load("nim", engine="interpreter").machine
    second = Selector(other, "auto", store, (ExpensiveBackend(),))._ledger
    assert first is not None
    assert second is not None
    assert second.earlier == 0.0 < CostHistory(store, first._key).earlier


def test_an_entry_that_is_damaged_counts_for_nothing(store: MemoryStore) -> None:
    store.put("spent", b"key", b"short")
    assert CostHistory(store, b"key").earlier == 0.0


def test_without_a_store_a_run_counts_alone() -> None:
    selector = Selector(MACHINE, "auto", None, (ExpensiveBackend(),))
    for _ in range(3):
        assert not selector.parts.started
        selector.record_time(selector.clock() - 0.4)
        selector.for_call("singles")
    assert selector.parts.started


@pytest.mark.parametrize("is_awaited", [False, True])
def test_an_end_waits_for_what_later_runs_will_have(is_awaited: bool) -> None:
    let, made = threading.Event(), list[Any]()
    compile_in_background("a kernel", lambda: made.append(let.wait(60)), is_awaited=is_awaited)
    threading.Timer(0.1, let.set).start()
    join_awaited(60.0 if is_awaited else 0.0)
    assert made == [True] * is_awaited
    until(lambda: made)


def test_an_end_waits_no_longer_than_it_was_given() -> None:
    let, made = threading.Event(), list[Any]()
    compile_in_background("a kernel", lambda: made.append(let.wait(60)), is_awaited=True)
    join_awaited(0.01)
    assert any(isinstance(thread, CompileThread) for thread in threading.enumerate())
    let.set()


def test_timed_searches_wait_for_their_code_as_long_as_they_have_taken(
    store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr(background, "is_compiling", lambda: True)
    monkeypatch.setattr(background, "join_all", waits.append)
    for _ in range(9):
        Selector(MACHINE, "auto", store, (ExpensiveBackend(),)).finish_compiling(1.0)
    # Each wait is for code that the one before was too short for: at totals of 1, 2, 4 and 8.
    assert waits == [1.0, 2.0, 4.0, 8.0]
    monkeypatch.setattr(background, "is_compiling", lambda: False)
    Selector(MACHINE, "auto", store, (ExpensiveBackend(),)).finish_compiling(60.0)
    assert len(waits) == 4


def test_a_wait_for_all_code_ends_with_it() -> None:
    let, made = threading.Event(), list[Any]()
    compile_in_background("a kernel", lambda: made.append(let.wait(60)), is_awaited=False)
    join_all(0.01)
    assert made == []
    let.set()
    join_all(60)
    assert made == [True]
