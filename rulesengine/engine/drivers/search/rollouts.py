"""Playouts from a leaf, each recorded in memory: its winner and its moves.

A record has the number of the winner (-1 for none), the number of notes, and a note for each move.
For a single player it has the payoff in place of the winner, `UNPAID` for a game without an end. A
note encodes the move's slot in AMAF statistics and its player; it is -1 for a chance move.
"""

from typing import Any, TypeVar

from rulesengine.engine.drivers.memory import Memory, Word, store
from rulesengine.engine.drivers.protocol import UNFINISHED, SearchFunctions
from rulesengine.engine.drivers.random import draw, generator
from rulesengine.support.frozen import record
from rulesengine.support.limits import MAX_PLIES

S = TypeVar("S")
M = TypeVar("M")

MAX_RECORDS = 4  # maximum number of playouts recorded at once
WINNER, NOTED, NOTES = range(3)
LINE = 4096  # words
MOST_NOTES = LINE - NOTES  # later moves are not recorded

PLAYER_BITS = 6
UNPAID = -(1 << 62)


def note_of(place: int, player: int, places: int) -> int:
    """Return the note of a move, for AMAF statistics with `places` slots per player."""
    return -1 if player < 0 else place + player * places << PLAYER_BITS | player


@record
class PlayoutRecords:
    """The place of the records of playouts: consecutive ones from address `at` of `memory`.

    AMAF statistics have `places` slots per player; with 0, no moves are recorded.
    """

    places: int
    memory: Memory
    at: int


def rollouts(
    game: SearchFunctions[S, M],
    start: S,
    seed: Word,
    first: int,
    count: int,
    records: PlayoutRecords,
) -> int:
    """Play playouts of likely moves from a state in progress, numbered from `first` on; return
    their number.
    """
    for number in range(count):
        random, line = generator(seed, first + number), records.at + number * LINE
        rollout(game, start, random, records.places, records.memory, line)
    return count


def play_rollouts(
    game: SearchFunctions[S, M], start: S, seed: Word, first: int, count: int, *place: Any
) -> int:
    """Play playouts with the fields of their records as arguments; see `rollouts`."""
    return rollouts(game, start, seed, first, count, PlayoutRecords(*place))


def rollout(
    game: SearchFunctions[S, M], start: S, random: Word, places: int, memory: Memory, line: int
) -> int:
    """Play a playout and write its record; return the winner or -1."""
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
    winner = game.winner(state)
    result = max(-1, winner)
    if game.is_single(state):
        result = UNPAID if winner == UNFINISHED else game.score(state, 0)
    store(memory, line + WINNER, result)
    store(memory, line + NOTED, noted)
    return max(-1, winner)
