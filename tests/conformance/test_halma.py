"""Halma against a program that finds jumps depth first, written from the rules."""

from functools import partial

import pytest

import rulesengine
from tests.helpers.authorities import Source, replay
from tests.oracles import plain_jumping
from tests.oracles.plain_jumping import Jumping, count

HOME = "all men are in the camp opposite"
SOURCES = [
    Source(plain_jumping.random_game, "8", "halma", 10, frozenset({HOME})),
    Source(plain_jumping.random_game, "10", "halma", 5, frozenset({HOME}), {"n": 10}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("n", "deepest"), [(8, 2), (10, 2), (16, 2)])
def test_the_first_moves_are_as_many_as_another_program_counts(n: int, deepest: int) -> None:
    game = rulesengine.load("halma", n=n)
    for depth in range(1, deepest + 1):
        assert game.perft(depth) == count(Jumping(n), depth)


@pytest.mark.deep
@pytest.mark.parametrize("n", [8, 10, 16])
def test_the_first_three_plies_are_as_many_as_another_program_counts(n: int) -> None:
    assert rulesengine.load("halma", n=n).perft(3) == count(Jumping(n), 3)


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_a_random_game_agrees_at_every_ply(source: Source) -> None:
    replay(rulesengine.load("halma", **source.parameters), source.games(source.name, 0))


@pytest.mark.deep
@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_many_random_games_agree_at_every_ply(source: Source) -> None:
    source.compare(source.count)


@pytest.mark.slow
def test_a_game_of_random_moves_agrees_to_its_last_move() -> None:
    games = partial(plain_jumping.random_game, limit=60)
    assert replay(rulesengine.load("halma", limit=60), games("8", 1)) == "too many moves"
