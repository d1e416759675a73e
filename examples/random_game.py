"""Play a random game and print every position.

    python examples/random_game.py            # Othello on 4 x 4
    python examples/random_game.py breakthrough 7

The arguments are the name of a bundled game (`rulesengine list`) or the path of a spec, and a seed.
"""

import random
import sys

import rulesengine


def main(spec: str = "othello", seed: str = "1") -> None:
    """Print the moves and positions of one game, then its outcome."""
    # A parameter of the spec is a keyword: Othello on 4 x 4 is short enough to read.
    game = rulesengine.load(spec, n=4) if spec == "othello" else rulesengine.load(spec)
    draws = random.Random(int(seed))

    # States are values: `apply` returns a new state and leaves the old one as it is.
    state = game.initial_state()
    print(state)
    while game.outcome(state) is None:
        moves = game.legal_moves(state)
        # A chance event, such as a throw of dice, is a move too; its weights are not always equal.
        weights = game.weights(state) or None
        move = draws.choices(moves, weights)[0]
        print(f"\n{'chance' if weights else state.mover} plays {move}")
        state = game.apply(state, move)
        print(state)

    outcome = game.outcome(state)
    assert outcome is not None
    print(f"\n{outcome.winner or 'nobody'} wins: {outcome.reason}")
    for player, score in outcome.scores.items():
        print(f"{player}: {score}")


if __name__ == "__main__":
    main(*sys.argv[1:])
