"""Cached kernels of an earlier run: loaded without compilation, and only if they fit."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from math import ceil
from threading import Event, Thread
from typing import Any

import pytest

import rulesengine
from rulesengine.engine.kernel import emission
from rulesengine.engine.kernel.backends.code_image import Image
from rulesengine.engine.kernel.backends.native import build
from rulesengine.engine.kernel.backends.registry import working
from rulesengine.engine.kernel.compile_costs import CompileCosts
from rulesengine.engine.kernel.game_sample import GameSample
from rulesengine.engine.kernel.kernels import Kernels
from rulesengine.engine.kernel.selection import Selector
from tests.engine.test_selection import until
from tests.helpers.counting_backend import Counting
from tests.helpers.engine_comparison import needs_native

MACHINE = rulesengine.load("tic-tac-toe", engine="interpreter").machine
every_back_end = pytest.mark.parametrize("backend", working(), ids=lambda backend: backend.name)


class MemoryStore:
    """A store in memory."""

    def __init__(self) -> None:
        self.stamp = b"of this package"
        self.entries: dict[tuple[str, bytes], bytes] = {}

    def get(self, kind: str, key: bytes) -> bytes | None:
        return self.entries.get((kind, key))

    def has(self, kind: str, key: bytes) -> bool:
        return (kind, key) in self.entries

    def put(self, kind: str, key: bytes, data: bytes) -> None:
        self.entries[kind, key] = data

    def lock(self, key: bytes) -> AbstractContextManager[None]:
        return nullcontext()

    def change(self, how: Any) -> None:
        """Replace each cached image by the result of `how`."""
        images = [place for place in self.entries if place[0] == "kernel"]
        assert images
        for place in images:
            self.entries[place] = how(self.entries[place])


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def emitted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the names of the parts that are emitted."""
    make, parts = emission.emitted, list[str]()

    def noted(machine: Any, part: str, seats: int) -> Any:
        parts.append(part)
        return make(machine, part, seats)

    monkeypatch.setattr(emission, "emitted", noted)
    return parts


def plays(backend: Any, store: MemoryStore) -> None:
    """Compare the moves of freshly loaded or compiled kernels with the interpreter's."""
    kernels, state = Kernels(MACHINE, backend, store), MACHINE.initial_state()
    while MACHINE.outcome(state) is None:
        moves = MACHINE.legal(state)
        assert kernels.legal(state) == moves
        state = kernels.apply(state, moves[-1])
    assert kernels.ending(state) is not None


@contextmanager
def held(lock: Any) -> Iterator[None]:
    """Hold the lock in another thread meanwhile."""
    has, let = Event(), Event()

    def hold() -> None:
        with lock:
            has.set()
            let.wait(60)

    thread = Thread(target=hold)
    thread.start()
    assert has.wait(60)
    yield
    let.set()
    thread.join()


@pytest.mark.slow
@every_back_end
def test_cached_code_is_not_compiled_again(
    backend: Any, store: MemoryStore, emitted: list[str]
) -> None:
    assert not Kernels(MACHINE, backend, store).is_cached("singles")
    plays(backend, store)
    assert Kernels(MACHINE, backend, store).is_cached("singles")
    plays(backend, store)
    assert emitted == ["singles"]


@pytest.mark.slow
@every_back_end
def test_cached_code_is_loaded_at_the_first_call_that_repays_loading(
    backend: Any, store: MemoryStore
) -> None:
    """Check it also while another thread compiles: then it is loaded in the background."""
    plays(backend, store)
    waited, at_once = (Selector(MACHINE, "auto", store, (backend,)) for _ in range(2))
    for selector in (waited, at_once):
        selector._called = 2 * backend.load_seconds
    with held(waited.parts._lock):
        assert waited.for_call("singles") is None
    assert at_once.for_call("singles") is not None
    until(lambda: waited.for_call("singles"))


@pytest.mark.slow
@every_back_end
def test_cached_code_is_loaded_for_work_that_repays_loading(
    backend: Any, store: MemoryStore, emitted: list[str]
) -> None:
    """Expect compilation at `made` plies, then any work; after a restart, loading at `least`."""
    saved = 0.001 * (1 - backend.rate)  # seconds for each ply
    made = ceil(CompileCosts(MACHINE.program, None).estimate(backend, "singles") / saved)
    least = ceil(backend.load_seconds / saved)
    first = Selector(MACHINE, "auto", store, (backend,))
    first._sample = GameSample(0.001, 9)
    assert first.for_work("singles", made - 1) is None
    assert first.for_work("singles", made) is not None
    assert first.for_work("singles", 1) is not None
    later = Selector(MACHINE, "auto", store, (backend,))
    later._sample = GameSample(0.001, 9)
    assert later.for_work("singles", least - 1) is None
    assert later.for_work("singles", least) is not None
    assert emitted == ["singles"]


@pytest.mark.slow
@every_back_end
def test_recall_loads_cached_code_at_once(backend: Any, store: MemoryStore) -> None:
    early = Selector(MACHINE, "auto", store, (backend,))
    early.recall("singles")
    assert early.for_call("singles") is None
    plays(backend, store)
    selector = Selector(MACHINE, "auto", store, (backend,))
    assert selector.for_call("singles") is None
    selector.recall("singles")
    assert selector.for_call("singles") is not None
    assert selector.for_call("perft") is None


@pytest.mark.slow
@every_back_end
def test_unusable_cached_code_is_compiled_in_the_background(
    backend: Any, store: MemoryStore, emitted: list[str]
) -> None:
    plays(backend, store)
    store.change(lambda data: data[:20])
    selector = Selector(MACHINE, "auto", store, (backend,))
    selector._called = 2 * backend.load_seconds
    selector.for_call("singles")
    until(lambda: selector.for_call("singles"))
    assert emitted == ["singles", "singles"]


@pytest.mark.slow
@every_back_end
def test_a_changed_package_compiles_it_again(
    backend: Any, store: MemoryStore, emitted: list[str]
) -> None:
    plays(backend, store)
    store.stamp = b"of another package"
    assert not Kernels(MACHINE, backend, store).is_cached("singles")
    plays(backend, store)
    assert emitted == ["singles", "singles"]


def elsewhere(data: bytes) -> bytes:
    return replace(Image.from_bytes(data), maker="another machine").to_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("how", [elsewhere, lambda data: data[:9], lambda _: b""])
@every_back_end
def test_damaged_cache_entry_is_compiled_again(
    backend: Any, store: MemoryStore, emitted: list[str], how: Any
) -> None:
    plays(backend, store)
    store.change(how)
    plays(backend, store)
    assert emitted == ["singles", "singles"]


def test_another_program_is_another_kernel(store: MemoryStore) -> None:
    backend = working()[-1]
    plays(backend, store)
    wider = rulesengine.load("tic-tac-toe", engine="interpreter", n=4).machine
    assert not Kernels(wider, backend, store).is_cached("singles")
    assert not Kernels(MACHINE, backend, store).is_cached("perft")


class LateBackend(Counting):
    """A back end that pays off late, and soon if its code is cached."""

    def compile_seconds(self, size: int, part: str) -> float:
        return 1e9


@pytest.mark.parametrize("kept", [False, True])
def test_code_that_is_kept_pays_sooner(
    kept: bool, store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Kernels, "is_cached", lambda *_: kept)
    selector = Selector(MACHINE, "auto", store, (LateBackend(),))
    selector.for_call("singles")
    assert bool(selector.parts.started) is kept  # it is compiled, or loaded, in the background


@pytest.mark.slow
@needs_native
def test_code_without_callables_does_not_serve_where_there_are_some(
    store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The code may come from a Python with another object layout."""
    game = rulesengine.load("tic-tac-toe", engine="native")
    backend = next(one for one in working() if one.name == "native")
    with monkeypatch.context() as other:
        other.setattr(build, "object_layout", lambda: None)
        assert not Kernels(MACHINE, backend, store, game._fasts).part("singles").fast
    assert Kernels(MACHINE, backend, store, game._fasts).part("singles").fast
