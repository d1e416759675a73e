"""The table of layouts of CPython objects: the versions in it, the fallback, and the probes."""

import sys
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import rulesengine
from rulesengine import Game
from rulesengine.engine.drivers.random import Generator
from rulesengine.engine.kernel.backends.callables import (
    Argument,
    CallableSpec,
    IntegerArgument,
    TupleResult,
)
from rulesengine.engine.kernel.backends.native import build, cpython_offsets
from rulesengine.engine.kernel.backends.native.cpython_offsets import (
    LAYOUTS,
    Interpreter,
    is_verified,
    layout_of,
    object_layout,
)
from rulesengine.engine.kernel.code.builder import Builder
from tests.helpers.engine_comparison import needs_native

OLDEST = Interpreter("cpython", (3, 11), pointer_bytes=8, has_gil=True)
UNSUPPORTED = (
    replace(OLDEST, version=(3, 10)),
    replace(OLDEST, version=(3, 99)),
    replace(OLDEST, implementation="pypy"),
    replace(OLDEST, pointer_bytes=4),
    replace(OLDEST, has_gil=False),
)
FIELDS = ("type", "size", "tuple_items", "bytes_content")
is_here = pytest.mark.skipif(object_layout() is None, reason="this Python has no callables")


def test_every_supported_version_has_a_layout() -> None:
    root = Path(__file__).parents[2]
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = [
        line.removeprefix("Programming Language :: Python :: ") for line in project["classifiers"]
    ]
    versions = {tuple(map(int, name.split("."))) for name in named if name.startswith("3.")}
    assert set(LAYOUTS) == versions


def test_the_layout_of_this_interpreter_passes_the_probes() -> None:
    here = cpython_offsets.interpreter()
    assert here.version == sys.version_info[:2]
    if here.implementation == "cpython" and here.has_gil and here.version in LAYOUTS:
        assert object_layout() == LAYOUTS[here.version]


@pytest.mark.parametrize("python", UNSUPPORTED, ids=str)
def test_other_interpreters_have_no_layout(
    python: Interpreter, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert layout_of(OLDEST) is LAYOUTS[3, 11]
    assert layout_of(python) is None
    monkeypatch.setattr(cpython_offsets, "interpreter", lambda: python)
    assert object_layout() is None


@pytest.mark.parametrize("enabled", [True, False])
def test_a_free_threaded_build_has_no_layout_even_with_its_gil_enabled(
    enabled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "_is_gil_enabled", lambda: enabled, raising=False)
    monkeypatch.setattr(sys, "version", "3.13.0 experimental free-threading build (main)")
    assert not cpython_offsets.interpreter().has_gil


@is_here
@pytest.mark.parametrize("field", FIELDS)
def test_the_probes_detect_a_wrong_offset(field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    layout = object_layout()
    assert layout is not None
    wrong = replace(layout, **{field: getattr(layout, field) + 8})
    assert not is_verified(wrong)
    version = cpython_offsets.interpreter().version
    monkeypatch.setattr(cpython_offsets, "LAYOUTS", {version: wrong})
    assert object_layout() is None


@is_here
def test_the_probes_detect_another_kind_of_reference_count() -> None:
    layout = object_layout()
    assert layout is not None
    assert not is_verified(replace(layout, has_immortals=not layout.has_immortals))


def played(game: Game, seed: int) -> list[object]:
    """All that single calls report in a random game."""
    draw, state = Generator(seed, 0), game.initial_state()
    found = list[object]()
    while moves := game.legal_moves(state):
        found.append(([str(move) for move in moves], str(state)))
        state = game.apply(state, moves[draw.below(len(moves))])
        found.append((game.outcome(state), game.scores(state)))
    return found


@pytest.mark.slow
@needs_native
@pytest.mark.parametrize("name", ["tic-tac-toe", "hex-pie", "go"])
def test_an_unknown_version_gives_the_same_results_without_callables(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = rulesengine.load(name, engine="native")
    wanted = [played(here, seed) for seed in range(3)]
    assert ("legal_moves" in vars(here)) is (object_layout() is not None)
    unknown = replace(cpython_offsets.interpreter(), version=(3, 99))
    monkeypatch.setattr(cpython_offsets, "interpreter", lambda: unknown)
    for _ in range(2):  # compiled, and loaded from the cache
        portable = rulesengine.load(name, engine="native")
        assert [played(portable, seed) for seed in range(3)] == wanted
        assert "legal_moves" not in vars(portable)


@pytest.mark.slow
@needs_native
@is_here
@pytest.mark.parametrize("has_immortals", [False, True])
def test_returned_objects_are_counted(has_immortals: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    layout = object_layout()
    assert layout is not None
    if layout.has_immortals and not has_immortals:
        pytest.skip("immortal objects need counts of 32 bits")
    other = replace(layout, has_immortals=has_immortals)
    monkeypatch.setattr(build, "object_layout", lambda: other)
    objects = (object(), None)
    call = listing(objects)
    before = [sys.getrefcount(one) for one in objects]
    tuples = [call(index % 2) for index in range(200)]
    assert tuples == [(objects[index % 2],) for index in range(200)]
    assert sys.getrefcount(objects[0]) >= before[0] + 100
    del tuples
    call(1)
    after = [sys.getrefcount(one) for one in objects]
    assert after[0] == before[0]
    assert abs(after[1] - before[1]) < 20


def listing(objects: tuple[object, ...]) -> Callable[[int], tuple[object, ...]]:
    """Return a callable that returns a tuple with one of some objects."""
    b = Builder(64)
    b.module.items = 20
    with b.function("listing", ["i"], ["b"], entry=True) as (index,):
        numbers = b.result("list", "b", detail=0)
        b.effect("push", numbers, b.op("ishl", index, b.i(8)))
        b.effect("push", numbers, b.i(0))
        b.emit_return(numbers)
    fast = CallableSpec(
        "listing", (Argument(),), (IntegerArgument(0),), TupleResult((objects,), 0, 8)
    )
    return build.native(b.module, fasts={"listing": fast}).fast["listing"]
