"""Perft of kernels: every option at every depth, in one call or in parts."""

from itertools import product
from time import sleep
from typing import Any

import pytest

from rulesengine import Game, LimitError, load
from rulesengine.kernel import kernels as engine
from rulesengine.kernel.backends.registry import working
from rulesengine.kernel.selection import Engine
from rulesengine.loading import load_source
from rulesengine.source import Source

BACKENDS = tuple(backend.name for backend in working())

# One may always pass: such passes that take no ply go on until it is too many.
PASSING = """
spec: 1
name: Passing
board: {rows: 1, columns: 3}
players: [one, two]
pieces: {disc: {one: x, two: o}, empty: "."}
rules:
  moves:
    - place: disc
      to: empty
    - pass
  end:
    - when: none(empty)
      result: draw
"""

# Moves as sets and on lists, passes that are forced and that are not, ends before and after a move.
GAMES: dict[str, tuple[str, dict[str, Any], int]] = {
    "forced": ("othello", {"n": 4}, 6),
    "free": (PASSING, {}, 4),
    "sets": ("breakthrough", {"rows": 4, "columns": 2}, 5),
    "lists": ("english-draughts", {}, 4),
    "ends": ("tic-tac-toe", {}, 6),
}
OPTIONS = tuple(product(("drop", "keep"), ("ply", "free"), (True, False)))


def loaded(name: str, engine: Engine) -> Game:
    text, parameters, _ = GAMES[name]
    if text == PASSING:
        return load_source(Source("passing.yaml", text), engine=engine)
    return load(text, engine=engine, **parameters)


def counted(game: Game, depth: int, ended: Any, passes: Any, bulk: bool) -> int | str:
    try:
        return game.perft(depth, ended=ended, passes=passes, bulk=bulk)
    except LimitError as error:
        return str(error)


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", GAMES)
def test_every_option_counts_what_the_interpreter_counts(name: str, backend: Engine) -> None:
    plain, game = loaded(name, "interpreter"), loaded(name, backend)
    for depth, options in product(range(GAMES[name][2]), OPTIONS):
        assert counted(game, depth, *options) == counted(plain, depth, *options), (depth, options)


@pytest.mark.parametrize(
    ("seconds", "calls"), [(60.0, {5: 1, 6: 1, 7: 1}), (-1.0, {5: 0, 6: 0, 7: 0})]
)
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_count_is_made_in_one_call_where_it_is_short(
    backend: Engine, seconds: float, calls: dict[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "_SHORT", seconds)
    game, whole = load("tic-tac-toe", engine=backend), []
    ask = engine.Kernels._ask

    def asked(self: Any, part: Any, name: str, state: Any, *more: int) -> Any:
        whole.append((state == game.initial_state(), *more[:1]))
        return ask(self, part, name, state, *more)

    monkeypatch.setattr(engine.Kernels, "_ask", asked)
    for depth, times in calls.items():
        assert game.perft(depth) == {5: 15120, 6: 54720, 7: 148176}[depth]
        assert whole.count((True, depth)) == times
        whole.clear()


def test_a_count_whose_shallower_ones_fail_or_take_long_is_not_short() -> None:
    assert engine._is_short(lambda depth: 1, 9)
    assert not engine._is_short(lambda depth: None, 9)
    assert not engine._is_short(lambda depth: 0, 9)
    asked: list[int] = []

    def slow(depth: int) -> int:
        asked.append(depth)
        sleep(0.2 if depth == 3 else 0)
        return 1 << depth

    assert not engine._is_short(slow, 9)
    assert asked == [1, 2, 3]
