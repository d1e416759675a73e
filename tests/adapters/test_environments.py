"""Environments of PettingZoo and Gymnasium, by their own tests."""

import copy
import pickle
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rulesengine import UsageError, load
from rulesengine.support.resources import bundled_names

pytest.importorskip("pettingzoo", reason="the extra `rl` is not installed")

from gymnasium import spaces
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import (
    api_test,
    parallel_api_test,
    parallel_seed_test,
    seed_test,
)
from pettingzoo.test.max_cycles_test import max_cycles_test

from rulesengine.adapters import gymnasium as gym
from rulesengine.adapters import pettingzoo as zoo
from rulesengine.adapters.spaces import Actions

# Together these have a chain, chance, three players, hidden cards and hidden choices.
QUICK = frozenset(
    {"tic-tac-toe", "pig", "three-player-tic-tac-toe", "kuhn-poker", "rock-paper-scissors"}
)
CYCLES = 60
SKIP: Any = "skip"


def games() -> list[Any]:
    return [
        pytest.param(name, marks=() if name in QUICK else (pytest.mark.deep,))
        for name in bundled_names()
    ]


@contextmanager
def without_warnings() -> Iterator[None]:
    """Ignore warnings of the libraries' own tests, such as one about the mask of a player who is
    not to move.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.slow
@pytest.mark.parametrize("name", games())
def test_a_game_passes_the_tests_of_pettingzoo(name: str) -> None:
    options: dict[str, Any] = {"engine": "interpreter"}
    with without_warnings():
        api_test(zoo.env(name, **options), CYCLES)
        parallel_api_test(zoo.parallel_env(name, **options), CYCLES)
        seed_test(partial(zoo.env, name, **options), CYCLES)
        parallel_seed_test(partial(zoo.parallel_env, name, **options), CYCLES)


@pytest.mark.parametrize("name", games())
def test_a_game_passes_the_test_of_gymnasium(name: str) -> None:
    with without_warnings():
        check_env(gym.make(name, engine="interpreter"))


# Games with alternating players, one step each, in which no game ends within four rounds.
@pytest.mark.parametrize("name", ["connect-five", "othello", "go", "hex"])
def test_a_game_is_cut_off_after_so_many_rounds(name: str) -> None:
    options: dict[str, Any] = {"engine": "interpreter", "illegal": "draw"}
    in_turn = partial(zoo.env, name, **options)
    at_once = partial(zoo.parallel_env, name, **options)
    with without_warnings():
        max_cycles_test(SimpleNamespace(env=in_turn, parallel_env=at_once))


# rewards, opponents, pictures


def test_samples_are_those_of_the_space_that_ours_is_one_of() -> None:
    ours, theirs = Actions(5, seed=3), spaces.Discrete(5, seed=3)
    draw = np.random.default_rng(4)
    for number in range(60):
        mask = draw.integers(2, size=5, dtype=np.int8) * (number % 7 > 0)
        one, other = ours.sample(mask), theirs.sample(mask)
        assert (one, type(one)) == (other, type(other))
    assert ours.sample() == theirs.sample()
    weights = np.array([0, 0, 0.5, 0.5, 0])
    assert ours.sample(probability=weights) == theirs.sample(probability=weights)
    assert pickle.loads(pickle.dumps(ours)) == ours == theirs
    for wrong in (np.array([0, 1, 2, 0, 0], np.int8), np.ones(4, np.int8), np.ones(5), [1] * 5):
        with pytest.raises(AssertionError, match="sample mask"):
            ours.sample(wrong)
    with pytest.raises(ValueError, match="Only one"):
        ours.sample(np.ones(5, np.int8), weights)


def test_players_in_turn_get_their_payoffs_at_the_end() -> None:
    env = zoo.env("tic-tac-toe", engine="interpreter")
    env.reset()
    for action in (0, 3, 1, 4, 2):
        seen, reward, terminated, _, _ = env.last()
        assert seen["action_mask"][action]
        assert (reward, terminated) == (0, False)
        env.step(action)
    assert env.rewards == {"cross": 1.0, "nought": -1.0}
    assert all(env.terminations.values())


def test_observations_are_immutable_and_copies_independent() -> None:
    env = zoo.env("tic-tac-toe", engine="interpreter")
    env.reset()
    first = env.observe("cross")
    env.step(4)
    other, later = copy.deepcopy(env), pickle.loads(pickle.dumps(env))
    assert first["observation"][:2].sum() == 0
    assert first["action_mask"].tolist() == [1] * 9
    env.step(0)
    for one in (other, later):
        assert one.observe("nought")["action_mask"].tolist() == [1] * 4 + [0] + [1] * 4
        one.step(8)
        assert one.observe("cross")["observation"][:2].tolist() == [
            [0] * 4 + [1] + [0] * 4,
            [0] * 8 + [1],
        ]
    assert env.observe("cross")["observation"][1].tolist() == [1] + [0] * 8


def test_illegal_action_costs_its_player() -> None:
    env = zoo.env("tic-tac-toe", engine="interpreter")
    env.reset()
    env.step(4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env.step(4)
    assert env.rewards == {"cross": 0.0, "nought": -1.0}
    at_once = zoo.parallel_env("tic-tac-toe", engine="interpreter")
    at_once.reset()
    at_once.step({"cross": 4, "nought": 0})
    _, rewards, over, _, _ = at_once.step({"cross": 0, "nought": 4})
    assert rewards == {"cross": 0.0, "nought": -1.0}
    assert over == {"cross": True, "nought": True}


def test_a_player_has_its_own_environment() -> None:
    # A strategy of the spec, a function and random play; the player may be the second.
    first = gym.make(
        "tic-tac-toe",
        lambda session: session.legal_moves[0],
        player="nought",
        engine="interpreter",
    )
    seen, info = first.reset(seed=1)
    assert info["action_mask"].tolist() == [0] + [1] * 8
    assert seen["observation"][1].tolist() == [1] + [0] * 8
    assert first.step(8)[1:3] == (0.0, False)
    # a3, b3, c3 are a line of the opponent's.
    assert first.step(7)[1:3] == (-1.0, True)
    assert first.single.underway.payoffs == [1, -1]
    random = gym.make("tic-tac-toe", engine="interpreter")
    one, two = random.reset(seed=5)[0], random.reset(seed=5)[0]
    assert np.array_equal(one["observation"], two["observation"])
    assert random.action_masks().sum() == 9
    assert random.step(99)[1:3] == (-1.0, True)


def test_many_games_are_one_environment() -> None:
    many = gym.make_vec("pig", 8, seed=2, engine="interpreter")
    _, info = many.reset()
    for _ in range(20):
        actions = info["action_mask"].argmax(axis=1)
        seen, rewards, over, _, info = many.step(actions)
        assert (many.batch.mover != -1).all()
        assert not info["illegal"].any()
        assert many.observation_space.contains(seen)
    before = many.batch.plies.copy()
    assert many.step(np.full(8, 7))[4]["illegal"].all()
    assert np.array_equal(many.batch.plies, before)
    pairs = gym.make_vec("tic-tac-toe", 2, engine="interpreter")
    pairs.reset()
    for actions in ([0, 0], [3, 1], [1, 3], [4, 2], [2, 4]):
        _, rewards, over, _, _ = pairs.step(actions)
    # Cross has a line in the first game.
    assert rewards.tolist() == [1.0, 0.0]
    assert over.tolist() == [True, False]
    _, rewards, over, _, _ = pairs.step([8, 8])
    assert rewards.tolist() == [0.0, 0.0]
    assert pairs.batch.plies.tolist() == [0, 6]


def test_an_environment_is_drawn_as_the_game_is() -> None:
    env = zoo.env("tic-tac-toe", render_mode="ansi", engine="interpreter")
    env.reset()
    assert env.render() == str(load("tic-tac-toe").initial_state())
    drawn = gym.make("tic-tac-toe", render_mode="svg", engine="interpreter")
    drawn.reset()
    assert drawn.render() == load("tic-tac-toe").svg()


def test_an_environment_has_colours() -> None:
    pytest.importorskip("resvg_py", reason="the extra `png` is not installed")
    env = gym.make("tic-tac-toe", render_mode="rgb_array", engine="interpreter")
    env.reset()
    pixels = env.render()
    assert pixels.dtype == np.uint8
    assert pixels.ndim == 3
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 2
    assert pixels[0, 0].tolist() == [255, 255, 255]  # dark labels are on a white ground


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: gym.make("tic-tac-toe", "minimax"),
            "unknown player `minimax`: expected one of random",
        ),
        (lambda: gym.make("tic-tac-toe", player="x"), "no player `x`: there is cross, nought"),
        (lambda: gym.make("tic-tac-toe", render_mode="human"), "a render mode is one of `svg`"),
        (lambda: zoo.env("tic-tac-toe", illegal=SKIP), "`illegal` is `end` or `draw`"),
        (lambda: gym.make_vec("tic-tac-toe", 0), "number of games is at least 1"),
    ],
)
def test_environments_that_cannot_be_are_refused(make: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        make()


def begun(env: Any) -> Any:
    env.reset()
    return env


def answered(answer: object) -> Any:
    """Return the environment of one player; the opponent always returns this answer."""
    chooser: Any = lambda session: answer  # noqa: E731
    return begun(gym.make("tic-tac-toe", chooser, engine="interpreter"))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: zoo.env("tic-tac-toe").last(), "reset the environment first"),
        (lambda: zoo.env("tic-tac-toe").step(0), "reset the environment first"),
        (lambda: zoo.parallel_env("tic-tac-toe").step({}), "reset the environment first"),
        (lambda: begun(zoo.env("tic-tac-toe")).step(None), "a whole number, found None"),
        (lambda: begun(zoo.env("tic-tac-toe")).step(1.5), r"a whole number, found 1\.5"),
        (lambda: begun(zoo.parallel_env("tic-tac-toe")).step({}), "an action of `cross`, found"),
        (lambda: begun(gym.make("tic-tac-toe")).step("a1"), "a whole number, found 'a1'"),
        (lambda: answered(None).step(4), "expected a move of nought, found None"),
        (lambda: answered("b2").step(4), "the opponent nought fails: `b2` is not legal for nought"),
        (lambda: gym.make_vec("tic-tac-toe", 2).step([0]), "an action for each game"),
        (lambda: gym.make_vec("tic-tac-toe", 2).reset(seed=[1]), "expected 2 seeds, found 1"),
        (lambda: gym.make_vec("tic-tac-toe", 2).reset(seed="x"), "the seed is a whole number"),
    ],
)
def test_wrong_use_of_environments_is_reported(call: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        call()


def test_each_of_many_games_may_have_a_seed() -> None:
    one, other = (gym.make_vec("tic-tac-toe", 3, engine="interpreter") for _ in range(2))
    one.reset(seed=[5, 6, 7])
    other.reset(seed=6)
    drawn, same = one.batch.sample(), other.batch.sample()
    assert drawn[1] == same[1]
    one.reset(seed=[8, 6, 9])
    assert one.batch.sample()[1] == drawn[1]
