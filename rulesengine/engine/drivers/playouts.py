"""Random playouts over a game given as functions: the definition for every engine."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from rulesengine.engine.drivers.memory import Word
from rulesengine.engine.drivers.protocol import UNFINISHED, Functions
from rulesengine.engine.drivers.random import draw, generator, mix, word
from rulesengine.errors import EvaluationError, LimitError
from rulesengine.job import Job
from rulesengine.state import Playouts
from rulesengine.support.limits import MAX_PLIES

S = TypeVar("S")
M = TypeVar("M")
_MASK = 2**64 - 1


def random_game(game: Functions[S, M], state: S, seed: int, number: int) -> tuple[S, int]:
    """Return the last state of a random game and its length, limited to the maximum number of
    plies.

    An error of the rules names the seed, the game and the ply.
    """
    ply = 0

    def legal(at: S) -> Sequence[M]:
        nonlocal ply
        ply += 1
        return game.legal(at)

    try:
        return play(replace(game, legal=legal), state, word(seed), number)
    except (EvaluationError, LimitError) as error:
        place = f" (seed {seed}, game {number}, ply {ply})"
        raise type(error)(f"{error}{place}") from None


def play(game: Functions[S, M], start: S, seed: Word, number: int) -> tuple[S, int]:
    """Play a random game; see `random_game`. `legal` is called once per move, also for chance."""
    state = start
    random = generator(seed, number)
    length = 0
    for _ in range(MAX_PLIES):
        moves = game.legal(state)
        if not moves:
            return state, length
        length += int(not game.is_free(state))
        weight = game.weight(state)
        random, chosen = draw(random, weight if weight > 0 else len(moves))
        if weight > 0:
            chosen = game.branch(state, chosen)
        state = game.apply(state, moves[chosen])
    return state, length


def checksum(game: Functions[S, M], state: S, winner: int, length: int) -> Word:
    """Return the contribution of a game to a checksum, from its last position, length and winner.

    The winner is -1 in a draw and -2 in a game without an outcome.
    """
    return game.folded(mix(word(length << 8 | winner + 2)), state)


def tally(game: Functions[S, M], start: S, seed: int, number: int, players: int) -> list[int]:
    """Play one random game; return wins by player, draws, unfinished games, plies, and checksum."""
    state, length = random_game(game, start, seed, number)
    winner = game.winner(state)
    marks = [int(winner == i) for i in (*range(players), -1, UNFINISHED)]
    return [*marks, length, checksum(game, state, winner, length)]


def playouts(
    game: Functions[S, M],
    start: S,
    players: Sequence[str],
    games: int,
    seed: int,
    job: Job | None = None,
) -> Playouts:
    """Play random games from a state; game i draws from its own generator, seeded by (seed, i).

    The job counts the games.
    """
    sums = totals(game, start, len(players), range(games), seed, job or Job())
    return summary(players, games, sums)


def totals(
    game: Functions[S, M], start: S, sides: int, games: range, seed: int, job: Job
) -> list[int]:
    """Return the sum of the `tally` lists of a range of games, which the job counts."""
    sums = [0] * (sides + 4)
    for number in games:
        one = tally(game, start, seed, number, sides)
        sums = [a + b for a, b in zip(sums, one, strict=True)]
        job.advance(1)
    return sums


def summary(players: Sequence[str], games: int, totals: Sequence[int]) -> Playouts:
    """Return the results of games from the sum of their `tally` lists."""
    draws, unfinished, plies, total = totals[len(players) :]
    wins = dict(zip(players, totals, strict=False))
    mean = plies / games if games else 0.0
    return Playouts(games, wins, draws, unfinished, mean, total & _MASK)
