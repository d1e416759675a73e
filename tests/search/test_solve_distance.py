"""Distances of solved positions against a plain minimax search."""

from functools import cache

import rulesengine
from rulesengine import Game, State
from rulesengine.engine.drivers.random import Generator


def random_position(game: Game, seed: int, plies: int) -> State | None:
    """Return the position after random moves; None if the game has ended."""
    state, draw = game.initial_state(), Generator(seed, 0)
    for _ in range(plies):
        moves = game.legal_moves(state)
        if not moves:
            return None
        state = game.apply(state, moves[draw.among([1] * len(moves))])
    return state if game.legal_moves(state) else None


def test_distances_are_exact_whenever_they_are_given() -> None:
    game = rulesengine.load("connect-four", engine="python", rows=4, columns=5)

    @cache
    def value(state: State) -> int:
        """Return 100 minus the plies to a win, negative for a loss, 0 for a draw."""
        outcome = game.outcome(state)
        if outcome is not None:
            return 0 if outcome.winner is None else -100
        values = [-value(game.apply(state, move)) for move in game.legal_moves(state)]
        best = max(values)
        return best - 1 if best > 0 else best + 1 if best < 0 else 0

    checked = 0
    for seed in range(12):
        state = random_position(game, seed, 12)
        if state is None:
            continue
        expected = value(state)
        distance = 100 - abs(expected) if expected else None
        assert game.solve(state, score=True).distance == distance
        for nodes in (5, 20, 80):
            assert game.solve(state, nodes=nodes).distance in (None, distance)
        checked += distance is not None
    assert checked > 3
