"""Games with hidden information in OpenSpiel: known values, and its own games as references."""

import copy
import pickle
from pathlib import Path
from typing import Any

import pytest

import rulesengine
from rulesengine.errors import UsageError
from tests.helpers.hidden_states import HIDDEN_NAMES, PAIRS, SMALLER

np: Any = pytest.importorskip("numpy")
pyspiel: Any = pytest.importorskip("pyspiel")
observation: Any = pytest.importorskip("open_spiel.python.observation")
exploitability: Any = pytest.importorskip("open_spiel.python.algorithms.exploitability")
policies: Any = pytest.importorskip("open_spiel.python.policy")
from rulesengine.adapters.openspiel import load_game  # noqa: E402

pytestmark = pytest.mark.usefixtures("in_haste")

KUHN_VALUE = -1 / 18  # of the first player (Kuhn 1950)
RESAMPLED = ("liars-dice", "phantom-tic-tac-toe")


def dealt(*moves: str) -> Any:
    """Return the state of Kuhn poker after moves by name."""
    state = load_game("kuhn-poker").new_initial_state()
    for text in moves:
        paths = state.position.game.actions.paths(state.position.state)
        state.apply_action(next(path[0] for path, move in paths.items() if str(move) == text))
    return state


def kuhn_equilibrium(state: Any) -> dict[int, float]:
    """Return the probabilities of actions in Kuhn's equilibrium with a bet on a third of the jacks.

    It reads the information state alone.
    """
    lines = state.information_state_string().splitlines()
    (card,) = {sign for line in lines for sign in line if sign in "JQK" and len(line) == 2}
    bets = [line for line in lines if line.startswith(("move ", "told "))]
    texts = [line.split()[-1] for line in bets]
    odds: dict[tuple[str, ...], dict[str, float]] = {
        (): {"J": 1 / 3, "Q": 0, "K": 1},
        ("pass",): {"J": 1 / 3, "Q": 0, "K": 1},
        ("bet",): {"J": 0, "Q": 1 / 3, "K": 1},
        ("pass", "bet"): {"J": 0, "Q": 2 / 3, "K": 1},
    }
    odd = odds[tuple(texts)][card]
    names = {state.action_to_string(action): action for action in state.legal_actions()}
    bet = next(action for name, action in names.items() if "bet" in name)
    (other,) = {*names.values()} - {bet}
    return {bet: odd, other: 1 - odd}


class Kuhn(policies.Policy):  # type: ignore[misc]
    def action_probabilities(self, state: Any, player_id: Any = None) -> dict[int, float]:
        return kuhn_equilibrium(state)


def test_the_type_has_imperfect_information_and_chance() -> None:
    kinds = load_game("kuhn-poker").get_type()
    assert kinds.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    assert kinds.chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    assert kinds.dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL
    kinds = load_game("goofspiel").get_type()
    assert kinds.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    assert kinds.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS


def test_the_equilibrium_of_kuhn_poker_has_its_known_value() -> None:
    score: Any = pytest.importorskip("open_spiel.python.algorithms.expected_game_score")
    game = load_game("kuhn-poker")
    found = score.policy_value(game.new_initial_state(), [Kuhn(game, [0, 1])] * 2)
    assert found == pytest.approx([KUHN_VALUE, -KUHN_VALUE])
    # A best response sees no more than the information states, so it gains nothing.
    assert exploitability.nash_conv(game, Kuhn(game, [0, 1])) == pytest.approx(0, abs=1e-9)


@pytest.mark.deep
def test_counterfactual_regret_finds_the_value_of_kuhn_poker() -> None:
    cfr: Any = pytest.importorskip("open_spiel.python.algorithms.cfr")
    score: Any = pytest.importorskip("open_spiel.python.algorithms.expected_game_score")
    game = load_game("kuhn-poker")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    found = score.policy_value(game.new_initial_state(), [policy, policy])
    assert found[0] == pytest.approx(KUHN_VALUE, abs=2e-3)
    assert exploitability.nash_conv(game, policy) < 0.01


GOOFSPIEL = "goofspiel(num_cards={},points_order=descending,imp_info=True)"


@pytest.mark.parametrize(
    ("name", "values", "theirs"),
    [
        ("kuhn-poker", {}, "kuhn_poker"),
        pytest.param(
            *("liars-dice", {"sides": 2}, "liars_dice(dice_sides=2)"), marks=pytest.mark.deep
        ),
        pytest.param("leduc-poker", {}, "leduc_poker", marks=pytest.mark.deep),
        pytest.param("goofspiel", {"n": 3}, GOOFSPIEL.format(3), marks=pytest.mark.deep),
        pytest.param("goofspiel", {"n": 4}, GOOFSPIEL.format(4), marks=pytest.mark.deep),
    ],
)
def test_uniform_play_is_as_exploitable_as_in_the_same_game_of_openspiel(
    name: str, values: dict[str, Any], theirs: str
) -> None:
    games = [load_game(name, **values), pyspiel.load_game(theirs)]
    if name == "goofspiel":
        games = [pyspiel.convert_to_turn_based(game) for game in games]
    found = [exploitability.nash_conv(game, policies.UniformRandomPolicy(game)) for game in games]
    assert found[0] == pytest.approx(found[1])
    assert found[0] > 0.1


def test_a_game_declared_as_zero_sum_has_an_exploitability() -> None:
    games = [load_game("kuhn-poker", zero_sum=True), pyspiel.load_game("kuhn_poker")]
    games.append(pyspiel.load_game(str(games[0])))
    policy = policies.UniformRandomPolicy
    ours, theirs, again = (exploitability.exploitability(game, policy(game)) for game in games)
    assert ours == again == pytest.approx(theirs)
    undeclared = load_game("kuhn-poker")
    with pytest.raises(ValueError, match="zero-sum"):
        exploitability.exploitability(undeclared, policy(undeclared))


def test_payoffs_with_another_sum_contradict_the_declaration(tmp_path: Path) -> None:
    path = tmp_path / "pairs.yaml"
    path.write_text(PAIRS.replace("result: draw", "payoffs: 1"))
    state = load_game(str(path), zero_sum=True).new_initial_state()
    while not state.is_terminal():
        assert state.returns() == [0, 0]
        state.apply_action(state.legal_actions()[0])
    with pytest.raises(UsageError, match="payoffs 1, 1 in a zero-sum game"):
        state.returns()


SIMULATED = [
    pytest.param(name, marks=() if name == "kuhn-poker" else pytest.mark.deep)
    for name in HIDDEN_NAMES
]


@pytest.mark.parametrize("name", SIMULATED)
def test_a_game_passes_the_simulations_of_openspiel(name: str) -> None:
    pyspiel.random_sim_test(load_game(name, **SMALLER.get(name, {})), 1, True, False)


def test_texts_and_tensors_are_those_of_the_player() -> None:
    game = rulesengine.load("kuhn-poker")
    state, other = dealt("queen", "king", "bet"), dealt("queen", "jack", "bet")
    for player in (0, 1):
        seen = game.observation(state.position.state, game.players[player])
        assert state.observation_string(player) == str(seen)
        info = game.information_state(["queen", "king", "bet"], game.players[player])
        assert state.information_state_string(player).startswith(str(info))
        assert state.information_state_string(player).endswith(info.key.hex())
    assert state.observation_tensor(0) == other.observation_tensor(0)
    assert state.information_state_string(0) == other.information_state_string(0)
    assert state.observation_tensor(1) != other.observation_tensor(1)
    assert state.information_state_string(1) != other.information_state_string(1)
    # Jack, queen, king, the unseen card and the turn, each for both cells; then the registers.
    assert state.observation_tensor(1) == [*[0] * 4, 0, 1, 1, 0, 1, 1, 2, 1, -1, 0]


def test_an_observer_without_private_information_is_a_spectator() -> None:
    none = pyspiel.PrivateInfoType.NONE
    public = pyspiel.IIGObservationType(perfect_recall=False, private_info=none)
    recall = pyspiel.IIGObservationType(perfect_recall=True, private_info=none)
    state, game = dealt("queen", "king", "bet"), rulesengine.load("kuhn-poker")
    seen = observation.make_observation(state.get_game(), public)
    known = observation.make_observation(state.get_game(), recall)
    for player in (0, 1):
        seen.set_from(state, player)
        assert seen.dict["observation"].astype(int).tolist() == [[0, 0]] * 3 + [[1, 1], [0, 0]]
        assert seen.string_from(state, player) == str(game.observation(state.position.state, None))
        info = game.information_state(["queen", "king", "bet"], None)
        assert known.string_from(state, player).startswith(str(info))


def test_private_information_alone_is_refused() -> None:
    private = pyspiel.IIGObservationType(perfect_recall=False, public_info=False)
    with pytest.raises(UsageError, match="public information"):
        observation.make_observation(load_game("kuhn-poker"), private)


def test_copies_of_a_state_know_the_same() -> None:
    state = dealt("queen", "king", "bet")
    text = pyspiel.serialize_game_and_state(state.get_game(), state)
    _, restored = pyspiel.deserialize_game_and_state(text)
    copies = [state.clone(), restored, copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
    for one in copies:
        assert [one.information_state_string(p) for p in (0, 1)] == [
            state.information_state_string(p) for p in (0, 1)
        ]


def test_a_round_is_one_node_whose_choices_are_hidden() -> None:
    state = load_game("goofspiel", n=3).new_initial_state()
    assert state.is_simultaneous_node()
    low, *_ = state.legal_actions(0)
    _, *choices = state.legal_actions(1)
    after = [state.clone() for _ in choices]
    for one, choice in zip(after, choices, strict=True):
        one.apply_actions([low, choice])
    assert len(choices) == 2
    assert after[0].information_state_string(0) == after[1].information_state_string(0)
    assert after[0].information_state_string(1) != after[1].information_state_string(1)
    assert after[0].observation_tensor(0) == after[1].observation_tensor(0)


def test_an_unfinished_move_is_known_to_its_player_alone(tmp_path: Path) -> None:
    path = tmp_path / "pairs.yaml"
    path.write_text(PAIRS)
    state = load_game(str(path)).new_initial_state()
    for _ in range(2):
        state.apply_action(state.legal_actions()[0])
    ways = [state.child(action) for action in state.legal_actions()[:2]]
    texts = ("information_state_string", "observation_string", "observation_tensor")
    for text in texts:
        left, right = ([getattr(way, text)(player) for way in ways] for player in (0, 1))
        assert left[0] != left[1]
        assert right[0] == right[1] == getattr(state, text)(1)
    again = ways[1].resample_from_infostate(0, np.random.RandomState(1).random_sample)
    assert again.information_state_string(0) == ways[1].information_state_string(0)
    assert again.legal_actions() == ways[1].legal_actions()
    ways = [way.child(way.legal_actions()[0]) for way in ways]
    assert [way.current_player() for way in ways] == [1, 1]
    assert "move a1/b1" in ways[0].information_state_string(0).splitlines()


def test_resampled_states_agree_with_the_player_to_move() -> None:
    state = dealt("queen", "king", "pass")
    draw = np.random.RandomState(3)
    cards = []
    for _ in range(60):
        other = state.resample_from_infostate(1, draw.random_sample)
        assert other.information_state_string(1) == state.information_state_string(1)
        assert other.history()[1:] == state.history()[1:]
        cards.append(other.observation_string(0).splitlines()[0])
    # The first player has a jack or a queen, with equal probability.
    assert {*cards} == {"J?", "Q?"}
    assert 15 < cards.count("J?") < 45
    with pytest.raises(UsageError, match="the one player that is to move"):
        state.resample_from_infostate(0, draw.random_sample)


@pytest.mark.parametrize(
    "name", ["leduc-poker", *(pytest.param(n, marks=pytest.mark.deep) for n in RESAMPLED)]
)
def test_resampled_states_have_the_same_information_and_actions_along_a_game(name: str) -> None:
    draw = np.random.RandomState(5)
    state, different = load_game(name).new_initial_state(), 0
    while not state.is_terminal():
        player = state.current_player()
        if player >= 0:
            other = state.resample_from_infostate(player, draw.random_sample)
            assert other.current_player() == player
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            assert other.legal_actions() == state.legal_actions()
            different += str(other) != str(state)
        state.apply_action(draw.choice(state.legal_actions()))
    assert different


@pytest.mark.parametrize(("card", "answer"), [("king", "bet"), ("jack", "pass")])
def test_tree_search_of_openspiel_answers_a_bet_by_the_own_card(card: str, answer: str) -> None:
    ismcts: Any = pytest.importorskip("open_spiel.python.algorithms.ismcts")
    mcts: Any = pytest.importorskip("open_spiel.python.algorithms.mcts")
    state = dealt("queen", card, "bet")
    draw = np.random.RandomState(3)
    bot = ismcts.ISMCTSBot(
        game=state.get_game(),
        evaluator=mcts.RandomRolloutEvaluator(1, draw),
        uct_c=2.0,
        max_simulations=60,
        random_state=draw,
    )
    action = bot.step(state)
    assert state.action_to_string(action) == answer


def test_a_state_that_hides_nothing_is_drawn_as_a_copy() -> None:
    state = load_game("tic-tac-toe").new_initial_state()
    state.apply_action(4)
    assert str(state.resample_from_infostate(1, lambda: 0.5)) == str(state)
