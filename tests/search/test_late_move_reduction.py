"""Late moves are reduced and forced ones extended: certain results do not change."""

from collections.abc import Iterator
from typing import Any

import pytest

import rulesengine
from rulesengine import Game
from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.random import Generator
from rulesengine.engine.drivers.search.result import WIN, Budget, Settings
from rulesengine.search.searches import start_search
from rulesengine.state import State

SIZES: dict[str, dict[str, Any]] = {
    "breakthrough": {"rows": 5, "columns": 3},
    "connect-four": {"rows": 4, "columns": 4},
}


def played(game: Game, seed: int) -> Iterator[State]:
    """Yield the unfinished positions of a random game."""
    state, draw = game.initial_state(), Generator(seed, 0)
    while moves := game.legal_moves(state):
        yield state
        state = game.apply(state, moves[draw.among([1] * len(moves))])


@pytest.mark.deep
@pytest.mark.parametrize("name", SIZES)
def test_proven_distance_is_an_upper_bound(name: str) -> None:
    game, further = rulesengine.load(name, engine="native", **SIZES[name]), 0
    bounds = 0
    for seed in range(4):
        for state in list(played(game, seed))[3::3]:
            found = game.search(state, nodes=300)
            if found.unit != "plies" or not found.value:
                continue
            solved, plies = game.solve(state), WIN - abs(found.value)
            assert solved.value == ("win" if found.value > 0 else "loss")
            assert solved.distance is not None
            assert solved.distance <= plies
            bounds, further = bounds + 1, further + (plies > found.depth)
    assert bounds > 1
    assert further > 0  # quiescence search went past the last ply


@pytest.mark.slow
def test_so_many_positions_look_deeper_than_a_search_by_plies() -> None:
    game = rulesengine.load("breakthrough", engine="native")
    found = game.search(nodes=200_000)
    assert game.search(plies=found.depth).nodes > found.nodes


def test_a_search_with_plies_has_all_of_them() -> None:
    game = rulesengine.load("breakthrough", engine="python", rows=5, columns=4)
    for state in list(played(game, 1))[::4]:
        both, plies = game.search(state, plies=3, nodes=10**6), game.search(state, plies=3)
        assert (both.moves, both.nodes) == (plies.moves, plies.nodes)


def test_searches_by_plies_share_no_table_with_those_by_time() -> None:
    game = rulesengine.load("connect-four", engine="interpreter")
    state, how = game.initial_state(), Settings(1, keeps=True)
    dispatcher = Dispatcher(game.machine, "interpreter")
    tables = [
        start_search(dispatcher, state, 7, budget, how).table  # type: ignore[attr-defined]
        for budget in (Budget(seconds=1), Budget(plies=3), Budget(seconds=2), Budget(plies=4))
    ]
    assert tables[0] is tables[2]
    assert tables[1] is tables[3]
    assert tables[0] is not tables[1]
