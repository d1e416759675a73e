"""PettingZoo environments, by the extra `rl`: players in turn (AEC), or in parallel.

An action is a step of a move (`game.actions`). The mask of the legal ones is part of the
observation, as in PettingZoo's own games. Rewards are payoffs, when the game is over.
"""

import sys
from collections.abc import Iterator
from itertools import repeat
from typing import TYPE_CHECKING, Any, Literal

from rulesengine.errors import UsageError
from rulesengine.language.ir.rules import is_always_together
from rulesengine.loading import load
from rulesengine.support.frozen import replace
from rulesengine.support.limits import MAX_PLIES

try:
    from pettingzoo import AECEnv, ParallelEnv

    from rulesengine.adapters.single_game import (
        LOST,
        RENDERED,
        SingleGame,
        action_of,
        check_render_mode,
    )
    from rulesengine.adapters.spaces import Actions, space_of
except ImportError:
    raise UsageError("environments of PettingZoo need the extra `rl` of this package") from None

if TYPE_CHECKING:
    from pathlib import Path

    from gymnasium import spaces

Agent = str
Illegal = Literal["end", "draw"]
_BEGUN = "no player is to act: reset the environment first"


def env(
    spec: "str | Path",
    /,
    *,
    illegal: Illegal = "end",
    max_cycles: int = MAX_PLIES,
    render_mode: str | None = None,
    **parameters: Any,
) -> "AECEnv[Agent, Any, Any]":
    """Return an AEC environment, whose players act in turn; `parameters` are those of `load`.

    An illegal action ends the game with reward -1 for its agent; or a legal one is drawn in its
    place (`illegal`). After `max_cycles` actions of every player the game is truncated.
    """
    return AecEnvironment(spec, illegal, max_cycles, render_mode, parameters)


def parallel_env(
    spec: "str | Path",
    /,
    *,
    illegal: Illegal = "end",
    max_cycles: int = MAX_PLIES,
    render_mode: str | None = None,
    **parameters: Any,
) -> "ParallelEnv[Agent, Any, Any]":
    """Return a parallel environment: all agents act in each step.

    Where the players always move together, a step is a round. In other games only the action of the
    player to move counts.
    """
    return ParallelEnvironment(spec, illegal, max_cycles, render_mode, parameters)


class _Table:
    """The common part of both environments: a game, agents and their spaces."""

    def __init__(
        self,
        spec: "str | Path",
        illegal: Illegal,
        max_cycles: int,
        render_mode: str | None,
        parameters: dict[str, Any],
    ) -> None:
        check_render_mode(render_mode)
        if illegal not in ("end", "draw"):
            raise UsageError(f"`illegal` is `end` or `draw`, found {illegal!r:.40}")
        self.single = SingleGame(load(spec, **parameters))
        self.illegal, self.max_cycles, self.render_mode = illegal, max_cycles, render_mode
        game = self.single.game
        self.metadata = {
            "name": game.name,
            "render_modes": list(RENDERED),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.possible_agents = list(game.players)
        self._places = {agent: place for place, agent in enumerate(game.players)}
        self.agents: list[Agent] = []
        self.observation_spaces = {
            agent: space_of(self.single.observation(k)) for k, agent in enumerate(game.players)
        }
        self.action_spaces = {agent: Actions(len(game.actions)) for agent in game.players}

    def observation_space(self, agent: Agent) -> "spaces.Space[Any]":
        return self.observation_spaces[agent]

    def action_space(self, agent: Agent) -> "spaces.Space[Any]":
        return self.action_spaces[agent]

    def observe(self, agent: Agent) -> Any:
        return self.single.observation(self._places[agent])

    def render(self) -> Any:
        return self.single.rendered(self.render_mode)

    def close(self) -> None:
        """Do nothing: there are no resources."""

    def replaced(self) -> bool:
        """Take a random legal action for an illegal one, if `illegal` is `draw`. True if so."""
        if self.illegal == "draw":
            self.single.draw()
        return self.illegal == "draw"

    def paid(self) -> dict[Agent, float]:
        """Return the payoff of each player."""
        payoffs = map(float, self.single.underway.payoffs)
        return dict(zip(self.possible_agents, payoffs, strict=True))


class AecEnvironment(_Table, AECEnv[Agent, Any, Any]):  # type: ignore[misc]
    """An AEC environment, in which players act in the order of the rules.

    It validates actions itself, since the wrappers of PettingZoo are slower than the games, and
    inlines helper calls of its base class.
    """

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._no_flags = dict.fromkeys(self.possible_agents, False)
        self._no_rewards = dict.fromkeys(self.possible_agents, 0.0)
        self._no_actions = dict.fromkeys(self.possible_agents, 0)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        single, agents = self.single, self.possible_agents.copy()
        single.reset(seed)
        underway, over = single.underway, self._no_flags
        self.agents = agents
        self.rewards, self._cumulative_rewards = self._no_rewards.copy(), self._no_rewards.copy()
        self.terminations = dict.fromkeys(agents, True) if underway.over else over.copy()
        self.truncations = over.copy()
        self.infos: dict[Agent, dict[str, Any]] = {agent: {} for agent in agents}
        self.acted = self._no_actions.copy()
        self.agent_selection = agents[max(0, underway.mover)]

    def agent_iter(self, max_iter: int = sys.maxsize) -> Iterator[Agent]:
        """Yield the agent to act, at most `max_iter` times, while there are agents."""
        for _ in repeat(None, min(max_iter, sys.maxsize)):
            if not self.agents:
                return
            yield self.agent_selection

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if not self.agents:
            raise UsageError(_BEGUN)
        agent = self.agent_selection
        return (
            self.single.observation(self._places[agent]) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def step(self, action: Any) -> None:
        if not self.agents:
            raise UsageError(_BEGUN)
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._leave(action)
            return
        single = self.single
        if not (single.step(action_of(action)) or self.replaced()):
            self._end_by(agent)
            return
        self.acted[agent] = acted = self.acted[agent] + 1
        mover = single.underway.mover
        if mover < 0:
            self._end(agent, self.terminations, self.paid())
        elif acted >= self.max_cycles and self._is_cut_off():
            self._end(agent, self.truncations, self.rewards)
        else:
            # Rewards are still 0, as after the reset.
            self.agent_selection = self.possible_agents[mover]

    def _is_cut_off(self) -> bool:
        """True if every player has acted `max_cycles` times."""
        return min(self.acted.values()) >= self.max_cycles

    def _end(self, agent: Agent, flags: dict[Agent, bool], rewards: dict[Agent, float]) -> None:
        """End the game after an agent's action; the agents leave in their order."""
        flags.update(dict.fromkeys(self.agents, True))
        self.rewards = rewards
        self._accumulate_rewards()
        self.agent_selection = self.agents[0]

    def _end_by(self, agent: Agent) -> None:
        """End the game after an illegal action, as `TerminateIllegalWrapper` does."""
        self.truncations = dict.fromkeys(self.agents, True)
        rewards = {**dict.fromkeys(self.agents, 0.0), agent: LOST}
        self._end(agent, self.terminations, rewards)

    def _leave(self, action: Any) -> None:
        """Remove an agent whose game has ended, as `_was_dead_step` does."""
        if action is not None:
            raise ValueError("when an agent is dead, the only valid action is None")
        agent = self.agent_selection
        for per_agent in (
            self.terminations,
            self.truncations,
            self._cumulative_rewards,
            self.infos,
        ):
            del per_agent[agent]
        self.agents.remove(agent)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.agents:
            self.agent_selection = self.agents[0]


class ParallelEnvironment(_Table, ParallelEnv[Agent, Any, Any]):  # type: ignore[misc]
    """A parallel environment, in which one of the agents is to move, or all of them."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        rules = self.single.game.rules
        self.is_of_rounds = is_always_together(rules)
        if self.is_of_rounds and rules.outs:
            name = self.single.game.name
            raise UsageError(f"{name}: a player who is out has no agent in a parallel round")
        self.metadata["is_parallelizable"] = self.is_of_rounds

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[Agent, Any], dict[Agent, Any]]:
        self.single.reset(seed)
        self.agents = list(self.possible_agents)
        self.cycles = 0
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[Agent, Any]
    ) -> tuple[
        dict[Agent, Any], dict[Agent, float], dict[Agent, bool], dict[Agent, bool], dict[Agent, Any]
    ]:
        if not self.agents:
            raise UsageError(_BEGUN)
        agents, lost = self.agents, self._act(actions)
        if lost is None:
            rewards, over = self.paid(), self.single.underway.over
        else:
            rewards, over = {**dict.fromkeys(agents, 0.0), lost: LOST}, True
        self.cycles += 1
        cut = not over and self.cycles >= self.max_cycles
        observations = self._observations()
        if over or cut:
            self.agents = []
        infos: dict[Agent, Any] = {agent: {} for agent in agents}
        return observations, rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, cut), infos

    def _act(self, actions: dict[Agent, Any]) -> Agent | None:
        """Take the actions of a ply. Return the agent of an illegal one."""
        single, movers = self.single, self.possible_agents
        acting = movers if self.is_of_rounds else [movers[single.underway.mover]]
        try:
            agent_actions = {agent: action_of(actions[agent]) for agent in acting}
        except (LookupError, TypeError):
            agents = " and ".join(f"`{agent}`" for agent in acting)
            message = f"expected a map with an action of {agents}, found {actions!r:.60}"
            raise UsageError(message) from None
        for agent, action in agent_actions.items():
            if not (single.step(action) or self.replaced()):
                return agent
        return None

    def observe(self, agent: Agent) -> Any:
        """Return an observation; in a round all agents are to move, each with a mask of its own."""
        observation = super().observe(agent)
        if self.is_of_rounds and not self.single.underway.over:
            observation["observation"][-1] = 1
            observation["action_mask"] = self._mask(self._places[agent])
        return observation

    def _mask(self, place: int) -> Any:
        """Return the legal actions of a player at the beginning of a round."""
        single = self.single
        state = replace(single.underway.position.state, side=place)
        mask = single.mask(place) * 0
        for action, *_ in single.game.actions.paths(state):
            mask[action] = 1
        return mask

    def _observations(self) -> dict[Agent, Any]:
        return {agent: self.observe(agent) for agent in self.agents}
