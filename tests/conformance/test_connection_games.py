"""Games of connecting sides, against OpenSpiel at every ply."""

import pytest

import rulesengine
from tests.helpers.authorities import Source, replay
from tests.oracles import openspiel

SIDES = "joined the three sides"
SHAPES = frozenset({"a ring", "a bridge", "a fork"})
SOURCES = [
    Source(openspiel.random_game, "y-4", "y", 100, frozenset({SIDES}), {"n": 4}),
    Source(openspiel.random_game, "y-11", "y", 100, frozenset({SIDES})),
    Source(openspiel.random_game, "havannah-3", "havannah", 100, SHAPES - {"a ring"}, {"n": 3}),
    Source(openspiel.random_game, "havannah-8", "havannah", 100, SHAPES),
]


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_a_random_game_agrees_with_openspiel_at_every_ply(source: Source) -> None:
    replay(rulesengine.load(source.ours, **source.parameters), source.games(source.name, 1000))


@pytest.mark.deep
@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_many_random_games_agree_with_openspiel_at_every_ply(source: Source) -> None:
    source.compare(source.count)
