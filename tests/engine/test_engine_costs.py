"""The choice of an engine: the least estimated cost for the remaining work."""

import threading
from collections.abc import Mapping
from typing import Any

import pytest

import rulesengine
from rulesengine.engine.kernel.backends.python.build import compiled
from rulesengine.engine.kernel.backends.registry import BACKENDS
from rulesengine.engine.kernel.code.form import Module
from rulesengine.engine.kernel.compile_costs import CompileCosts
from rulesengine.engine.kernel.engine_costs import EngineCost, cheapest_first, remaining_seconds
from rulesengine.engine.kernel.engine_trials import EngineTrials
from rulesengine.engine.kernel.game_sample import GameSample, sample_game
from rulesengine.engine.kernel.selection import Selector
from tests.engine.test_code_cache import MemoryStore
from tests.helpers.counting_backend import Counting

MACHINE = rulesengine.load("tic-tac-toe", engine="interpreter").machine
INTERPRETER = EngineCost("interpreter", 0.0, 1.0)
PYTHON = EngineCost("python", 0.2, 0.1)
NATIVE = EngineCost("native", 2.0, 0.001)


class Priced(Counting):
    """A back end with a fixed price; it counts its compilations."""

    keeps_history = False

    def __init__(self, name: str, price: float, rate: float) -> None:
        super().__init__()
        self.name, self.price = name, price
        self.rate = self.call_rate = rate
        self.made: list[str] = []

    def compile_seconds(self, size: int, part: str) -> float:
        return self.price

    def compile(self, module: Module, store: object, fasts: Mapping[str, Any]) -> Any:
        self.made.append(threading.current_thread().name)
        return compiled(module)


def selector(*backends: Priced, seconds: float = 0.01) -> Selector:
    """Return a selector for a game; a ply takes the interpreter `seconds`."""
    found = Selector(MACHINE, "auto", None, backends)
    found._sample = GameSample(seconds, 9)
    return found


@pytest.mark.parametrize(
    ("seconds", "engine"),
    # 0.2 + 0.1 t = t at t = 0.222; 2 + 0.001 t = 0.2 + 0.1 t at t = 18.18
    [(0.0, "interpreter"), (0.22, "interpreter"), (0.23, "python"), (18.1, "python"),
     (18.2, "native"), (1e9, "native")],
)  # fmt: skip
def test_the_cheapest_engine_is_the_one_with_the_least_total(seconds: float, engine: str) -> None:
    assert cheapest_first([INTERPRETER, PYTHON, NATIVE], seconds)[0] == engine


def test_the_faster_of_two_engines_with_the_same_cost_is_first() -> None:
    free = EngineCost("fast", 0.0, 0.5)
    assert cheapest_first([INTERPRETER, free], 0.0) == ["fast", "interpreter"]


def test_a_choice_by_the_time_spent_costs_at_most_twice_the_best_one() -> None:
    for whole in (0.1, 1.0, 1.9, 2.1, 3.0, 10.0, 1000.0):
        spent = cost = 0.0
        while spent < whole:
            left = remaining_seconds(0.0, spent)
            if cheapest_first([INTERPRETER, NATIVE], left)[0] == "native":
                cost += NATIVE.total(whole - spent)
                break
            spent, cost = spent + 0.01, cost + 0.01
        best = min(INTERPRETER.total(whole), NATIVE.total(whole))
        assert cost <= 2.05 * best, whole


@pytest.mark.parametrize(
    ("plies", "made"), [(90, []), (110, ["quick"]), (20_000, ["native"])]
)  # the interpreter takes 0.9, 1.1 and 200 s; break even is at 1.0 / 0.99 and about 100 s
def test_known_work_is_done_by_the_cheapest_engine(plies: int, made: list[str]) -> None:
    native, quick = Priced("native", 2.0, 0.0001), Priced("quick", 1.0, 0.01)
    found = selector(native, quick)
    kernels = found.for_work("playouts", plies)
    assert [b.name for b in (native, quick) if b.made] == made
    assert (kernels.backend.name if kernels else None) == (made[0] if made else None)


def test_many_small_calls_compile_once_when_together_they_have_cost_as_much() -> None:
    native = Priced("native", 1.0, 0.001)
    found = selector(native)
    engines = []
    for _ in range(8):
        kernels = found.for_work("tree", 20)
        engines.append(kernels is not None)
        if kernels is None:
            found._worked["tree"] = found._worked.get("tree", 0.0) + 0.25
    assert engines == [False] * 5 + [True] * 3  # after 1.25 s: 0.001 t + 1 < t needs t > 1.001
    assert len(native.made) == 1


COSTS = [INTERPRETER, NATIVE, PYTHON]


@pytest.mark.parametrize(
    ("seconds", "tried"),
    # native: 2 + 0.001 t; python: 0.2 + 0.1 t, which is ten times as much at t = 220
    [(20.0, "python"), (219.0, "python"), (221.0, "")],
)
def test_an_engine_that_compiles_soon_is_tried_where_costs_are_close(
    seconds: float, tried: str
) -> None:
    assert EngineTrials().candidate("tree", COSTS, "native", seconds) == tried


def test_a_trial_ends_after_a_tenth_of_the_time_to_compile_the_other_engine() -> None:
    trials = EngineTrials()
    trials.add("python tree", 0.19, 100)
    assert trials.candidate("tree", COSTS, "native", 20.0) == "python"
    trials.add("python tree", 0.02, 100)
    assert trials.candidate("tree", COSTS, "native", 20.0) == ""
    # 0.21 s for 200 plies of 0.01 s
    assert trials.rate("python tree", 0.1, 0.01) == pytest.approx(0.105)
    assert trials.rate("native tree", 0.001, 0.01) == 0.001


@pytest.mark.parametrize(("speed", "names"), [(0.001, ["quick"]), (0.09, ["quick", "native"])])
def test_announced_work_goes_to_the_engine_that_the_trial_shows_to_be_cheaper(
    speed: float, names: list[str]
) -> None:
    native, quick = Priced("native", 2.0, 0.0001), Priced("quick", 0.1, 0.05)
    found = selector(native, quick)
    found.expect({"tree": 10_000})  # 100 s of the interpreter: 5.1 s by `quick`, 2.01 by `native`
    used = []
    for _ in range(100):
        kernels = found.for_work("tree", 100)
        assert kernels is not None
        used.append(kernels.backend.name)
        found._trials.add(f"{used[-1]} tree", 100 * 0.01 * speed, 100)
    # In fact `quick` takes 0.1 or 9 s.
    assert list(dict.fromkeys(used)) == names
    assert [len(native.made), len(quick.made)] == [len(names) - 1, 1]


def test_announced_work_is_compiled_before_the_first_single_call() -> None:
    native = Priced("native", 1.0, 0.01)
    found = selector(native)
    found.expect({"singles": 1000})  # 10 s
    kernels = found.for_call("singles")
    assert kernels is not None
    assert native.made == [threading.current_thread().name]


def test_little_announced_work_is_left_to_the_interpreter() -> None:
    native = Priced("native", 1.0, 0.01)
    found = selector(native)
    found.expect({"singles": 50})  # 0.5 s
    assert [found.for_call("singles") for _ in range(3)] == [None] * 3
    assert native.made == []


def test_announced_batches_wait_for_the_compiler_and_others_do_not() -> None:
    native = Priced("native", 1.0, 0.01)
    found = selector(native)
    found.expect({"batch": 10**6})
    assert found.in_background("batch", lambda: None) is not None
    assert native.made == [threading.current_thread().name]
    assert found.is_settled("batch")


def test_a_sample_has_the_length_of_a_game_or_the_typical_one() -> None:
    assert 5 <= sample_game(MACHINE, 200, 100).plies <= 9
    hex_machine = rulesengine.load("hex", engine="interpreter").machine
    assert sample_game(hex_machine, 5, 100).plies == 100


def test_estimates_follow_the_times_measured_on_this_machine() -> None:
    store, backend = MemoryStore(), Priced("native", 1.0, 0.01)
    costs = CompileCosts(MACHINE.program, store)
    assert costs.estimate(backend, "singles") == 1.0
    costs.measured(backend, "singles", lambda: sum(range(1000)))  # takes far less than 1/16 s
    assert costs.estimate(backend, "perft") == pytest.approx(1 / 16)
    # another program: the geometric mean with the ratio known before, which was 1
    other = CompileCosts(rulesengine.load("nim").machine.program, store)
    assert other.estimate(backend, "singles") == pytest.approx(1 / 4)


def test_a_damaged_ratio_counts_for_nothing() -> None:
    class Damaged(MemoryStore):
        def get(self, kind: str, key: bytes) -> bytes:
            return b"\xff" * 8  # not a number

    assert CompileCosts(MACHINE.program, Damaged()).estimate(Priced("x", 2.0, 0.1), "perft") == 2.0


@pytest.mark.parametrize("backend", BACKENDS, ids=lambda backend: backend.name)
def test_a_larger_program_takes_longer_to_compile(backend: Any) -> None:
    small, large = (
        CompileCosts(rulesengine.load(name).program, None) for name in ("tic-tac-toe", "chess")
    )
    for part in ("singles", "perft", "playouts", "tree", "choose 0"):
        assert small.estimate(backend, part) < large.estimate(backend, part)


def test_two_games_that_share_a_store_compile_a_part_once() -> None:
    store, begun, let = MemoryStore(), threading.Event(), threading.Event()
    lock = threading.Lock()

    class Blocking(Priced):
        def compile(self, module: Module, store: object, fasts: Mapping[str, Any]) -> Any:
            begun.set()
            assert let.wait(60)
            return super().compile(module, store, fasts)

        def reloaded(self, *kept: object) -> Any:
            return kept

    backend = Blocking("slow", 0.0, 0.0)
    store.lock = lambda key: lock  # type: ignore[method-assign,assignment,return-value]
    selectors = [Selector(MACHINE, "auto", store, (backend,)) for _ in range(3)]
    threads = [
        threading.Thread(target=one.parts.compiled, args=("slow", "perft")) for one in selectors
    ]
    for thread in threads:
        thread.start()
    assert begun.wait(60)
    let.set()
    for thread in threads:
        thread.join(60)
    assert len(backend.made) == 1


def test_other_calls_wait_for_the_kernels_of_the_part_that_replaces_them() -> None:
    native, quick = Priced("native", 1.0, 0.001), Priced("quick", 0.2, 0.1)
    found = selector(native, quick)
    assert found.for_leading("script") is None
    found._called = found._led = 0.9
    assert found.for_leading("script") is None
    assert found.for_call("singles") is None
    assert native.made == quick.made == []  # the slower engine would be compiled in addition
    found._led = 1.2
    kernels = found.for_leading("script")
    assert kernels is not None
    assert kernels.backend is native
    assert found._called == 0.0
    assert len(native.made) == 1


def test_other_calls_do_not_wait_for_a_part_that_cannot_be_compiled() -> None:
    native = Priced("native", 0.2, 0.001)
    found = selector(native)
    found.problems["native script"] = "no code"
    assert found.for_leading("script") is None
    found._called = 10.0
    found.for_call("singles")
    assert "native singles" in found.parts.started


def test_long_work_with_cached_kernels_needs_no_sample() -> None:
    native = Priced("native", 1.0, 0.001)
    native.load_seconds = 0.5
    found = Selector(MACHINE, "auto", None, (native,))
    found.parts._cached["native script"] = True
    found.expect({"script": 100_000})
    assert found.for_call("script") is not None
    assert found._sample is None
    found = Selector(MACHINE, "auto", None, (native,))
    found.parts._cached["native script"] = True
    found.expect({"script": 100})
    assert found.for_call("script") is None
    assert found._sample is not None
