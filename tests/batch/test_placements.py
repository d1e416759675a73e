"""Batches of games with placements and passes alone: masks from sets, moves by cells."""

import numpy as np
import pytest

from rulesengine import Game
from rulesengine.batch.placement_tables import PlacementTables
from rulesengine.engine.drivers.batch import layout as at
from rulesengine.engine.drivers.batch.placements import placing_group
from rulesengine.engine.kernel.backends.registry import working
from rulesengine.loading import load_source
from rulesengine.support.resources import bundled_names
from rulesengine.support.source import Source
from rulesengine.support.words import step_parts
from tests.batch.test_batches import alike, as_defined, load

pytestmark = pytest.mark.usefixtures("in_haste")
ENGINES = ("interpreter", *(backend.name for backend in working()))

HEAD = """spec: 1
name: Placements
board: {{rows: {rows}, columns: 9}}
players: [first, second]
pieces: {{stone: {{first: x, second: o}}, empty: "."}}
rules:
  moves:
{moves}
  end:
    - {{when: "any(line(own, at least 4))", result: player wins, reason: line}}
    - {{when: not any(empty), result: draw, reason: full}}
"""
PLAIN = """    - place: stone
      to: empty
"""
PASSING = PLAIN + "    - pass\n"
# Some cells are no targets, so that actions are no cells.
FEWER = """    - place: stone
      to: empty and not (top or left)
    - otherwise
    - pass
"""
BANNED = """    - place: stone
      to: empty
      forbid: "any(line(own, at least 3)) or count(empty) = 4"
    - otherwise
    - pass
"""
SWAPPING = (
    PLAIN
    + """    - swap: sides
      when: count(occupied) = 1
"""
)
TWO = """    - place: stone
      to: empty and top
    - otherwise
    - place: stone
      to: empty
"""


def game_of(moves: str, rows: int, engine: str = "interpreter") -> Game:
    text = HEAD.format(rows=rows, moves=moves.rstrip())
    return load_source(Source("placements.yaml", text), engine=engine)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("moves", "rows", "by_cell"),
    [
        (PLAIN, 2, True),
        (PASSING, 8, True),
        (FEWER, 3, False),
        (BANNED, 2, True),
        (SWAPPING, 2, True),
    ],
)
def test_generated_games_are_those_of_the_interpreter(
    moves: str, rows: int, by_cell: bool, engine: str
) -> None:
    games = game_of(moves, rows), game_of(moves, rows, engine)
    one, other = (game.batch(3, seed=4, restart=True) for game in games)
    other._work._functions = other._functions if engine == "interpreter" else None  # type: ignore[assignment]
    assert games[0].actions.cells == rows * 9
    assert (one._own.numbers[at.BY_CELL] > 0) == by_cell
    draw = np.random.default_rng(1)
    for ply in range(40):
        alike(one, other)
        if ply % 8 == 0:
            as_defined(games[0], other)
        actions = one.sample()
        assert np.array_equal(actions, other.sample())
        if ply % 2:
            wishes = np.where(one.mask, draw.random(one.mask.shape), -1)
            actions = np.where(one.over, -1, wishes.argmax(axis=1))
        assert not one.step(actions).size
        assert not other.step(actions).size
    refused = other.step(np.full(3, len(games[0].actions)))
    assert refused.tolist() == np.flatnonzero(~one.over).tolist()


@pytest.mark.parametrize("moves", [TWO, SWAPPING + "    - pass\n"])
def test_moves_of_other_groups_are_listed(moves: str) -> None:
    assert game_of(moves, 2).actions.cells == 0


@pytest.mark.deep
def test_bundled_games_of_placements_have_one_step_for_each_cell() -> None:
    found = 0
    for name in bundled_names():
        game = load(name)
        if placing_group(game.program) is None:
            continue
        found += 1
        words = list(game.actions.words())
        cells = [step_parts(step)[1:] for step, _, _ in words]
        assert all(choice < 0 for _, choice, _ in words), name
        assert all(way < 0 and origin < 0 for way, origin, _ in cells), name
        assert len({target for *_, target in cells}) == len(words), name
        assert len(words) == len(game.actions), name
        assert PlacementTables(game.actions.cells, len(words), words).size > 0
    assert found > 20
