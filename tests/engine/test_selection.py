"""Engine selection for single calls under `auto`: never an engine that still has to compile."""

import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from typing import Any

import pytest

import rulesengine
from rulesengine.engine.kernel.backends.python.build import compiled
from rulesengine.engine.kernel.code.form import Module
from rulesengine.engine.kernel.selection import Selector
from rulesengine.errors import RulesError
from tests.helpers.counting_backend import Counting
from tests.helpers.processes import PATIENCE


class Slow(Counting):
    """A back end that compiles when the test lets it, and that may be rejected."""

    name = "slow"
    keeps_history = False

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.let = threading.Event(), threading.Event()
        self.refusal = ""
        self.made = 0

    def compile(self, module: Module, store: object, fasts: Mapping[str, Any]) -> Any:
        self.begun.set()
        assert self.let.wait(PATIENCE)
        self.made += 1
        if self.refusal:
            raise RulesError(self.refusal)
        return compiled(module)


def until(condition: Any) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.001)


@pytest.fixture
def slow() -> Slow:
    return Slow()


def selector(slow: Slow) -> Selector:
    return Selector(rulesengine.load("tic-tac-toe").machine, "auto", None, (slow,))


def test_single_calls_do_not_wait_for_compilation(slow: Slow) -> None:
    found = selector(slow)
    assert found.for_call("singles") is None
    assert slow.begun.wait(PATIENCE)
    assert [found.for_call("singles") for _ in range(5)] == [None] * 5
    slow.let.set()
    until(lambda: found.for_call("singles"))
    assert slow.made == 1


def test_long_work_waits_for_a_single_compilation(slow: Slow) -> None:
    found = selector(slow)
    assert found.for_call("singles") is None
    threading.Timer(0.05, slow.let.set).start()
    assert found.for_work("singles", 10**9) is not None
    assert slow.made == 1


def test_failed_compilation_is_reported_and_not_retried(slow: Slow) -> None:
    slow.refusal = "not today"
    slow.let.set()
    found = selector(slow)
    assert found.for_call("singles") is None
    until(lambda: found.problems)
    assert found.for_call("singles") is None
    assert found.best("singles") == "interpreter"
    assert (found.problems, slow.made) == ({"slow singles": "not today"}, 1)


@pytest.mark.slow
def test_a_program_does_not_wait_at_its_end_for_what_is_being_made() -> None:
    pytest.importorskip("llvmlite")
    program = """
import rulesengine, time
game = rulesengine.load("gomoku")
game._dispatcher.selector._called = 100.0
state = game.initial_state()
game.legal_moves(state)
from threading import enumerate
print([t.name for t in enumerate() if "kernel" in t.name])
"""
    environment = {"RULESENGINE_CACHE": "", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
        env=environment,
    )
    assert done.stdout == "['native singles kernel']\n"
    assert done.stderr == ""


@pytest.mark.slow
def test_a_search_has_no_code_until_the_fastest_is_there(slow: Slow) -> None:
    machine, calls = rulesengine.load("tic-tac-toe").machine, list[str]()
    found = Selector(machine, "auto", None, (slow, Counting()))

    def engine() -> str | None:
        kernels = found.in_background("search", lambda: calls.append("there"))
        return kernels.backend.name if kernels else None

    assert engine() is None
    assert slow.begun.wait(PATIENCE)
    assert (engine(), calls) == (None, [])
    slow.let.set()
    until(lambda: engine() == "slow")
    assert (slow.made, len(calls)) == (1, 1)


@pytest.mark.slow
def test_a_search_has_slower_code_if_the_fastest_cannot_be_compiled() -> None:
    class Refusing(Counting):
        name = "refusing"

        def compile(self, *args: Any) -> Any:
            raise rulesengine.UsageError("too much")

    machine, calls = rulesengine.load("tic-tac-toe").machine, list[str]()
    found = Selector(machine, "auto", None, (Refusing(), Counting()))
    until(lambda: found.in_background("search", lambda: calls.append("there")) is not None)
    kernels = found.in_background("search", lambda: None)
    assert kernels is not None
    assert (kernels.backend.name, calls) == ("counting", ["there"])
