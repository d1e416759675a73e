"""Environments of games with hidden information: outputs depend on observations alone."""

import copy
import pickle
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rulesengine
from rulesengine import State
from rulesengine.contests import PlayerView
from tests.helpers.hidden_states import HIDDEN_NAMES, PAIRS, SMALLER, mixed, random_states

pytest.importorskip("pettingzoo", reason="the extra `rl` is not installed")

from rulesengine.adapters import gymnasium as gym
from rulesengine.adapters import pettingzoo as zoo

QUICK = ("goofspiel", "kuhn-poker", "liars-dice", "phantom-tic-tac-toe")
CASES = [
    pytest.param(name, marks=() if name in QUICK else pytest.mark.deep) for name in HIDDEN_NAMES
]
VALUES: dict[str, dict[str, Any]] = {**SMALLER, "goofspiel": {"n": 4}}
GAMES, STEPS = 6, 40


def content(observation: dict[str, Any]) -> object:
    return tuple((name, array.tobytes()) for name, array in sorted(observation.items()))


def with_state(env: Any, state: State, agent: str) -> dict[str, Any]:
    """Return an observation of an environment in another state; the environment stays as it is."""
    underway = env.single.underway
    position, memory = underway.position, underway.alone
    assert state.packed is not None
    record = position.record[: memory.begin] + state.packed
    memory.put(record, position.shown, position.past)
    memory.show()
    seen: dict[str, Any] = env.observe(agent)
    underway.put(position)
    return seen


@pytest.mark.parametrize("name", CASES)
def test_outputs_of_an_environment_in_turn_depend_on_observations_alone(name: str) -> None:
    env: Any = zoo.env(name, engine="interpreter", render_mode="ansi", **VALUES.get(name, {}))
    game, shown = env.single.game, dict[object, object]()
    draw = random.Random(1)
    states, changes = random_states(game, draw, 60), 0
    for seed in range(GAMES):
        env.reset(seed=seed)
        for player in env.possible_agents:
            env.action_space(player).seed(seed)
        for _ in range(STEPS):
            state = env.single.underway.position.state
            assert env.render() == str(game.observation(state, None))
            for agent in env.agents:
                seen, text = env.observe(agent), str(game.observation(state, agent))
                assert shown.setdefault((agent, text), content(seen)) == content(seen)
                assert env.infos[agent] == {}
                if agent != env.agent_selection:
                    assert not seen["action_mask"].any()
                changed = mixed(game, state, draw.choice(states), agent)
                if changed != state and str(game.observation(changed, agent)) == text:
                    assert content(with_state(env, changed, agent)) == content(seen)
                    changes += 1
            seen, reward, over, cut, _ = env.last()
            if over or cut:
                break
            assert reward == 0
            legal = {path[0] for path in game.actions.paths(state)}
            assert {*np.flatnonzero(seen["action_mask"]).tolist()} == legal
            env.step(env.action_space(env.agent_selection).sample(seen["action_mask"]))
    assert changes > 2


def test_players_of_a_round_see_no_choice_of_the_others() -> None:
    env: Any = zoo.env("goofspiel", n=3, engine="interpreter")
    seen = set()
    for left in range(3):
        env.reset(seed=1)
        (actions,) = env.observe("left")["action_mask"].nonzero()
        env.step(actions[left])
        assert env.agent_selection == "right"
        seen |= {content(env.observe(agent)) for agent in env.agents}
    assert len(seen) == 2


def test_a_round_of_hidden_bids_is_a_step_of_a_parallel_environment() -> None:
    env: Any = zoo.parallel_env("goofspiel", n=3, engine="interpreter")
    seen, _ = env.reset(seed=1)
    assert [seen[agent]["action_mask"].sum() for agent in env.agents] == [3, 3]
    assert all(seen[agent]["observation"][-1].all() for agent in env.agents)
    actions = {agent: seen[agent]["action_mask"].nonzero()[0] for agent in env.agents}
    after, _, over, _, _ = env.step({"left": actions["left"][0], "right": actions["right"][1]})
    env.reset(seed=1)
    again, _, _, _, _ = env.step({"left": actions["left"][0], "right": actions["right"][2]})
    # Left's 1 has lost to 2 or to 3: left sees the points of the round, but not which card it was.
    assert content(after["left"]) == content(again["left"])
    assert content(after["right"]) != content(again["right"])
    assert not over["left"]


def test_a_player_of_gymnasium_is_shown_its_own_view() -> None:
    env: Any = gym.make("kuhn-poker", player="second", render_mode="ansi", engine="interpreter")
    game = env.single.game
    cards = set()
    for seed in range(6):
        env.reset(seed=seed)
        state = env.single.underway.position.state
        assert env.render() == str(game.observation(state, "second"))
        assert env.render().splitlines()[0] in ("?J", "?Q", "?K")
        cards.add(str(state)[0])
    assert len(cards) == 3


def test_pictures_show_what_a_player_sees() -> None:
    pictures: dict[int, set[str]] = {0: set(), 1: set()}
    env: Any = gym.make("kuhn-poker", player="first", render_mode="svg", engine="interpreter")
    for seed in range(20):
        env.reset(seed=seed)
        for player in pictures:
            pictures[player].add(env.single.rendered("svg", player))
        assert env.render() == env.single.rendered("svg", 0)
    assert [len(pictures[0]), len(pictures[1])] == [3, 3]
    everyone: Any = zoo.env("kuhn-poker", render_mode="svg", engine="interpreter")
    spectators = set()
    for seed in range(20):
        everyone.reset(seed=seed)
        spectators.add(everyone.render())
    assert len(spectators) == 1


def test_a_register_next_to_the_board_shows_no_value_to_others() -> None:
    spec = PAIRS.replace("rules:", "draw: {registers: [vote]}\nrules:")
    single = gym.make(rulesengine.loads(spec, engine="interpreter")).single
    single.step(single.game.actions.number("vote-2"))
    pictures = [single.rendered("svg", player) for player in (0, 1, None)]
    texts = [re.findall(">([^<>]*)</text>", picture) for picture in pictures]
    names = ["vote of left", "vote of right"]
    assert [shown[shown.index(names[0]) :] for shown in texts] == [
        [*names, "2", "?"],
        [*names, "?", "0"],
        [*names, "?", "?"],
    ]


@pytest.mark.parametrize(("name", "values"), [("kuhn-poker", {}), ("goofspiel", {"n": 3})])
def test_an_opponent_gets_its_own_view(name: str, values: dict[str, Any]) -> None:
    views: list[PlayerView] = []

    def choose(view: PlayerView) -> Any:
        views.append(view)
        return view.legal_moves[view.random.below(len(view.legal_moves))]

    env: Any = gym.make(name, choose, engine="interpreter", **values)
    game, told = env.single.game, 0
    for seed in range(8):
        _, info = env.reset(seed=seed)
        views.clear()
        over = False
        while not over:
            before = len(views)
            _, _, over, _, info = env.step(env.action_space.sample(info["action_mask"]))
            if len(views) > before:
                told += 1
        moves = env.single.moves
        lines = [game.information_state(moves[:n], game.players[1]) for n in range(len(moves) + 1)]
        for view in views:
            assert view.player == game.players[1]
            assert view.information_state in lines
            assert str(view.observation) == view.information_state.observation
    assert told > 4


def test_a_vector_environment_shows_the_player_to_move_its_view() -> None:
    env = gym.make_vec("kuhn-poker", 40, seed=2, engine="interpreter")
    seen, info = env.reset(seed=2)
    game, shown = rulesengine.load("kuhn-poker", engine="interpreter"), dict[object, object]()
    for _ in range(6):
        for number in np.flatnonzero(~env.batch.over).tolist():
            state = env.batch.state(number)
            key = str(game.observation(state, state.mover))
            rows = content({name: array[number] for name, array in seen.items()})
            assert shown.setdefault(key, rows) == rows
        seen, *_, info = env.step(env.batch.sample())
    # First to move with 3 cards, twice more after a bet, and second after a pass or a bet.
    assert len(shown) == 3 + 3 + 2 * 3
    assert info["action_mask"].shape == (40, 8)


def test_an_environment_is_restored_from_a_pickle() -> None:
    env: Any = zoo.env("liars-dice", engine="interpreter")
    env.reset(seed=4)
    again = pickle.loads(pickle.dumps(env))
    assert content(again.observe("second")) == content(env.observe("second"))


def first_move(view: PlayerView) -> Any:
    return view.legal_moves[0]


@pytest.mark.parametrize("opponent", [first_move, "is-mcts:playouts=20"])
def test_an_environment_is_copied_with_its_opponent(opponent: Any) -> None:
    env: Any = gym.make("leduc-poker", opponent, engine="interpreter")
    env.reset(seed=4)
    call = env.single.game.actions.number("call")
    env.step(call)
    for again in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        games = [copy.deepcopy(env), again]
        seen: list[object] = []
        for game in games:
            observation, reward, *_ = game.step(call)
            seen.append((content(observation), reward, game.single.moves))
        assert seen[0] == seen[1]


def test_the_first_step_of_a_move_changes_no_observation_of_others(tmp_path: Path) -> None:
    path = tmp_path / "pairs.yaml"
    path.write_text(PAIRS)
    env: Any = zoo.env(path, engine="interpreter")
    env.reset(seed=1)
    for _ in range(2):
        env.step(env.observe(env.agent_selection)["action_mask"].argmax())
    before = content(env.observe("right"))
    env.step(env.observe("left")["action_mask"].argmax())
    assert env.agent_selection == "left"
    assert content(env.observe("right")) == before
    env.step(env.observe("left")["action_mask"].argmax())
    assert content(env.observe("right")) != before
