"""Kernels of other processors play the random games of this one: levels of x86-64, and AArch64."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llvmlite", reason="native kernels need the extra `native`")

import llvmlite.binding as llvm

import rulesengine
from rulesengine import Game
from rulesengine.engine.kernel.backends.native import build
from rulesengine.engine.kernel.backends.native.engine import Native
from rulesengine.engine.kernel.backends.native.target import Target, host, is_x86
from rulesengine.engine.kernel.backends.native_backend import NativeBackend
from rulesengine.engine.kernel.emission import emitted
from rulesengine.loading import load_source
from rulesengine.support.source import Source
from tests.engine.test_kernel_targets import TARGETS
from tests.helpers.emulated import Emulator

GAMES = 20
# Boards in one word, with gaps, in two words, in rows; chains, groups, lines, chance, stacks.
NAMES = (
    "amazons",
    "backgammon",
    "chess",
    "chinese-checkers",
    "connect-four",
    "english-draughts",
    "go",
    "gonnect",
    "gomoku",
    "havannah",
    "hex",
    "kalah",
    "othello",
    "othello-holes",
    "pente",
    "rows: 12, columns: 80",
    "shape: triangle, size: 30",
)
WIDE = """\
spec: 1
name: Five
board: {%s}
players: [black, white]
pieces: {stone: {black: x, white: o}, empty: "."}
rules:
  moves: {place: stone, to: empty, do: "remove enemy minus fill(enemy touching empty, enemy)"}
  end:
    - when: any(line(own, at least 5)) or any(fill(own and edge, own) and corners)
      result: player wins
    - {when: plies >= 800, result: draw}
"""
ARM = Emulator(TARGETS["aarch64"], "aarch64-linux-gnu-gcc", "qemu-aarch64")
LEVELS = ("x86-64-v2", "x86-64-v3", "x86-64-v4")


@pytest.fixture(scope="module", autouse=True)
def all_targets() -> None:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()


def game_of(name: str) -> Game:
    """Return a bundled game, or five in a row on a board with other rows."""
    if ":" not in name:
        return rulesengine.load(name, engine="native")
    return load_source(Source("wide.yaml", WIDE % name), engine="native")


def played(name: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, list[Any], list[int]]:
    """Return the code of random games, the arguments of a call, and the words that it returns."""
    calls: list[tuple[Sequence[Any], Any]] = []
    real = Native.call

    def call(self: Native, entry: str, args: Sequence[Any]) -> Any:
        found = real(self, entry, args)
        if entry == "playouts":
            calls.append((args, found))
        return found

    monkeypatch.setattr(Native, "call", call)
    game = game_of(name)
    result = game.playouts(GAMES, seed=5)
    monkeypatch.undo()
    totals = [sum(column) for column in zip(*(found for _, found in calls), strict=True)]
    assert totals[-1] % 2**64 == result.checksum
    args = list(calls[0][0])
    args[-3] = GAMES
    module = emitted(game.machine, "playouts", NativeBackend.seats)
    return module, args, [total % 2**64 for total in totals]


@pytest.mark.deep
@pytest.mark.skipif(bool(ARM.missing()), reason=f"not installed: {ARM.missing()}")
@pytest.mark.parametrize("name", NAMES)
def test_aarch64_plays_the_games_of_this_processor(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    module, args, wanted = played(name, monkeypatch)
    assert ARM.call(module, "playouts", [*args[:-1], 0], tmp_path) == wanted


@pytest.mark.skipif(not is_x86(), reason="this processor is no x86-64")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=pytest.mark.slow if n == "hex" else pytest.mark.deep) for n in NAMES],
)
def test_levels_of_x86_play_the_same_games(
    name: str, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    target: Target = TARGETS[level]
    if not host().features >= target.features - {"sahf", "xsave"}:
        pytest.skip(f"this processor is below {level}")
    module, args, wanted = played(name, monkeypatch)
    found = build.native(module, target=target).call("playouts", args)
    assert found is not None
    assert [total % 2**64 for total in found] == wanted
