"""Specs as games of OpenSpiel: its own tests pass, its own algorithms run."""

import random
from pathlib import Path
from typing import Any

import pytest

import rulesengine
from rulesengine.errors import UsageError
from rulesengine.support.resources import open_names

np: Any = pytest.importorskip("numpy")
pyspiel: Any = pytest.importorskip("pyspiel")
from rulesengine.adapters.openspiel import load_game  # noqa: E402

pytestmark = pytest.mark.usefixtures("in_haste")

_HEAPS = """\
extends: nim
start:
  - set heap of a1 to 1
  - set heap of b1 to 2
tests: null
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tic-tac-toe", "mu-torere", "connect-four-knockout"])
def test_a_game_passes_the_simulations_of_openspiel(name: str) -> None:
    pyspiel.random_sim_test(load_game(name), 1, False, False)


@pytest.mark.deep
@pytest.mark.parametrize("name", open_names())
def test_every_game_passes_them(name: str) -> None:
    pyspiel.random_sim_test(load_game(name), 1, False, False)


@pytest.mark.slow
def test_state_is_restored_from_openspiel_text() -> None:
    state = load_game("tic-tac-toe", m=4, n=4).new_initial_state()
    for action in (5, 3, 15):
        state.apply_action(action)
    _, again = pyspiel.deserialize_game_and_state(
        pyspiel.serialize_game_and_state(state.get_game(), state)
    )
    assert str(again) == str(state) == "...o\n.x..\n....\n...x\nmover: nought"


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param("english-draughts", marks=pytest.mark.deep), "konane", "pig", "hex-pie"]
)
def test_moves_and_results_are_those_of_the_game(name: str) -> None:
    game, draw = rulesengine.load(name), random.Random(7)
    state, ours = load_game(name).new_initial_state(), rulesengine.load(name).initial_state()
    while not state.is_terminal():
        taken: tuple[int, ...] = ()
        while True:
            assert tuple(state.legal_actions()) == tuple(sorted(game.actions.legal(ours, taken)))
            assert state.is_chance_node() or game.players[state.current_player()] == ours.mover
            action = draw.choice(state.legal_actions())
            state.apply_action(action)
            taken = (*taken, action)
            if not game.actions.legal(ours, taken):
                break
        move = game.actions.move_of(ours, taken)
        assert move is not None
        ours = game.apply(ours, move)
    outcome = game.outcome(ours)
    assert outcome is not None
    assert state.returns() == [outcome.payoffs[player] for player in game.players]


def test_tensor_equals_the_observation_of_the_player() -> None:
    # Planes of own and other marks in reading order, then one for the player to move.
    state = load_game("tic-tac-toe").new_initial_state()
    for action in (4, 0, 8):
        state.apply_action(action)
    cross, nought = [0, 0, 0, 0, 1, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0, 0, 0, 0]
    cells = "".join(str(state).split()[:3])
    assert [cell == "x" for cell in cells] == cross
    assert state.get_game().observation_tensor_shape() == [3, 9]
    assert state.observation_tensor(0) == [*cross, *nought, *[0] * 9]
    assert state.observation_tensor(1) == [*nought, *cross, *[1] * 9]


@pytest.mark.slow
def test_tensor_includes_the_actions_taken_of_a_move() -> None:
    state = load_game("konane").new_initial_state()
    seen = state.observation_tensor(0)
    chains = len(rulesengine.load("konane").actions)
    while not any(state.observation_tensor(state.current_player())[-chains:]):
        state.apply_action(state.legal_actions()[0])
    taken = state.observation_tensor(state.current_player())[-chains:]
    assert np.flatnonzero(taken).tolist() == list(state.position.taken)
    assert len(seen) == len(state.observation_tensor(0))


@pytest.mark.slow
def test_openspiel_learner_distinguishes_positions_by_tensors() -> None:
    rl: Any = pytest.importorskip("open_spiel.python.rl_environment")
    tabular: Any = pytest.importorskip("open_spiel.python.algorithms.tabular_qlearner")
    env = rl.Environment(load_game("tic-tac-toe"))
    learners = [tabular.QLearner(player, env.action_spec()["num_actions"]) for player in (0, 1)]
    step = env.reset()
    while not step.last():
        chosen = learners[step.observations["current_player"]].step(step)
        step = env.step([chosen.action])
    for learner in learners:
        learner.step(step)
    # A value for each position that training used: at least the second one of each player.
    assert all(len(learner._q_values) > 1 for learner in learners)


def test_chance_has_the_weights_of_the_rules() -> None:
    state = load_game("pig").new_initial_state()
    state.apply_action(state.legal_actions()[0])
    assert state.is_chance_node()
    assert [chance for _, chance in state.chance_outcomes()] == pytest.approx([1 / 6] * 6)


def test_tree_search_of_openspiel_finds_a_win_at_once() -> None:
    mcts: Any = pytest.importorskip("open_spiel.python.algorithms.mcts")
    game = load_game("tic-tac-toe")
    state = game.new_initial_state()
    for cell in ("a1", "b1", "a2", "b2"):
        state.apply_action(rulesengine.load("tic-tac-toe").actions.number(cell))
    draw = np.random.RandomState(3)
    evaluator = mcts.RandomRolloutEvaluator(1, draw)
    bot = mcts.MCTSBot(game, 2, 100, evaluator, random_state=draw)
    assert state.action_to_string(bot.step(state)) == "a3"


@pytest.mark.slow
def test_uniform_play_is_as_exploitable_as_in_the_same_game_of_openspiel(tmp_path: Path) -> None:
    exploitability: Any = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    policy: Any = pytest.importorskip("open_spiel.python.policy")
    spec = tmp_path / "two heaps, small.yaml"
    spec.write_text(_HEAPS)
    found = [
        exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
        for game in (load_game(str(spec)), pyspiel.load_game("nim(pile_sizes=1;2)"))
    ]
    assert found[0] == pytest.approx(found[1])
    assert found[0] > 0.1


@pytest.mark.parametrize(
    ("spec", "values", "message"),
    [
        ("ohtello", {}, "did you mean"),
        ("othello", {"n": 7}, "n: expected"),
        ("othello", {"m": 6}, "no parameter `m`"),
    ],
)
def test_load_errors_are_usage_errors(spec: str, values: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        load_game(spec, **values)
