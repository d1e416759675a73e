"""Play a thousand random games in parallel in NumPy arrays (extra `arrays`).

    python examples/batch_playouts.py               # 1000 games of Connect Four
    python examples/batch_playouts.py hex 200

The arguments are a game and a number of games.
"""

import sys

import numpy as np

import rulesengine


def main(spec: str = "connect-four", games: str = "1000") -> None:
    """Print the results, the lengths, and the most frequent first action."""
    game = rulesengine.load(spec)
    count = int(games)
    batch = game.batch(count, seed=1)

    # `mask` is games x actions. An action is a step of a move, by its number in `game.actions`.
    legal = int(batch.mask[0].sum())
    print(f"{count} games, {batch.mask.shape[1]} actions, {legal} of them legal at first")

    first = np.full(count, -1)
    while not batch.over.all():
        # `sample` draws a legal action in each game, and -1 in a game that is over. A policy of
        # your own returns such an array too: np.where(batch.mask, scores, -np.inf).argmax(axis=1).
        actions = batch.sample()
        first = np.where(first < 0, actions, first)
        refused = batch.step(actions)
        assert not refused.size  # the numbers of games whose action was illegal

    # `payoffs` is games x players: 1 for a win, -1 for a loss, 0 for a draw.
    won = (batch.payoffs > 0).mean(axis=0)
    for player, share in zip(game.players, won, strict=True):
        print(f"{player} wins {share:.3f}")
    print(f"draws {(batch.payoffs == 0).all(axis=1).mean():.3f}")
    print(f"plies: mean {batch.plies.mean():.1f}, longest {batch.plies.max()}")
    numbers, times = np.unique(first, return_counts=True)
    most = int(times.argmax())
    print(f"most frequent first action: {game.actions[int(numbers[most])]}, {times[most]} times")


if __name__ == "__main__":
    main(*sys.argv[1:])
