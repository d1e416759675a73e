"""Benchmarks of random games on a device."""

import json
from typing import Any

import pytest

import rulesengine
from rulesengine import Game, InternalError
from rulesengine.tools.doctor.device_bench import COMPARED, measure_device
from tests.helpers.cli_calls import call


@pytest.fixture(scope="module")
def tic() -> Game:
    return rulesengine.load("tic-tac-toe", engine="python")


def test_random_games_are_measured_and_compared(tic: Game) -> None:
    found = measure_device(tic, "cpu", 0.01)
    assert (found.device, found.games, found.compared) == ("cpu", COMPARED, COMPARED)
    assert found.checksum == tic.playouts(COMPARED).checksum
    assert found.rates
    assert all(rate > 0 for rate in found.rates)


def test_other_games_of_a_device_are_a_bug(tic: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    own = Game.playouts

    def other(game: Game, games: int, **options: Any) -> Any:
        return own(game, games, seed=int("device" in options))

    monkeypatch.setattr(Game, "playouts", other)
    with pytest.raises(InternalError, match="1024 random games"):
        measure_device(tic, "cpu", 0.01)


def test_the_command_has_a_row_for_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    own = Game.playouts

    def on_cpu(game: Game, games: int, *, device: str = "cpu", **options: Any) -> Any:
        return own(game, games, **options)

    monkeypatch.setattr(Game, "playouts", on_cpu)
    words = ("bench", "tic-tac-toe", "--engine", "interpreter", "--seconds", "0.1")
    found = json.loads(call(*words, "--device", "cuda", "--json").out)["device"]
    assert (found["name"], found["games"] >= COMPARED, found["rate"] > 0) == ("cuda", True, True)
    shown = call(*words, "--device", "cuda").out
    assert f"the first 1024 are those of the CPU (checksum {found['checksum']})" in shown
    assert "device" not in json.loads(call(*words, "--json").out)


def test_auto_without_a_gpu_is_reported_as_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    reason = "no device `cuda`: no driver"
    monkeypatch.setattr(Game, "engine_problems", property(lambda game: {("cuda", "lanes"): reason}))
    shown = call(*"bench tic-tac-toe --engine interpreter --seconds 0.1 --device auto".split())
    assert f"no random games on a GPU: {reason}" in shown.err
    assert "random games by cpu: " in shown.out
