"""Gymnasium environments, by the extra `rl`: one player's game, or many games at once."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.loading import bind, load
from rulesengine.play.players import RANDOM

try:
    import gymnasium
    import numpy as np
    import numpy.typing as npt
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

    from rulesengine.adapters.opponents import Opponent, Opponents
    from rulesengine.adapters.recorded_game import RecordedGame
    from rulesengine.adapters.registration import SPEC, env_id, register_games
    from rulesengine.adapters.single_game import (
        LOST,
        RENDERED,
        SingleGame,
        action_of,
        check_render_mode,
    )
    from rulesengine.adapters.spaces import Actions, space_of
    from rulesengine.batch.position import CHANCE
    from rulesengine.engine.drivers.batch.layout import NOTHING
except ImportError:
    raise UsageError("environments of Gymnasium need the extra `rl` of this package") from None

if TYPE_CHECKING:
    from pathlib import Path

Array = npt.NDArray[Any]
_SEEDS = 1 << 32  # seeds of opponents
__all__ = ["SPEC", "env_id", "make", "make_vec"]


def make(
    spec: "str | Path | Game",
    /,
    opponent: Opponent = "random",
    *,
    player: str | None = None,
    render_mode: str | None = None,
    **parameters: Any,
) -> "PlayerEnvironment":
    """Return the environment of one player, by default the first; `parameters` are those of `load`.

    All other players are the opponent. It is the text of a player such as `mcts:level=3`, a
    function from a `contests.PlayerSession` to a legal move, or an object with such a method
    `choose`. A map has one of these for each other player. The reward is the player's payoff when
    the game is over. An illegal action ends the game with reward -1; `info["action_mask"]` has the
    legal ones.
    """
    return PlayerEnvironment(_game(spec, parameters), opponent, player, render_mode)


def make_registered(
    *,
    spec: "str | Path | Game",
    opponent: Opponent = "random",
    player: str | None = None,
    render_mode: str | None = None,
    **parameters: Any,
) -> "PlayerEnvironment":
    """Return the environment of an id of Gymnasium; arguments are those of `make`."""
    return make(spec, opponent, player=player, render_mode=render_mode, **parameters)


def make_vec(
    spec: "str | Path | Game",
    num_envs: int,
    *,
    seed: int = 0,
    threads: int = 1,
    device: str = "cpu",
    **parameters: Any,
) -> "BatchEnvironment":
    """Return a vector environment of one batch; actions are those of the player to move.

    Chance events are drawn automatically. The reward is that of the player that acted. An illegal
    action changes nothing and is reported in `info["illegal"]`. A game that is over restarts at the
    next step. `device` is that of `game.batch`; observations are copied to the host.
    """
    return BatchEnvironment(_game(spec, parameters), num_envs, seed, threads, device)


def _game(spec: "str | Path | Game", parameters: dict[str, Any]) -> Game:
    return bind(spec, parameters) if isinstance(spec, Game) else load(spec, **parameters)


class PlayerEnvironment(gymnasium.Env[dict[str, Any], Any]):
    """The environment of one player."""

    def __init__(
        self,
        game: Game,
        opponent: Opponent,
        player: str | None,
        render_mode: str | None,
    ) -> None:
        check_render_mode(render_mode)
        if player is not None and player not in game.players:
            raise UsageError(f"no player `{player}`: there is {', '.join(game.players)}")
        self.player = game.players.index(player) if player else 0
        self.metadata = {"render_modes": list(RENDERED), "render_fps": 1}
        self.opponents: Opponents | None = None
        if opponent == RANDOM:
            self.single, self.render_mode = SingleGame(game), render_mode
        else:
            self.opponents = Opponents(game, opponent, self.player)
            self.single, self.render_mode = RecordedGame(game), render_mode
        self.observation_space = space_of(self.single.observation(self.player))
        self.action_space = Actions(len(game.actions))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        super().reset(seed=seed)
        self.single.reset(seed)
        if self.opponents:
            self.opponents.begin(int(self.np_random.integers(_SEEDS)))
        self._play_others()
        return self._observation()

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        if self.single.underway.mover != self.player or not self.single.step(action_of(action)):
            return self._transition(LOST, True)
        self._play_others()
        underway = self.single.underway
        return self._transition(float(underway.payoffs[self.player]), underway.over)

    def action_masks(self) -> Array:
        """Return the legal actions, in the format of sb3-contrib."""
        return self.single.mask(self.player).astype(bool)

    def render(self) -> Any:
        return self.single.rendered(self.render_mode, self.player)

    def close(self) -> None:
        """End the programs of the opponents."""
        if self.opponents:
            self.opponents.close()

    def _observation(self) -> tuple[dict[str, Any], dict[str, Any]]:
        observation = self.single.observation(self.player)
        return observation, {"action_mask": observation["action_mask"]}

    def _transition(
        self, reward: float, over: bool
    ) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        observation, info = self._observation()
        return observation, reward, over, False, info

    def _play_others(self) -> None:
        single = self.single
        while not single.underway.over and single.underway.mover != self.player:
            if self.opponents and isinstance(single, RecordedGame):
                move = self.opponents.move(single)
                for action in single.game.actions.action_of(single.state, move):
                    single.step(action)
            else:
                single.draw()


class BatchEnvironment(VectorEnv[dict[str, Any], Any, Any]):
    """A vector environment of the games of a batch."""

    def __init__(
        self, game: Game, num_envs: int, seed: int, threads: int, device: str = "cpu"
    ) -> None:
        self.batch = game.batch(num_envs, seed=seed, threads=threads, restart=True, device=device)
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}
        self.render_mode = None
        self._settle()
        self.single_observation_space = space_of({k: v[0] for k, v in self._observation().items()})
        self.single_action_space = Actions(len(game.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        if isinstance(seed, Sequence) and not isinstance(seed, str):
            self._reset_each(seed)
        else:
            self.batch.reset(seed=seed)
            super().reset(seed=seed)
        self._settle()
        return self._observation(), {"action_mask": np.array(self.batch.mask)}

    def step(self, actions: Any) -> tuple[dict[str, Any], Array, Array, Array, dict[str, Any]]:
        batch = self.batch
        acted, were_over = np.maximum(np.asarray(batch.mover), 0), np.array(batch.over)
        refused = batch.step(actions)
        self._settle()
        rewards = np.asarray(batch.payoffs)[np.arange(self.num_envs), acted].astype(np.float64)
        rewards[were_over] = 0.0
        illegal = np.zeros(self.num_envs, bool)
        illegal[refused] = True
        infos = {"action_mask": np.array(batch.mask), "illegal": illegal}
        cut = np.zeros(self.num_envs, bool)
        return self._observation(), rewards, np.array(batch.over), cut, infos

    def _observation(self) -> dict[str, Any]:
        """Return the observation of the player to move in each game."""
        planes = np.asarray(self.batch.observe()).view(np.int8)
        observation: dict[str, Any] = {"observation": planes}
        numbers = self.batch.numbers()
        if numbers.shape[1]:
            observation["numbers"] = numbers
        return {**observation, "action_mask": np.asarray(self.batch.mask).astype(np.int8)}

    def _reset_each(self, seeds: Sequence[int]) -> None:
        """Restart each game with its own seed. Raises UsageError."""
        if len(seeds) != self.num_envs:
            raise UsageError(f"expected {self.num_envs} seeds, found {len(seeds)}")
        for number, seed in enumerate(seeds):
            self.batch.reset(number, seed=seed)

    def _settle(self) -> None:
        """Draw chance events until no game is at a chance node; other games are unchanged."""
        nothing = np.full(self.num_envs, NOTHING)
        while (chance := np.asarray(self.batch.mover) == CHANCE).any():
            self.batch.step(nothing, where=chance)


register_games()
