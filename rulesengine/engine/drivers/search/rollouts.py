"""Random games from a position, each told by a line of memory: who wins it, and its moves.

A line has the number of the player who wins, -1 for nobody, the number of notes, and these, one
for each move. A note is what is kept of a move: its place in statistics, and its player; -1 of
what chance does.
"""

from typing import TypeVar

from rulesengine.engine.drivers.core import Judged, draw, generator
from rulesengine.engine.drivers.memory import Memory, Word, store
from rulesengine.support.limits import MAX_PLIES

S = TypeVar("S")
M = TypeVar("M")

TOGETHER = 4  # games that are told of at once, at most
WINNER, NOTED, NOTES = range(3)
LINE = 4096  # words
MOST_NOTES = LINE - NOTES  # later moves are not noted

PLAYER_BITS = 6


def note_of(place: int, player: int, places: int) -> int:
    """The note of a move in statistics of so many places for each player."""
    return -1 if player < 0 else place + player * places << PLAYER_BITS | player


def rollouts(
    game: Judged[S, M],
    start: S,
    seed: Word,
    first: int,
    count: int,
    places: int,
    memory: Memory,
    at: int,
) -> int:
    """Play random games from a state in which the game goes on, by their numbers from `first` on,
    of likely moves; gives how many.

    Their lines are put at a place of memory, one behind the other. No move is noted if there are no
    places of statistics for each player.
    """
    for number in range(count):
        rollout(game, start, generator(seed, first + number), places, memory, at + number * LINE)
    return count


def rollout(
    game: Judged[S, M], start: S, random: Word, places: int, memory: Memory, line: int
) -> int:
    """Play a random game and put its line at a place of memory; gives who wins it."""
    state, noted = start, 0
    for _ in range(MAX_PLIES):
        moves = game.likely(state)
        if not moves:
            break
        weight = game.weight(state)
        random, chosen = draw(random, weight if weight > 0 else len(moves))
        if weight > 0:
            chosen = game.branch(state, chosen)
        if places != 0 and noted < MOST_NOTES:
            note = note_of(game.place(moves[chosen], places), game.mover(state), places)
            store(memory, line + NOTES + noted, note)
            noted += 1
        state = game.apply(state, moves[chosen])
    winner = max(-1, game.winner(state))
    store(memory, line + WINNER, winner)
    store(memory, line + NOTED, noted)
    return winner
