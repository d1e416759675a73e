"""Perft in kernels: every option at every depth, split where one call cannot go so deep.

Random games too, interleaved by the number that the kernel chooses.
"""

from itertools import product
from typing import Any

import pytest

from rulesengine import Game, LimitError, load
from rulesengine.engine.kernel.backends.registry import backend_by_name, working
from rulesengine.engine.kernel.kernels import Kernels
from rulesengine.engine.kernel.selection import Engine
from rulesengine.job import Job
from rulesengine.loading import load_source
from rulesengine.support.source import Source

BACKENDS = tuple(backend.name for backend in working())

# One may always pass: such passes take no ply and go on until they exceed the limit.
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

ROW = """
spec: 1
name: Row
board: {rows: 1, columns: 202}
players: [one, two]
pieces: {disc: {one: x, two: o}, empty: "."}
rules:
  moves:
    place: disc
    to: empty
  keep: [leftmost]
  end:
    - when: none(empty)
      result: draw
"""

# Moves as sets and as lists, forced and optional passes, ends before and after a move.
GAMES: dict[str, tuple[str, dict[str, Any], int]] = {
    "forced": ("othello", {"n": 4}, 5),
    "free": (PASSING, {}, 4),
    "sets": ("breakthrough", {"rows": 4, "columns": 2}, 5),
    "lists": ("english-draughts", {}, 3),
    "ends": ("tic-tac-toe", {"m": 3, "n": 2, "k": 2}, 6),
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


@pytest.mark.usefixtures("in_haste")
@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", GAMES)
def test_perft_options_match_the_interpreter(name: str, backend: Engine) -> None:
    plain, game = loaded(name, "interpreter"), loaded(name, backend)
    for depth, options in product(range(GAMES[name][2]), OPTIONS):
        assert counted(game, depth, *options) == counted(plain, depth, *options), (depth, options)


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("depth", [201, 203])
def test_a_count_that_is_too_deep_for_a_kernel_is_made_in_parts(
    backend: Engine, depth: int
) -> None:
    """Fill the cells of a row from the left: there is one line of play, with one ply a cell."""
    game = load_source(Source("row.yaml", ROW), engine=backend)
    assert [game.perft(depth), game.perft(depth, ended="keep")] == [int(depth < 203), 1]


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", ["tic-tac-toe", "clobber"])
def test_random_games_are_the_same_however_many_there_are(name: str, backend: Engine) -> None:
    game, row = load(name, engine="interpreter"), backend_by_name(backend)
    assert row is not None
    kernels = Kernels(game.machine, row)
    part = kernels.part("playouts")
    words = kernels.words(game.initial_state(), part)

    def played(first: int, count: int) -> list[int]:
        found = part.call("playouts", (*words, first, count, 3, (job := Job()).control_block()))
        assert found is not None
        assert job.done == count
        return [int(number) for number in found]

    alone = [played(number, 1) for number in range(5, 705)]
    for few in (alone[:0], alone[:6], alone):
        *numbers, checksum = [sum(column) for column in zip(*few, strict=True)] or [0] * 6
        assert played(5, len(few)) == [*numbers, checksum % 2**64]
