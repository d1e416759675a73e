"""Run a game as an environment of PettingZoo and of Gymnasium (extra `rl`).

    python examples/environments.py                 # Connect Four
    python examples/environments.py tic-tac-toe

The argument is a game. The agents draw legal actions; a learner would choose them.
"""

import sys

from rulesengine.bridges import gymnasium, pettingzoo


def turns(spec: str) -> None:
    """Play one game in which the agents act in turn (PettingZoo's AEC interface)."""
    env = pettingzoo.env(spec)
    env.reset(seed=1)
    rewards = dict.fromkeys(env.possible_agents, 0.0)
    actions = 0
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        rewards[agent] += reward
        if terminated or truncated:
            env.step(None)  # PettingZoo's rule: an agent that is done steps with None
            continue
        # The mask has a 1 for each legal action. An illegal action would end the game.
        env.step(env.action_space(agent).sample(seen["action_mask"]))
        actions += 1
    print(f"PettingZoo: {actions} actions, rewards {rewards}")


def one_player(spec: str, games: int) -> None:
    """Play some games as the first player against random moves (Gymnasium's interface)."""
    env = gymnasium.make(spec, opponent="random")
    total = 0.0
    for seed in range(games):
        _, info = env.reset(seed=seed)
        env.action_space.seed(seed)
        terminated = truncated = False
        while not (terminated or truncated):
            action = env.action_space.sample(info["action_mask"])
            _, reward, terminated, truncated, info = env.step(action)
            total += float(reward)
    print(f"Gymnasium: {games} games, mean reward {total / games:+.2f}")


def main(spec: str = "connect-four") -> None:
    """Play the game through both interfaces."""
    turns(spec)
    one_player(spec, 50)


if __name__ == "__main__":
    main(*sys.argv[1:])
