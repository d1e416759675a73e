"""Environments of PettingZoo and Gymnasium, by their own tests."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from rulesengine.resources import bundled_names

pytest.importorskip("pettingzoo", reason="the extra `rl` is not installed")

from gymnasium.utils.env_checker import check_env
from pettingzoo.test import (
    api_test,
    parallel_api_test,
    parallel_seed_test,
    seed_test,
)
from pettingzoo.test.max_cycles_test import max_cycles_test

from rulesengine.bridges import gymnasium as gym
from rulesengine.bridges import pettingzoo as zoo

# Between them: a chain, chance, three players.
QUICK = frozenset({"tic-tac-toe", "pig", "three-player-tic-tac-toe"})
CYCLES = 60


def games() -> list[Any]:
    return [
        pytest.param(name, marks=() if name in QUICK else (pytest.mark.deep,))
        for name in sorted(bundled_names())
    ]


@contextmanager
def advice_left_aside() -> Iterator[None]:
    """Their tests warn of what may be meant so, such as a mask of a player who is not to move."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("name", games())
def test_a_game_passes_the_tests_of_pettingzoo(name: str) -> None:
    options: dict[str, Any] = {"engine": "interpreter"}
    with advice_left_aside():
        api_test(zoo.env(name, **options), CYCLES)
        parallel_api_test(zoo.parallel_env(name, **options), CYCLES)
        seed_test(partial(zoo.env, name, **options), CYCLES)
        parallel_seed_test(partial(zoo.parallel_env, name, **options), CYCLES)


@pytest.mark.parametrize("name", games())
def test_a_game_passes_the_test_of_gymnasium(name: str) -> None:
    with advice_left_aside():
        check_env(gym.make(name, engine="interpreter"))


# Those whose players move by turns, a step each, and that no one ends within four rounds.
@pytest.mark.parametrize("name", ["connect-five", "othello", "go", "hex"])
def test_a_game_is_cut_off_after_so_many_rounds(name: str) -> None:
    options: dict[str, Any] = {"engine": "interpreter", "illegal": "draw"}
    in_turn = partial(zoo.env, name, **options)
    at_once = partial(zoo.parallel_env, name, **options)
    with advice_left_aside():
        max_cycles_test(SimpleNamespace(env=in_turn, parallel_env=at_once))
