"""Random games from the leaves of a tree."""

from typing import TypeVar

from rulesengine.drivers import UNFINISHED, Judged, draw, generator
from rulesengine.limits import MAX_PLIES
from rulesengine.memory import Memory, Word, load, store
from rulesengine.search.sharing import added, pending, taken
from rulesengine.search.statistics import count_moves, gained, note_of
from rulesengine.search.tree_layout import (
    DEEPEST,
    GAINED,
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
    pool: Memory,
) -> int:
    """Random games from a leaf, the first by its number, before `end`; how many they are."""
    count, played = min(load(own, GAMES), end - number), 0
    forget_results(sides, own)
    more = taken(count - 1, own, pool)
    for each in range(count):
        this = more + each - 1 if each > 0 else number
        if this >= end:
            break
        winner = followed(game, leaf, seed, this, length - 1, sides, own)
        note_result(winner, length, sides, own, pool)
        played += 1
    return back_up(played, length, sides, own, pool)


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


def forget_results(sides: int, own: Memory) -> int:
    """Begin with what other random games come to; gives the number of players."""
    for player in range(sides):
        store(own, GAINED + player, 0)
    return sides


def note_result(winner: int, length: int, sides: int, own: Memory, pool: Memory) -> int:
    """Note what a game has come to; gives how many nodes of the line in hand note its moves."""
    store(own, PLAYOUTS, load(own, PLAYOUTS) + 1)
    for player in range(sides):
        at = GAINED + player
        store(own, at, load(own, at) + gained(winner, player))
    return count_moves(winner, length, own, pool) if load(own, SLOTS) != 0 else 0


def back_up(games: int, length: int, sides: int, own: Memory, pool: Memory) -> int:
    """Add what so many games have come to to all nodes of the line in hand; gives their number.

    One visit of those has been counted by `entered`, if threads share the pool.
    """
    visits = games - pending(own)
    for i in range(length):
        node = load(own, PATH + i)
        if visits != 0:
            added(node + VISITS, visits, own, pool)
        for player in range(sides):
            total = load(own, GAINED + player)
            if total != 0:
                added(node + TOTALS + player, total, own, pool)
    return games
