"""Steps that are split into two actions, origin and target, since whole steps are too many."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import rulesengine
from rulesengine import Game, LimitError
from rulesengine.batch import Batch
from rulesengine.contests.selfplay import Terms, columns_of
from rulesengine.engine.actions import Actions, action_space
from rulesengine.engine.kernel.backends.registry import working
from rulesengine.loading import load_source
from rulesengine.server.export.contents import check_numbers
from rulesengine.support.source import Source
from tests.engine.test_actions import check_tree, states

pytestmark = pytest.mark.usefixtures("in_haste")

ENGINES = ("interpreter", *(backend.name for backend in working()))
GAMES, STEPS = 4, 12
# The number of actions when steps are split. The games cover chains, also with a stop, choices,
# groups that are not split next to groups that are, steps dropped by `keep`, and earlier positions.
SPLIT = {
    "amazons": 100 + 100 + 100,
    "breakthrough": 64 + 64,
    "chess": 64 + 64 + 2 * 8 * 4,
    "konane": 64 + 64 + 64 + 1,
    "nine-mens-morris": 24 + 24 + 24 + 24,
    "english-draughts": 64 + 64,
}
# Chance moves the piece left or right, independent of the player's move.
DRIFTING = """\
spec: 1
name: drifting
board: {rows: 1, columns: 5}
players: [white, black]
registers: {drifts: {type: flag}}
pieces: {man: {white: o, black: x}, empty: "."}
start: [put man of white on a1, put man of black on e1]
rules:
  moves: {move: own, to: empty, choice: [1, 2, 3], do: set drifts to true}
  chance:
    when: drifts
    branches: {move: occupied, to: empty, weight: 2, do: set drifts to false}
  end: {when: plies >= 9, result: draw, reason: nine plies}
"""


def drifting(engine: str) -> Game:
    return load_source(Source("drifting.yaml", DRIFTING), engine=engine)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> Callable[[Game], Actions]:
    """Lower the limit on actions, so steps of a loaded game must be split."""

    def limited(game: Game) -> Actions:
        monkeypatch.setattr(action_space, "MAX_ACTIONS", len(game.actions) - 1)
        del game.__dict__["actions"]
        assert game.actions.splits
        return game.actions

    return limited


Few = Callable[[Game], Actions]


def load(name: str, engine: str = "interpreter") -> Game:
    return rulesengine.load(name, engine=engine)


def played(batch: Batch) -> Iterator[int]:
    """Check the legal actions of each game in a batch against the interpreter, step by step."""
    actions = batch.game.actions
    for _ in range(STEPS):
        drawn = batch.sample()
        for number, action in enumerate(drawn.tolist()):
            state, taken = batch.state(number), batch.taken(number)
            legal = actions.legal(state, taken)
            assert np.flatnonzero(batch.mask[number]).tolist() == sorted(legal)
            assert (action in legal) if legal else batch.over[number]
            yield len(taken)
        assert not batch.step(drawn).size


@pytest.mark.slow
@pytest.mark.parametrize("name", SPLIT)
def test_the_halves_of_steps_are_counted_by_hand(name: str, few: Few) -> None:
    assert len(few(load(name))) == SPLIT[name]


@pytest.mark.deep
def test_men_that_go_from_anywhere_to_anywhere_are_split() -> None:
    actions = rulesengine.load("halma", n=16, engine="interpreter").actions
    assert len(actions) == 256 + 256 + 1
    assert (actions[0], actions[256], actions[512]) == ("from a16", "to a16", "pass")
    assert (actions.longest, actions.chains, actions.stop) == (2, True, None)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["konane", "nine-mens-morris"])
def test_the_actions_of_a_state_are_the_tree_of_its_moves(name: str, few: Few) -> None:
    game = load(name)
    few(game)
    for state in [*states(game, 20)][::9]:
        check_tree(game, state)


def test_halves_have_names(few: Few) -> None:
    game = load("breakthrough")
    whole = game.actions
    state, move = game.initial_state(), game.move("b2-c3")
    assert [whole[k] for k in whole.action_of(state, move)] == ["b2-c3"]
    halves = few(game)
    path = halves.action_of(state, move)
    assert [halves[k] for k in path] == ["from b2", "to c3"]
    assert halves.move_of(state, path) == move
    assert halves.move_of(state, path[:1]) is None
    assert {halves[k] for k in halves.legal(state, path[:1])} == {"to a3", "to b3", "to c3"}
    assert halves.legal(state, (halves.number("from a8"),)) == ()


@pytest.mark.slow
def test_promotion_choice_belongs_to_the_target_action(few: Few) -> None:
    game = load("chess")
    halves = few(game)
    state = game.state_from(
        "\n".join(["....k...", "P.......", *["........"] * 5, "....K...", "mover: white"])
    )
    path = halves.action_of(state, game.move("a7a8n", state))
    assert [halves[k] for k in path] == ["from a7", "to a8=knight"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "engine"),
    [
        *((name, "interpreter") for name in ("konane", "nine-mens-morris")),
        *(pytest.param("konane", e, marks=pytest.mark.deep) for e in ENGINES[1:]),
        *(pytest.param(n, e, marks=pytest.mark.deep) for e in ENGINES for n in SPLIT),
    ],
)
def test_batches_play_by_halves(name: str, engine: str, few: Few) -> None:
    game = load(name, engine)
    few(game)
    assert max(played(game.batch(GAMES, seed=1))) > 0
    one, other = game.batch(GAMES, seed=2, restart=True), load(name).batch(GAMES, seed=2)
    for _ in range(STEPS):
        one.step()
        other.step(one.sample() * 0 - 1 if other.over.all() else None)
        for number in range(GAMES):
            assert one.state(number) == other.state(number)
            assert one.taken(number) == other.taken(number)


@pytest.mark.parametrize("engine", ["interpreter", ENGINES[-1]])
def test_chance_move_is_a_single_action(engine: str, few: Few) -> None:
    game = drifting(engine)
    whole = game.actions
    halves = few(game)
    assert len(whole) == 5 * 5 * 3 + 5 * 5
    assert len(halves) == 5 + 5 * 3 + 5 * 5
    batch = game.batch(50, seed=1)
    for action in ("from a1", "to c1=2"):
        assert not batch.step([halves.number(action)] * 50).size
    assert (batch.mover == -1).all()
    assert [halves[int(k)] for k in np.flatnonzero(batch.mask[0])] == [
        f"{a}1-{b}1" for a in "ce" for b in "abd"
    ]
    batch.step([-1] * 50)
    assert (batch.mover == 1).all()
    assert len({str(batch.state(k)) for k in range(50)}) == 6
    assert list(played(batch)).count(1) > 50
    weights = game.batch(1).stepper().start
    for action in ("from a1", "to c1=2"):
        weights = weights.after(halves.number(action))
    assert list(weights.weights().values()) == [2] * 6


def test_environments_and_data_take_halves(few: Few) -> None:
    api_test: Any = pytest.importorskip("pettingzoo.test").api_test
    from rulesengine.adapters import pettingzoo as zoo
    from tests.adapters.test_environments import without_warnings

    game = load("konane")
    count = len(few(game))
    env = zoo.env("konane", engine="interpreter")
    assert env.action_space("black").n == count
    with without_warnings():
        api_test(env, 20)
    rows = columns_of(game, Terms(2), 0)
    assert rows["mask"].shape[1] == count
    assert rows["mask"][np.arange(len(rows["action"])), rows["action"]].all()


@pytest.mark.slow
def test_one_player_and_openspiel_take_halves(monkeypatch: pytest.MonkeyPatch) -> None:
    pyspiel: Any = pytest.importorskip("pyspiel")
    check_env: Any = pytest.importorskip("gymnasium.utils.env_checker").check_env
    from rulesengine.adapters import gymnasium as gym
    from rulesengine.adapters.openspiel import load_game

    monkeypatch.setattr(action_space, "MAX_ACTIONS", 64 + 64)
    env = gym.make("breakthrough", lambda session: session.legal_moves[0], engine="interpreter")
    assert cast(Any, env.action_space).n == 64 + 64
    check_env(env, skip_render_check=True)
    spiel = load_game("breakthrough", rows=6)
    assert spiel.num_distinct_actions() == 48 + 48
    pyspiel.random_sim_test(spiel, 1, False, False)


def test_exported_page_requires_whole_steps(few: Few, tmp_path: Path) -> None:
    game = load("breakthrough")
    check_numbers(game)
    few(game)
    with pytest.raises(LimitError, match="more than 65,536 steps can occur"):
        check_numbers(game)
