"""Simultaneous moves in PettingZoo's parallel environments, and in OpenSpiel as one node."""

from itertools import product

import pytest

from rulesengine import UsageError

GAME = "rock-paper-scissors"


def test_a_step_of_a_parallel_environment_is_a_round() -> None:
    testing = pytest.importorskip("pettingzoo.test")
    from rulesengine.bridges.pettingzoo import parallel_env

    environment = parallel_env(GAME)
    testing.parallel_api_test(environment, num_cycles=20)
    for left, right in product(range(3), repeat=2):
        seen, _ = environment.reset(seed=1)
        hands = {agent: seen[agent]["action_mask"].nonzero()[0].tolist() for agent in seen}
        assert all(seen[agent]["observation"][-1].all() for agent in seen)
        actions = {"left": hands["left"][left], "right": hands["right"][right]}
        _, rewards, over, cut, _ = environment.step(actions)
        won = (left - right + 1) % 3 - 1  # paper beats rock, and so on around
        assert rewards == {"left": won, "right": -won}
        assert (*over.values(), *cut.values()) == (True, True, False, False)


def test_an_illegal_action_in_a_round_loses_and_a_missing_one_is_an_error() -> None:
    pytest.importorskip("pettingzoo")
    from rulesengine.bridges.pettingzoo import parallel_env

    environment = parallel_env(GAME)
    environment.reset(seed=1)
    with pytest.raises(UsageError, match="expected a map with an action of `left` and `right`"):
        environment.step({"left": 0})
    _, rewards, over, _, _ = environment.step({"left": 0, "right": 0})
    assert (rewards, over["left"]) == ({"left": 0.0, "right": -1.0}, True)


def test_openspiel_has_the_payoffs_of_its_own_game_in_one_node() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from rulesengine.bridges.openspiel import load_game

    game, theirs = load_game(GAME), pyspiel.load_game("matrix_rps")
    assert game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    for left, right in product(range(3), repeat=2):
        state, other = game.new_initial_state(), theirs.new_initial_state()
        assert state.is_simultaneous_node()
        state.apply_actions([state.legal_actions(0)[left], state.legal_actions(1)[right]])
        other.apply_actions([left, right])
        assert state.is_terminal()
        assert state.returns() == other.returns()
    pyspiel.random_sim_test(game, num_sims=2, serialize=False, verbose=False)
