"""The fixture `in_haste`: games of a test are compiled without optimisation."""

from pathlib import Path

import pytest

import rulesengine
from rulesengine.engine.kernel.backends.native import object_code
from rulesengine.engine.kernel.backends.native.compiler_process import FULL, QUICK
from tests.helpers.engine_comparison import needs_native


def levels(monkeypatch: pytest.MonkeyPatch, cache: Path) -> set[int]:
    """Return the levels at which a game is compiled for an empty cache."""
    found, compiled = set[int](), object_code.compile_level

    def noted(text: str, target: object, level: int, *rest: object, **options: object) -> bytes:
        found.add(level)
        return compiled(text, target, level, *rest, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(object_code, "compile_level", noted)
    monkeypatch.setenv("RULESENGINE_CACHE", str(cache))
    rulesengine.load("tic-tac-toe", engine="native").playouts(1, seed=1)
    return found


@needs_native
@pytest.mark.usefixtures("in_haste")
def test_native_code_in_haste_has_no_passes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert levels(monkeypatch, tmp_path) == {QUICK}


@needs_native
def test_other_native_code_has_all_passes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert levels(monkeypatch, tmp_path) == {FULL}
