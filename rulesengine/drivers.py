"""Counting and random games over functions passed in: the definition for every engine."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from rulesengine.errors import EvaluationError, LimitError
from rulesengine.limits import MAX_FREE_PASSES, MAX_PLIES
from rulesengine.state import Playouts

S = TypeVar("S")
M = TypeVar("M")
_MASK = 2**64 - 1


@dataclass(frozen=True, slots=True)
class Functions(Generic[S, M]):
    """A game as functions.

    `legal` gives the moves in order, none when the game is over; `decide` gives None while it
    goes on, else the number of the winning side or -1; `words` gives a state as numbers;
    `is_pass` tells whether a move is a pass.
    """

    legal: Callable[[S], Sequence[M]]
    apply: Callable[[S, M], S]
    decide: Callable[[S], int | None]
    words: Callable[[S], Sequence[int]]
    is_pass: Callable[[M], bool]


class Generator:
    """The random numbers of game `game` of seed `seed`: SplitMix64 (Steele, Lea, Flood, 2014).

    The state starts at mix(seed) + mix(game + 1), all modulo 2**64; a draw below n is the high
    64 bits of the product of n and the next number.
    """

    __slots__ = ("_state",)

    def __init__(self, seed: int, game: int) -> None:
        self._state = (mix(seed & _MASK) + mix(game + 1)) & _MASK

    def below(self, n: int) -> int:
        """A number from 0 to n - 1; no number is drawn if there is no choice."""
        if n == 1:
            return 0
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        return mix(self._state) * n >> 64


def mix(z: int) -> int:
    """SplitMix64's output function, a permutation of the 64-bit numbers."""
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & _MASK
    return z ^ z >> 31


def perft(
    game: Functions[S, M],
    state: S,
    depth: int,
    *,
    keep: bool = False,
    free: bool = False,
    below: Callable[[S, int], int | None] | None = None,
    passed: int = 0,
) -> int:
    """How many sequences of exactly `depth` moves there are from a state.

    With `keep` a game that ends earlier counts as one; with `free` a pass takes no ply, after so
    many that have been `passed` in a row. `below`, if given, counts from a state in another way,
    or gives None where it cannot. Raises LimitError where passes that take no ply go on and on.
    """
    if passed > MAX_FREE_PASSES:
        raise LimitError(f"more than {MAX_FREE_PASSES} passes in a row that take no ply")
    if depth == 0:
        return 1
    moves = game.legal(state)
    if not moves:
        return int(keep)
    # The last moves are counted without being made, unless a pass among them takes no ply.
    if depth == 1 and not (free and any(map(game.is_pass, moves))):
        return len(moves)
    total = 0
    for move in moves:
        stays = free and game.is_pass(move)
        left = depth if stays else depth - 1
        after = game.apply(state, move)
        count = below(after, left) if below else None
        if count is None:
            now = passed + 1 if stays else 0
            count = perft(game, after, left, keep=keep, free=free, below=below, passed=now)
        total += count
    return total


def random_game(game: Functions[S, M], state: S, seed: int, number: int) -> tuple[S, int]:
    """The last state of a random game and its length, at most the limit of plies.

    An error of the rules names the seed, the game and the ply.
    """
    draw = Generator(seed, number)
    for ply in range(MAX_PLIES):
        try:
            moves = game.legal(state)
            if not moves:
                return state, ply
            state = game.apply(state, moves[draw.below(len(moves))])
        except (EvaluationError, LimitError) as error:
            place = f" (seed {seed}, game {number}, ply {ply + 1})"
            raise type(error)(f"{error}{place}") from None
    return state, MAX_PLIES


def checksum(game: Functions[S, M], state: S, winner: int, length: int) -> int:
    """A game's part of a checksum: its last position, its length, and its winner.

    The winner is -1 in a draw and -2 in a game without an outcome.
    """
    total = mix((length << 8 | (winner + 2)) & _MASK)
    for word in game.words(state):
        while True:
            total = mix(total ^ (word & _MASK))
            word >>= 64
            if word <= 0:
                break
    return total


def tally(game: Functions[S, M], start: S, seed: int, number: int, players: int) -> list[int]:
    """One random game: wins by player, draws, unfinished games, plies, its part of the checksum."""
    state, length = random_game(game, start, seed, number)
    winner = game.decide(state)
    code = -2 if winner is None else winner
    marks = [int(code == i) for i in (*range(players), -1, -2)]
    return [*marks, length, checksum(game, state, code, length)]


def playouts(
    game: Functions[S, M], start: S, players: Sequence[str], games: int, seed: int
) -> Playouts:
    """Random games from a state; game i draws from its own generator, made of (seed, i)."""
    totals = [0] * (len(players) + 4)
    for number in range(games):
        one = tally(game, start, seed, number, len(players))
        totals = [a + b for a, b in zip(totals, one, strict=True)]
    return summary(players, games, totals)


def summary(players: Sequence[str], games: int, totals: Sequence[int]) -> Playouts:
    """The results of games from the sum of what `tally` gives."""
    draws, unfinished, plies, total = totals[len(players) :]
    wins = dict(zip(players, totals, strict=False))
    mean = plies / games if games else 0.0
    return Playouts(games, wins, draws, unfinished, mean, total & _MASK)
