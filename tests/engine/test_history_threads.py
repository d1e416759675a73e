"""Threads that play games with a history share one history in kernel memory."""

import ctypes
import os
import subprocess
import sys

import pytest

from rulesengine.engine.kernel.backends.native import callables
from tests.helpers.engine_comparison import needs_native

# Each thread switches at nearly every call, and the debug allocator overwrites freed memory.
GAMES = """
import sys, threading, random
import rulesengine

sys.setswitchinterval(1e-6)
game = rulesengine.load("go", engine="native", n=5)
ends = [[] for _ in range(4)]

def play(number):
    for seed in range(GAMES):
        chance, state = random.Random(seed), game.initial_state()
        while (moves := game.legal_moves(state)) and game.outcome(state) is None:
            state = game.apply(state, chance.choice(moves), check=False)
        ends[number].append(str(state))

threads = [threading.Thread(target=play, args=(number,)) for number in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert ends[0] == ends[1] == ends[2] == ends[3]
print(len(ends[0]))
"""
COUNT = 1_000


@needs_native
def test_threads_do_not_free_the_state_that_owns_the_history() -> None:
    environment = {**os.environ, "PYTHONMALLOC": "debug", "PYTHONFAULTHANDLER": "1"}
    found = subprocess.run(
        [sys.executable, "-c", GAMES.replace("GAMES", str(COUNT))],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stderr[:2000]
    assert found.stdout == f"{COUNT}\n"


@needs_native
def test_a_change_by_another_thread_during_a_call_loses_no_reference(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    address = (ctypes.c_void_p * 64)()
    tables = [callables.AddressTable(ctypes.addressof(address), 0, [], None)]
    first, second, third = values = object(), object(), object()

    def references() -> list[int]:
        return [sys.getrefcount(value) for value in values]

    before = references()
    tables[0].record_history(first, 1)
    counted = callables._counted

    def counted_with_a_switch(value: object) -> int:
        monkeypatch.setattr(callables, "_counted", counted)
        tables[0].record_history(second, 2)  # as another thread does, which runs at any call
        return counted(value)

    monkeypatch.setattr(callables, "_counted", counted_with_a_switch)
    tables[0].record_history(third, 3)
    assert tables[0].line == (third, 3)
    assert references() == [before[0], before[1], before[2] + 1]
    tables.clear()
    assert references() == before
