"""Settings that all tests share."""

import atexit
import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import settings

DEEP = Path(__file__).with_name("deep.txt")
FREEZE_EVERY = 500  # tests
FINISHED = pytest.StashKey[int]()  # tests that have ended in this process
HASTY = ("batch", "script", "search")  # folders whose tests use `in_haste` in the gate

# In the gate the examples are fixed; otherwise each run tries new ones.
settings.register_profile("desk", deadline=None)
settings.register_profile("gate", deadline=None, derandomize=True)
settings.load_profile("gate" if os.environ.get("CI") else "desk")
if os.environ.get("CI"):
    # Else hypothesis builds some examples from the constants of all modules loaded so far. They
    # would then depend on the earlier tests, and reading the constants takes seconds.
    with suppress(ImportError, AttributeError):  # a version without it
        from hypothesis.internal.conjecture import providers
        from hypothesis.internal.constants_ast import Constants

        mock.patch.object(providers, "_get_local_constants", Constants).start()

# One cache for all tests and their processes, not the user's; workers inherit their parent's.
# Modules are compiled once, not by each process, whatever the environment sets.
if "PYTEST_XDIST_WORKER" not in os.environ:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    os.environ["RULESENGINE_CACHE"] = tempfile.mkdtemp(prefix="rulesengine-tests-")
    atexit.register(shutil.rmtree, os.environ["RULESENGINE_CACHE"], ignore_errors=True)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Exclude collected objects from garbage collection: they stay to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 10, 10)
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Exclude objects that tests keep, such as games and kernels, from garbage collection.

    Otherwise a full collection takes seconds late in the run.
    """
    finished = item.config.stash.get(FINISHED, 0) + 1
    item.config.stash[FINISHED] = finished
    if finished % FREEZE_EVERY == 0:
        gc.collect()
        gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the cases of `deep.txt`, and begin with the tests marked `first`.

    Otherwise a worker has a long test left when the others have finished.
    """
    deep = {line for line in DEEP.read_text("utf-8").splitlines() if not line.startswith("#")}
    for item in items:
        if item.nodeid in deep:
            item.add_marker(pytest.mark.deep)
    items.sort(key=lambda item: item.get_closest_marker("first") is None)


def pytest_collection_finish() -> None:
    if find_spec("llvmlite") is not None:
        from tests.helpers.compiling import compile_in_process

        compile_in_process()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite the golden files")


@pytest.fixture
def in_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile native code of this process without optimisation: five times faster, with equal
    results.

    `test_kernel_native.py`, drivers in `test_translate.py` and some games in each test of all games
    use optimised code. It never comes from the cache of unoptimised code.
    """
    if find_spec("llvmlite") is None:
        return
    from rulesengine.engine.kernel.backends.native import build
    from rulesengine.engine.kernel.backends.native.compiler_process import QUICK
    from tests.helpers.compiling import in_one_tier

    monkeypatch.setattr(build, "native", partial(build.native, level=QUICK))
    monkeypatch.setattr(build, "compile_first", partial(in_one_tier, level=QUICK))
    monkeypatch.setenv("RULESENGINE_CACHE", os.environ["RULESENGINE_CACHE"] + "/haste")


@pytest.fixture(autouse=True)
def _hasty_folder(request: pytest.FixtureRequest) -> None:
    """Use `in_haste` in some folders; their deep cases run optimised code, as users do."""
    if request.path.parent.name in HASTY and request.node.get_closest_marker("deep") is None:
        request.getfixturevalue("in_haste")


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Yield the address of a server that serves the page to browsers in tests."""
    from tests.helpers.browser import served

    with served() as found:
        yield found


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """True if golden files are to be rewritten rather than compared."""
    return bool(request.config.getoption("--update-golden"))
