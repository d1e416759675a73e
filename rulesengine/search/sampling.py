"""Random games from the leaves of a tree."""

from typing import TypeVar

from rulesengine.drivers import UNFINISHED, Judged, draw, generator
from rulesengine.limits import MAX_PLIES
from rulesengine.memory import Memory, Word, load, store
from rulesengine.search.statistics import count_moves, gained, note_of
from rulesengine.search.tree_layout import (
    DEEPEST,
    GAMES,
    HORIZON,
    NOTED,
    NOTES,
    PATH,
    PLAYOUTS,
    SLOTS,
    TOTALS,
    VISITS,
)

S = TypeVar("S")
M = TypeVar("M")


def sampled(
    game: Judged[S, M],
    leaf: S,
    number: int,
    end: int,
    seed: Word,
    length: int,
    sides: int,
    own: Memory,
) -> int:
    """Random games from a leaf, by their numbers; the number behind that of the last one."""
    last = min(end, number + load(own, GAMES))
    for each in range(number, last):
        winner = followed(game, leaf, seed, each, length - 1, sides, own)
        store(own, PLAYOUTS, each + 1)
        count_result(winner, length, sides, own)
    return last


def followed(
    game: Judged[S, M], leaf: S, seed: Word, number: int, noted: int, sides: int, own: Memory
) -> int:
    """Who wins a random game whose moves are noted, or who is ahead after so many plies."""
    state, slots = leaf, load(own, SLOTS)
    random = generator(seed, number)
    horizon = load(own, HORIZON)
    for _ in range(horizon if horizon > 0 else MAX_PLIES):
        moves = game.likely(state)
        if not moves:
            break
        weight = game.weight(state)
        random, chosen = draw(random, weight if weight > 0 else len(moves))
        if weight > 0:
            chosen = game.branch(state, chosen)
        if slots != 0 and noted < DEEPEST:
            store(own, NOTES + noted, note_of(game.code(moves[chosen]), game.mover(state), own))
            noted += 1
        state = game.apply(state, moves[chosen])
    store(own, NOTED, noted)
    winner = game.winner(state)
    if winner == UNFINISHED and horizon > 0:
        return leader(game, state, sides)
    return max(-1, winner)


def leader(game: Judged[S, M], state: S, sides: int) -> int:
    """The player whom the evaluation sees ahead of all others, -1 for nobody."""
    best, ahead = game.estimate(state, 0), 0
    for player in range(1, sides):
        value = game.estimate(state, player)
        if value == best:
            ahead = -1
        elif value > best:
            best, ahead = value, player
    return ahead


def count_result(winner: int, length: int, sides: int, own: Memory) -> int:
    """Note a result in all nodes of the line in hand; gives how many nodes of it note its moves."""
    for i in range(length):
        node = load(own, PATH + i)
        store(own, node + VISITS, load(own, node + VISITS) + 1)
        for player in range(sides):
            at = node + TOTALS + player
            store(own, at, load(own, at) + gained(winner, player))
    return count_moves(winner, length, own) if load(own, SLOTS) != 0 else 0
