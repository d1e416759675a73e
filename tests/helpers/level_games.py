"""Games between levels of play and a greedy player, from seeded openings and from both sides."""

import random
from collections.abc import Callable

from rulesengine import Game, Move, State
from rulesengine.search.levels import Level

# A player chooses a move of a state by a seed, which differs from game to game, and by the ply.
Chooser = Callable[[State, int, int], Move]

LONGEST, LONGEST_OF_CHANCE = 300, 2000  # plies of a game; a longer one is a draw
OPENING = 4  # random plies


def level_player(game: Game, level: Level) -> Chooser:
    """Return the player of a level; it chooses as `search:level=N` does.

    Each ply of each game has noise of its own. The sum of both numbers would repeat it from game to
    game.
    """

    def choose(state: State, seed: int, ply: int) -> Move:
        number = seed << 16 | ply
        budget = level.budget(number)
        return game.search(
            state,
            nodes=budget.nodes,
            playouts=budget.playouts,
            method=budget.method,
            noise=budget.noise,
            evaluation=budget.evaluation,
            seed=number,
        ).move

    return choose


def greedy_player(game: Game, *, wins: bool = True) -> Chooser:
    """Return a player that takes as many pieces as it can at one ply, and else moves at random.

    If it `wins`, it makes a move that wins the game at once where there is one.
    """

    def choose(state: State, seed: int, ply: int) -> Move:
        draw, moves = random.Random(seed << 16 | ply), game.legal_moves(state)
        ranks = [(_gain(game, state, move, wins=wins), move) for move in moves]
        most = max(rank for rank, _ in ranks)
        return draw.choice([move for rank, move in ranks if rank == most])

    return choose


def _gain(game: Game, state: State, move: Move, *, wins: bool) -> tuple[bool, int]:
    after, owners = game.apply(state, move, check=False), len(game.players) + 1
    outcome = game.outcome(after) if wins else None
    left = sum(plane.bit_count() for plane in after.planes[1 - state.side :: owners])
    return outcome is not None and outcome.winner == state.mover, -left


def points(game: Game, one: Chooser, other: Chooser, number: int) -> float:
    """Return the points of the first player in a game; it moves first in even games.

    Two games in a row have the same opening and the same sequence of dice.
    """
    draw, state = random.Random(number // 2), game.initial_state()
    own = game.players[number % 2]
    decided = 0
    for ply in range(LONGEST_OF_CHANCE if game.rules.chance else LONGEST):
        moves = game.legal_moves(state)
        if game.outcome(state) is not None or not moves:
            break
        weights = game.weights(state)
        if weights:
            move = draw.choices(moves, weights)[0]
        elif decided < OPENING:
            move, decided = draw.choice(moves), decided + 1
        else:
            player = one if state.mover == own else other
            move = moves[0] if len(moves) == 1 else player(state, number, ply)
        state = game.apply(state, move, check=False)
    outcome = game.outcome(state)
    if outcome is None or outcome.winner is None:
        return 0.5
    return float(outcome.winner == own)
