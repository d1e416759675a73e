"""A small network that learns a game from its spec by self-play, until it beats random play.

    python docs/learning.py tic-tac-toe 1000

The games run in a batch with an epsilon-greedy policy. The network estimates the final payoff for
each action (Monte Carlo control: Sutton and Barto, Reinforcement Learning, 2018, chapter 5). It has
one hidden layer, in NumPy alone.
"""

import sys

import numpy as np

import rulesengine

GAMES, HIDDEN, RATE, CURIOSITY = 128, 64, 1.0, 0.15


class Network:
    """A network from planes of cells to a value for each action."""

    def __init__(self, inputs, actions, draws):
        self.first = draws.normal(0, inputs**-0.5, (inputs, HIDDEN))
        self.second = np.zeros((HIDDEN, actions))

    def __call__(self, seen):
        return np.maximum(seen @ self.first, 0) @ self.second

    def learn(self, seen, actions, wanted):
        """Take a gradient step on the squared error of the values of the chosen actions."""
        hidden, places = np.maximum(seen @ self.first, 0), np.arange(len(seen))
        error = wanted - (hidden @ self.second)[places, actions]
        slopes = np.zeros((len(seen), self.second.shape[1]))
        slopes[places, actions] = RATE * error / len(seen)
        back = (slopes @ self.second.T) * (hidden > 0)
        self.second += hidden.T @ slopes
        self.first += seen.T @ back


def seen_by(batch):
    """Return the observation of the player to move, one row for each game."""
    planes = batch.observe().reshape(len(batch), -1)
    return np.hstack([planes, np.ones((len(batch), 1))]).astype(float)


def best(network, batch, seen):
    """Return the legal action with the highest value in each game."""
    return np.where(batch.mask, network(seen), -np.inf).argmax(axis=1)


def learned(game, steps, seed=0):
    """Return the network after the given number of steps of a batch."""
    draws = np.random.default_rng(seed)
    batch = game.batch(GAMES, seed=seed, restart=True)
    network = Network(seen_by(batch).shape[1], len(game.actions), draws)
    lines = [[] for _ in range(GAMES)]
    for _ in range(steps):
        seen, mover, played = seen_by(batch), batch.mover.copy(), ~batch.over
        curious = draws.random(GAMES) < CURIOSITY
        actions = np.where(curious | ~played, batch.sample(), best(network, batch, seen))
        batch.step(actions)
        for number in np.flatnonzero(played):
            lines[number].append((seen[number], actions[number], mover[number]))
        learn_from(network, batch, lines, np.flatnonzero(batch.over & played))
    return network


def learn_from(network, batch, lines, ended):
    """Learn from the games that have just ended."""
    told = [(*ply, batch.payoffs[number, ply[2]]) for number in ended for ply in lines[number]]
    for number in ended:
        lines[number].clear()
    if told:
        seen, actions, _, paid = zip(*told, strict=True)
        network.learn(np.array(seen), np.array(actions), np.array(paid, float))


def against_random(game, network, seed=1):
    """Return the mean payoff against random play, as the first and the second player."""
    batch = game.batch(4 * GAMES, seed=seed)
    own = np.arange(len(batch)) % 2
    while not batch.over.all():
        mine = (batch.mover == own) & ~batch.over
        batch.step(np.where(mine, best(network, batch, seen_by(batch)), batch.sample()))
    return batch.payoffs[np.arange(len(batch)), own].mean()


if __name__ == "__main__":
    game, steps = rulesengine.load(sys.argv[1]), int(sys.argv[2])
    print(f"{against_random(game, learned(game, steps)):+.2f} of 1 against random play")
