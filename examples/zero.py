"""Train a policy and value network by self-play with tree search on a batch (extra `arrays`).

    python examples/zero.py                          # a short training for tic-tac-toe on the CPU
    python examples/zero.py connect-four --device cuda --games 2048 --seconds 120 --matches 400

The method is AlphaZero's (Silver and others, Science 362, 2018): a search guided by a network
(PUCT) chooses the moves, and the network learns the visits of the search and the results. The nodes
of all trees are games of one batch. The network evaluates one leaf of each tree at a time. With a
GPU the games and the network stay there (CuPy); otherwise NumPy computes.
"""

import argparse
import json
import time
from collections import deque
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import rulesengine

EXPLORATION, NOISE, FIRST_PLIES = 1.5, 0.25, 8
RATE, DECAY, BATCH, LAYERS = 1e-3, 1e-4, 512, (256, 256)
MOST_MOVES = 256  # of a game that are stored


class Network:
    """A network with two hidden layers, from planes to logits and a value; Adam trains it."""

    def __init__(self, xp: Any, inputs: int, actions: int, seed: int = 0) -> None:
        self.xp, draws = xp, np.random.default_rng(seed)
        sizes = (inputs, *LAYERS)
        pairs = [*pairwise(sizes), (sizes[-1], actions), (sizes[-1], 1)]
        self.weights: list[Any] = []
        for a, b in pairs:
            scale = (2 / a) ** 0.5 if b in LAYERS else 0.01
            drawn = xp.asarray(draws.normal(0, scale, (a, b)), "float32")
            self.weights += [drawn, xp.zeros(b, "float32")]
        self.moments = [(xp.zeros_like(w), xp.zeros_like(w)) for w in self.weights]
        self.steps = 0

    def layers(self, x: Any) -> Any:
        """Return the activations, the logits and the values of positions."""
        w1, b1, w2, b2, wp, bp, wv, bv = self.weights
        one = self.xp.maximum(x @ w1 + b1, 0)
        two = self.xp.maximum(one @ w2 + b2, 0)
        return one, two, two @ wp + bp, self.xp.tanh(two @ wv + bv)[:, 0]

    def evaluate(self, x: Any, mask: Any) -> Any:
        """Return the probabilities of the legal actions, and the values for the player to move."""
        _, _, logits, values = self.layers(x)
        return softmax(self.xp, logits, mask), values

    def learn(self, x: Any, mask: Any, wanted: Any, results: Any) -> float:
        """Take a step on cross-entropy plus squared error; return the loss."""
        xp, (_, _, w2, _, wp, _, wv, _) = self.xp, self.weights
        one, two, logits, values = self.layers(x)
        found, count = softmax(xp, logits, mask), len(x)
        loss = -(wanted * xp.log(found + 1e-9)).sum() / count + ((values - results) ** 2).mean()
        d_logits = (found - wanted) / count
        d_value = (2 * (values - results) * (1 - values**2) / count)[:, None]
        d_two = (d_logits @ wp.T + d_value @ wv.T) * (two > 0)
        d_one = (d_two @ w2.T) * (one > 0)
        pairs = ((x, d_one), (one, d_two), (two, d_logits), (two, d_value))
        self._step([g for a, d in pairs for g in (a.T @ d, d.sum(axis=0))])
        return float(loss)

    def _step(self, slopes: Any) -> None:
        self.steps += 1
        for w, slope, (first, second) in zip(self.weights, slopes, self.moments, strict=True):
            first += 0.1 * (slope - first)
            second += 0.001 * (slope**2 - second)
            even = first / (1 - 0.9**self.steps), second / (1 - 0.999**self.steps)
            w -= RATE * (even[0] / (self.xp.sqrt(even[1]) + 1e-8) + DECAY * w)


def softmax(xp: Any, logits: Any, mask: Any) -> Any:
    """Return probabilities over the set flags of each row; 0 for a row without any."""
    held = xp.where(mask, logits, -1e9)
    powers = xp.exp(held - held.max(axis=1, keepdims=True)) * mask
    return powers / xp.maximum(powers.sum(axis=1, keepdims=True), 1e-9)


class Search:
    """PUCT over many positions at once; tree g has the nodes g * size to g * size + size - 1."""

    def __init__(
        self, xp: Any, game: Any, network: Any, count: int, playouts: int, device: str
    ) -> None:
        self.xp, self.network, self.count, self.size = xp, network, count, playouts + 1
        self.tree = game.batch(count * self.size, device=device)
        self.leaf = game.batch(count, device=device)
        self.players, self.actions = len(game.players), len(game.actions)
        self.rows = xp.arange(count)

    def visits(self, roots: Any, noise: bool, draws: Any) -> Any:
        """Return how often the search took each action in the games of a batch."""
        xp, shape = self.xp, (self.count, self.size, self.actions)
        self.tree.copy_games(np.arange(self.count) * self.size, np.arange(self.count), roots)
        self.n, self.w = xp.zeros(shape, "float32"), xp.zeros(shape, "float32")
        self.child = xp.full(shape, -1, "int32")
        self.prior, self.legal = xp.zeros(shape, "float32"), xp.zeros(shape, bool)
        self.mover = xp.zeros(shape[:2], "int64")
        self.over = xp.zeros(shape[:2], bool)
        self.worth = xp.zeros((self.count, self.players), "float32")
        self._add(0, roots)
        if noise:
            random = xp.asarray(draws.dirichlet(np.full(self.actions, 0.5), self.count), "float32")
            random = random * self.legal[:, 0]
            random /= xp.maximum(random.sum(axis=1, keepdims=True), 1e-9)
            self.prior[:, 0] = (1 - NOISE) * self.prior[:, 0] + NOISE * random
        for node in range(1, self.size):
            self._simulate(node)
        return self.n[:, 0]

    def _add(self, node: int, batch: Any) -> None:
        """Store the games of a batch as a node of each tree, with the network's evaluation."""
        xp, rows = self.xp, self.rows
        mask, mover = xp.asarray(batch.mask), xp.asarray(batch.mover)
        self.legal[:, node], self.mover[:, node] = mask, mover
        self.over[:, node] = xp.asarray(batch.over)
        self.prior[:, node], value = self.network.evaluate(seen(xp, batch), mask)
        # A value is that of the player to move; with two players the other one has its negative.
        self.worth[:] = -value[:, None] if self.players == 2 else 0
        self.worth[rows, xp.maximum(mover, 0)] = value
        paid = xp.asarray(batch.payoffs)
        self.worth[:] = xp.where(self.over[:, node, None], paid, self.worth)

    def _simulate(self, number: int) -> None:
        """Descend to a leaf in each tree, add it, and update the path to it."""
        xp, rows, path = self.xp, self.rows, []
        node = xp.zeros(self.count, "int32")
        last, chosen = node, xp.zeros(self.count, "int64")
        active = ~self.over[rows, node]
        while bool(active.any()):
            action = self._select(node)
            path.append((node, action, active))
            last, chosen = xp.where(active, node, last), xp.where(active, action, chosen)
            following = self.child[rows, node, action]
            goes_on = active & (following >= 0)
            node = xp.where(goes_on, following, node)
            active = goes_on & ~self.over[rows, node]
        ends = self.over[rows, node]  # the path ends at a game that is over
        self._expand(number, node, xp.where(ends, -1, chosen))
        for at, action, was in path:
            mover = xp.maximum(self.mover[rows, at], 0)
            self.n[rows, at, action] += was
            self.w[rows, at, action] += was * self.worth[rows, mover]
        new = rows[~ends]
        self.child[new, last[new], chosen[new]] = number

    def _expand(self, number: int, node: Any, actions: Any) -> None:
        """Make the chosen action in the games of some nodes, and store those as a new node."""
        every = np.arange(self.count)
        first = every * self.size
        self.leaf.copy_games(every, first + to_host(node), self.tree)
        self.leaf.step(actions)
        self._add(number, self.leaf)
        self.tree.copy_games(first + number, every, self.leaf)

    def _select(self, node: Any) -> Any:
        """Return the action of the highest upper bound in each node."""
        xp, rows = self.xp, self.rows
        n, w = self.n[rows, node], self.w[rows, node]
        total = xp.sqrt(n.sum(axis=1, keepdims=True) + 1)
        bound = w / xp.maximum(n, 1) + EXPLORATION * self.prior[rows, node] * total / (1 + n)
        return xp.where(self.legal[rows, node], bound, -1e9).argmax(axis=1)


def to_host(array: Any) -> Any:
    """Return an array of NumPy."""
    return array.get() if hasattr(array, "get") else np.asarray(array)


def seen(xp: Any, batch: Any) -> Any:
    """Return the observations of the players to move, one row for each game."""
    return xp.asarray(batch.observe()).reshape(len(batch), -1).astype("float32")


class Positions:
    """The latest positions of games that have ended, with the targets of the network."""

    def __init__(self, xp: Any, inputs: int, actions: int, most: int = 200_000) -> None:
        self.xp, self.most, self.count, self.end = xp, most, 0, 0
        shapes = (inputs,), (actions,), (actions,), ()
        self.columns = [xp.zeros((most, *shape), "float32") for shape in shapes]

    def add(self, *rows: Any) -> None:
        """Store rows of each column over the oldest ones."""
        number = len(rows[0])
        places = (self.end + self.xp.arange(number)) % self.most
        for column, new in zip(self.columns, rows, strict=True):
            column[places] = new
        self.end = (self.end + number) % self.most
        self.count = min(self.count + number, self.most)

    def sample(self, draws: Any, number: int) -> Any:
        picks = self.xp.asarray(draws.integers(self.count, size=number))
        return [column[picks] for column in self.columns]


class Trainer:
    """Self-play in a batch, and steps of learning from its positions."""

    def __init__(
        self, xp: Any, game: Any, games: int, playouts: int, device: str, seed: int = 0
    ) -> None:
        self.xp, self.games, self.draws = xp, games, np.random.default_rng(seed)
        self.batch = game.batch(games, seed=seed, restart=True, device=device)
        inputs, actions = seen(xp, self.batch).shape[1], len(game.actions)
        self.network = Network(xp, inputs, actions, seed)
        self.search = Search(xp, game, self.network, games, playouts, device)
        self.past: deque[Any] = deque(maxlen=MOST_MOVES)
        self.moves = xp.zeros(games, "int64")  # of each game in `past`
        self.positions = Positions(xp, inputs, actions)

    def play(self) -> None:
        """Make a move in each game; store the positions of games that have ended."""
        xp, batch = self.xp, self.batch
        visits = self.search.visits(batch, True, self.draws)
        mask, over = xp.array(batch.mask), xp.array(batch.over)
        wanted = visits / xp.maximum(visits.sum(axis=1, keepdims=True), 1)
        drawn = xp.asarray(self.draws.random((self.games, 1)))
        random = (wanted.cumsum(axis=1) > drawn).argmax(axis=1)
        actions = xp.where(xp.array(batch.plies) < FIRST_PLIES, random, visits.argmax(axis=1))
        self.past.append((seen(xp, batch), mask, wanted, xp.maximum(xp.array(batch.mover), 0)))
        self.moves = xp.where(over, 0, self.moves + 1)
        batch.step(xp.where(over, -1, actions))
        self._store(xp.array(batch.over) & ~over)

    def _store(self, ended: Any) -> None:
        """Store the positions of games that have just ended."""
        xp, paid = self.xp, self.xp.array(self.batch.payoffs)
        for back in range(min(len(self.past), int((self.moves * ended).max()))):
            rows = xp.flatnonzero(ended & (self.moves > back))
            x, mask, wanted, mover = self.past[-1 - back]
            results = paid[rows, mover[rows]]
            self.positions.add(x[rows], mask[rows], wanted[rows], results)

    def learn(self, steps: int) -> float:
        """Take steps on random positions; return the mean loss."""
        if not self.positions.count:
            return 0.0
        losses = []
        for _ in range(steps):
            x, mask, wanted, results = self.positions.sample(self.draws, BATCH)
            losses.append(self.network.learn(x, mask > 0, wanted, results))
        return sum(losses) / len(losses)


def match(
    xp: Any, game: Any, network: Any, games: int, playouts: int, device: str, opponent: Any
) -> float:
    """Return the score of the network in games against another player; sides alternate."""
    batch, draws = game.batch(games, seed=7, device=device), np.random.default_rng(7)
    search = Search(xp, game, network, games, playouts, device)
    side = np.arange(games) % 2
    while not np.array(batch.over).all():
        mover = np.array(batch.mover)
        found = to_host(search.visits(batch, False, draws))
        # equal games would repeat: the first plies are drawn by visits
        early = np.array(batch.plies) < 2
        wanted = found / np.maximum(found.sum(axis=1, keepdims=True), 1)
        random = (wanted.cumsum(axis=1) > draws.random((games, 1))).argmax(axis=1)
        actions = np.where(early, random, found.argmax(axis=1))
        for g in np.flatnonzero((mover >= 0) & (mover != side)):
            actions[g] = opponent(batch, g)
        batch.step(np.where(mover < 0, -1, actions))
    paid = np.array(batch.payoffs)[np.arange(games), side]
    return float((paid > 0).mean() + (paid == 0).mean() / 2)


def searcher(game: Any, playouts: int) -> Any:
    """Return a player by tree search with so many random games for each move."""

    def choose(batch: Any, g: int) -> Any:
        state = batch.state(g)
        move = game.search(state, playouts=playouts).move
        return game.actions.action_of(state, move)[0]

    return choose


def main() -> None:
    """Train, play a match, and write the figures."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("spec", nargs="?", default="tic-tac-toe")
    options.add_argument("--device", default="cpu", help="cpu or cuda")
    options.add_argument("--games", type=int, default=64, help="games at a time")
    options.add_argument("--playouts", type=int, default=16, help="nodes of a search")
    options.add_argument("--moves", type=int, default=40, help="moves of each game at least")
    options.add_argument("--seconds", type=float, default=0, help="train for so long instead")
    options.add_argument("--matches", type=int, default=40, help="games of the match")
    options.add_argument("--rival", type=int, default=10, help="random games a move of the rival")
    options.add_argument("--out", type=Path, help="a file for the figures, as JSON")
    given = options.parse_args()
    xp = np if given.device == "cpu" else import_module("cupy")
    game = rulesengine.load(given.spec)
    trainer = Trainer(xp, game, given.games, given.playouts, given.device)
    begun, loss, moves = time.perf_counter(), 0.0, 0
    while moves < given.moves if not given.seconds else time.perf_counter() - begun < given.seconds:
        trainer.play()
        loss, moves = trainer.learn(4), moves + 1
    seconds = time.perf_counter() - begun
    rival = searcher(game, given.rival)
    score = match(xp, game, trainer.network, given.matches, given.playouts, given.device, rival)
    figures = {"spec": given.spec, "device": given.device, "moves": moves * given.games}
    figures |= {"seconds": round(seconds, 1), "loss": round(loss, 3), "score": score}
    print(json.dumps(figures))
    if given.out:
        given.out.write_text(json.dumps(figures))


if __name__ == "__main__":
    main()
