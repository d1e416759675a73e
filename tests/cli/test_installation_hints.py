"""Hints about the installation on standard error: a missing compiler, a missing cache."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rulesengine.cli import compile_log, progress
from tests.helpers.cli_calls import call

HINT = (
    "rulesengine: machine code makes `perft` faster: `pip install '.[native]'` in a clone adds it\n"
)
COUNT = ("perft", "tic-tac-toe", "3")  # 9 * 8 * 7 move sequences


@pytest.fixture
def no_llvmlite(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "find_spec", lambda name: None)


@pytest.fixture
def all_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_SLOW", 0.0)
    monkeypatch.setattr(compile_log, "_LONG", 0.0)


@pytest.mark.usefixtures("no_llvmlite", "all_is_long")
def test_a_long_command_names_the_missing_compiler_once() -> None:
    done = call(*COUNT)
    assert (done.code, done.out, done.err) == (0, "504\n", HINT)


@pytest.mark.usefixtures("no_llvmlite", "all_is_long")
def test_the_hint_is_never_in_machine_readable_output() -> None:
    done = call(*COUNT, "--json")
    assert json.loads(done.out)["nodes"] == 504
    assert done.err == HINT


@pytest.mark.usefixtures("no_llvmlite")
def test_a_short_command_gives_no_hint() -> None:
    assert call(*COUNT).err == ""


@pytest.mark.usefixtures("all_is_long")
def test_with_a_compiler_there_is_no_hint() -> None:
    pytest.importorskip("llvmlite")
    assert call(*COUNT).err == ""


@pytest.mark.usefixtures("no_llvmlite", "all_is_long")
def test_for_an_engine_selected_by_name_there_is_no_hint() -> None:
    assert call(*COUNT, "--engine", "python").err == ""


@pytest.mark.usefixtures("all_is_long")
@pytest.mark.parametrize(
    ("folder", "reason"),
    [
        (lambda path: str(path / "file" / "cache"), "not a directory"),
        (lambda path: "here", "RULESENGINE_CACHE is no absolute path: `here`"),
    ],
)
def test_compiling_without_a_cache_is_reported_once_with_the_reason(
    folder: Callable[[Path], str], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("RULESENGINE_CACHE", folder(tmp_path))
    done = call(*COUNT, "--divide", "--engine", "python")
    assert done.code == 0
    (line,) = done.err.splitlines()
    assert line.startswith("rulesengine: compiling took ")
    assert " s and cannot be cached: " in line
    assert line.endswith(reason)


@pytest.mark.usefixtures("all_is_long")
@pytest.mark.parametrize("is_off", [True, False])
def test_a_cache_that_works_or_is_switched_off_is_not_reported(
    is_off: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESENGINE_CACHE", "" if is_off else str(tmp_path / "cache"))
    assert call(*COUNT, "--engine", "python").err == ""


def test_short_compilations_without_a_cache_are_not_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("RULESENGINE_CACHE", "here")
    monkeypatch.setattr(compile_log, "_LONG", 1e9)
    assert call(*COUNT, "--engine", "python").err == ""


def test_the_extra_full_is_the_sum_of_its_parts() -> None:
    import tomllib

    root = Path(__file__).parents[2]
    extras = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    parts = ("arrays", "native", "png", "progress", "web")
    assert sorted(extras["full"]) == sorted({name for part in parts for name in extras[part]})
    readme = (root / "README.md").read_text(encoding="utf-8")
    line = next(line for line in readme.splitlines() if "'.[full]'" in line)
    assert all(f"`{part}`" in line for part in parts)
    # after the output of command (1), before command (2)
    assert readme.index("run bio97-othello\n```") < readme.index(line) < readme.index("\n(2) ")
