"""Opponents of Gymnasium environments: texts of players, functions, objects and maps."""

import pickle
import warnings
from typing import Any

import pytest

from rulesengine import Game, Move, UsageError, load, loads
from rulesengine.contests import BasePlayer, PlayerSession, Turn
from rulesengine.support.resources import bundled_names

gymnasium: Any = pytest.importorskip("gymnasium", reason="the extra `rl` is not installed")

from rulesengine.adapters import gymnasium as gym  # noqa: E402
from rulesengine.adapters.registration import SPEC, env_id  # noqa: E402


class Recorder(BasePlayer):
    """Plays the first legal move, and keeps the moves of each turn."""

    def __init__(self) -> None:
        self.turns: list[tuple[str, ...]] = []
        self.ended = 0

    def choose(self, turn: Turn) -> Move:
        self.turns.append(tuple(map(str, turn.moves)))
        return self.seat.game.legal_moves(turn.state)[0]

    def end(self, moves: object) -> None:
        self.ended += 1


def made(*words: Any, **keywords: Any) -> Any:
    """Return the environment of one player, without its static type."""
    return gym.make(*words, **keywords)


def played(env: Any, seed: int, most: int = 400) -> list[int]:
    """Play a game with drawn actions and return them."""
    _, info = env.reset(seed=seed)
    env.action_space.seed(seed)
    actions: list[int] = []
    over = False
    while not over and len(actions) < most:
        actions.append(int(env.action_space.sample(info["action_mask"])))
        _, _, over, _, info = env.step(actions[-1])
    return actions


@pytest.fixture(scope="module")
def tic() -> Game:
    return load("tic-tac-toe", engine="interpreter")


def test_every_bundled_game_has_an_id_of_its_own() -> None:
    ids = [env_id(name) for name in bundled_names()]
    assert len(set(ids)) == len(ids)
    assert {*ids, SPEC} <= set(gymnasium.registry)
    assert "rulesengine/TicTacToe-v0" in ids


def test_an_id_with_the_module_makes_the_environment(tic: Game) -> None:
    one = gymnasium.make(
        "rulesengine.bridges.gymnasium:rulesengine/TicTacToe-v0", opponent="search:nodes=20"
    )
    plain = made(tic, "search:nodes=20")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert played(one, 5) == played(plain, 5)


def test_the_general_id_takes_a_path_and_parameters(tmp_path: Any) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("extends: tic-tac-toe\nname: Mine\ntests: null\n")
    one = gymnasium.make(SPEC, spec=path, m=4, engine="interpreter")
    assert one.action_space.n == 12


def test_a_game_of_a_text_is_an_environment() -> None:
    game = loads("extends: tic-tac-toe\nname: Mine\ntests: null\n", engine="interpreter")
    assert made(game, m=5).action_space.n == 15
    assert gym.make_vec(game, 2).num_envs == 2


def test_an_opponent_gets_all_moves_and_ends_with_the_game(tic: Game) -> None:
    recorder = Recorder()
    env = made(tic, recorder)
    env.reset(seed=1)
    env.step(8)  # c1; the first legal move is a3
    env.step(7)
    assert recorder.turns == [("c1",), ("c1", "a3", "b1")]
    env.reset(seed=1)
    assert recorder.ended == 1
    env.step(4)
    assert recorder.turns[-1] == ("b2",)


@pytest.mark.parametrize(("name", "actions"), [("pig", 30), ("connect6", 12)])
def test_an_opponent_gets_events_of_chance_and_moves_of_several_steps(
    name: str, actions: int
) -> None:
    game = load(name, engine="interpreter")
    recorder = Recorder()
    played(made(game, recorder), 3, most=actions)
    *_, moves = recorder.turns
    session = game.start()
    for text in moves:
        session.push(text)
    assert len(session) == len(moves) > 2


def test_each_opponent_of_three_players_may_be_another() -> None:
    game = load("three-player-tic-tac-toe", engine="interpreter")
    first, *others = game.players
    recorder = Recorder()
    chosen: dict[str, Any] = {others[0]: recorder, others[1]: "random"}
    played(made(game, chosen), 2)
    assert recorder.turns
    with pytest.raises(UsageError, match=f"expected an opponent for {', '.join(others)}; found"):
        made(game, {first: "random"})
    with pytest.raises(UsageError, match="expected a map with an opponent for"):
        made(game, Recorder())


def test_games_against_an_opponent_by_name_follow_the_seed(tic: Game) -> None:
    env = made(tic, "mcts:playouts=10")
    assert [played(env, seed) for seed in (1, 2)] == [played(env, seed) for seed in (1, 2)]


def test_a_search_as_opponent_wins_where_it_can(tic: Game) -> None:
    env = made(tic, "search:plies=2", player="nought")
    env.reset(seed=0)
    lost = 0
    for seed in range(6):
        played(env, seed)
        lost += env.single.underway.payoffs == [1, -1]
    assert lost >= 5


def test_an_environment_with_an_opponent_can_be_copied(tic: Game) -> None:
    env = made(tic, "search:nodes=20")
    env.reset(seed=1)
    env.step(4)
    again = pickle.loads(pickle.dumps(env.single))
    assert again.moves == env.single.moves
    assert again.state == env.single.state


def test_a_function_of_a_session_may_return_a_text(tic: Game) -> None:
    def lowest(session: PlayerSession) -> str:
        return str(session.legal_moves[-1])

    env = made(tic, lowest)
    env.reset(seed=1)
    env.step(0)
    assert list(map(str, env.single.moves)) == ["a3", "c1"]


def test_an_opponent_needs_no_method_but_choose_and_gets_a_session(tic: Game) -> None:
    sessions: list[PlayerSession] = []

    class Minimal:
        def choose(self, session: PlayerSession) -> Move:
            sessions.append(session)
            return session.legal_moves[0]

    env = made(tic, Minimal())
    env.reset(seed=1)
    env.step(4)
    env.step(8)
    assert [str(move) for move in sessions[-1].moves] == ["b2", "a3", "c1"]
    assert [session.mover for session in sessions] == ["nought", "nought"]
