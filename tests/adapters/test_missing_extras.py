"""Arrays and environments without their extras: the error message names the extra to install."""

import importlib
import importlib.util
import sys
from typing import Any

import pytest

from rulesengine import load
from rulesengine.errors import UsageError


def missing(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Simulate that these packages are not installed."""
    plain = importlib.util.find_spec

    def find_spec(name: str, package: str | None = None) -> Any:
        return None if name in names else plain(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", find_spec)
    for name in names:
        monkeypatch.setitem(sys.modules, name, None)


def test_a_batch_without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    missing(monkeypatch, "numpy")
    with pytest.raises(UsageError, match="batches need numpy: install the extra `arrays` of"):
        load("tic-tac-toe").batch(2)


@pytest.mark.parametrize(
    ("bridge", "package", "message"),
    [
        ("gymnasium", "gymnasium", "environments of Gymnasium need the extra `rl` of this"),
        ("pettingzoo", "pettingzoo", "environments of PettingZoo need the extra `rl` of this"),
        ("openspiel", "pyspiel", "OpenSpiel needs the extra `openspiel`"),
    ],
)
def test_a_bridge_without_the_other_side(
    bridge: str, package: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"rulesengine.bridges.{bridge}"
    missing(monkeypatch, package)
    for loaded in (name, f"rulesengine.adapters.{bridge}"):  # later tests import them again
        monkeypatch.setitem(sys.modules, loaded, sys.modules.get(loaded, importlib))
        monkeypatch.delitem(sys.modules, loaded)
    with pytest.raises(UsageError, match=message):
        importlib.import_module(name)
