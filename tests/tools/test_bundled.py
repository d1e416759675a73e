"""`list` reads the bundled specs once, and again when one of their texts changes."""

from pathlib import Path

import pytest

import rulesengine
from rulesengine.support import resources
from rulesengine.tools import bundled
from tests.helpers.cli_calls import call

TEXT = (resources.bundled_path("tic-tac-toe")).read_text(encoding="utf-8")
LISTED = """\
mine    Tic-tac-toe
          m: a number from 1 to 32 (default 3)
          n: a number from 1 to 32 (default 3)
          k: a number from 1 to 32 (default 3)
others  Others
          m: a number from 1 to 32 (default 3)
          n: a number from 1 to 32 (default 3)
          k: a number from 1 to 32 (default 3)
"""


@pytest.fixture
def loads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the names that are loaded, of two bundled specs, with a cache of their own."""
    (tmp_path / "mine.yaml").write_text(TEXT)
    (tmp_path / "others.yaml").write_text("extends: mine\nname: Others\n")
    (tmp_path / "cache").mkdir(mode=0o700)
    monkeypatch.setenv("RULESENGINE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(resources, "_GAMES", str(tmp_path))
    found: list[str] = []
    plain = rulesengine.load

    def load(name: str) -> object:
        found.append(name)
        return plain(name)

    monkeypatch.setattr(bundled, "load", load)
    return found


def test_the_bundled_specs_are_loaded_once(loads: list[str]) -> None:
    for words in (["list"], ["list"], ["list", "--json"]):
        assert call(*words).code == 0
    assert call("list").out == LISTED
    assert loads == ["mine", "others"]


def test_cached_list_has_the_same_json(loads: list[str]) -> None:
    first, again = call("list", "--json"), call("list", "--json")
    assert first.json() == again.json()
    assert first.json()["games"][1] == {
        "name": "others",
        "title": "Others",
        "parameters": {n: {"default": 3, "from": 1, "to": 32, "step": 1} for n in ("m", "n", "k")},
    }
    assert len(loads) == 2


@pytest.mark.slow
def test_all_are_loaded_again_when_a_text_changes(loads: list[str], tmp_path: Path) -> None:
    call("list")
    (tmp_path / "mine.yaml").write_text(
        TEXT.replace("m: {type: integer, from: 1", "m: {type: integer, from: 2")
    )
    assert "m: a number from 2 to 32 (default 3)" in call("list").out
    (tmp_path / "new.yaml").write_text("extends: mine\nname: New\n")
    assert "new     New\n" in call("list").out
    assert len(loads) == 2 + 2 + 3


def test_without_a_cache_they_are_loaded_each_time(
    loads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESENGINE_CACHE", "")
    assert call("list").out == call("list").out == LISTED
    assert len(loads) == 4
