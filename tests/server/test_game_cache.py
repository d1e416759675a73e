"""The engines of the games in a worker of the page."""

from pathlib import Path

import pytest

from rulesengine import load
from rulesengine.language.rules_cache import KernelCache
from rulesengine.server.web.game_cache import GameCache
from rulesengine.server.web.request_fields import PositionRequest
from rulesengine.server.web.worker_environment import without_cache
from rulesengine.support.resources import bundled_path

TEXT = bundled_path("tic-tac-toe").read_text("utf-8")


@pytest.mark.parametrize("spec", [{"text": TEXT}, {"name": "tic-tac-toe"}], ids=["text", "bundled"])
def test_a_game_that_is_searched_has_every_engine(spec: dict[str, str]) -> None:
    request = PositionRequest.of({"spec": spec})
    assert GameCache().game(request, ahead=True).engine == "auto"


def test_a_text_that_is_only_shown_is_interpreted() -> None:
    assert GameCache().game(PositionRequest.of({"spec": {"text": TEXT}})).engine == "interpreter"


def test_kernels_of_a_text_are_not_cached_when_the_cache_is_on_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESENGINE_CACHE", str(tmp_path / "cache"))
    key = bytes(32)
    with without_cache():
        off = KernelCache()
    off.put("kernel", key, b"code")
    assert off.get("kernel", key) is None
    on = KernelCache()
    assert not on.has("kernel", key)
    on.put("kernel", key, b"code")
    assert on.get("kernel", key) == b"code"
    assert off.get("kernel", key) is None
    assert load("tic-tac-toe", engine="python").perft(2) == 72


def test_a_line_of_a_game_that_hides_something_has_the_knowledge_of_each_viewer() -> None:
    text = TEXT.replace("rules:\n", "rules:\n  sees: {cells: own or empty}\n")
    request = PositionRequest.of({"spec": {"text": text}, "moves": ["a1"]})
    cross, nought, spectator = GameCache().line(request).knowledge
    assert (cross.player, nought.player, spectator.player) == ("cross", "nought", None)
    assert "move a1" in cross.events
    assert "move a1" not in (*nought.events, *spectator.events)
    assert GameCache().line(PositionRequest.of({"spec": {"text": TEXT}})).knowledge == ()
