"""Perft and random playouts over a game given as functions: the definition for every engine.

`count`, `play`, `checksum` and their callees are drivers. They are written in the subset of Python
that `kernel/translate` compiles, so every engine has the behaviour of this source. A `Word` is an
unsigned 64-bit integer with wrap-around; only the functions below that take a `Word` operate on it.
Other numbers are signed 64-bit integers; a driver must avoid overflow, which is not checked.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from rulesengine.engine.drivers.memory import Memory, Word, signed
from rulesengine.errors import EvaluationError, LimitError
from rulesengine.job import Job
from rulesengine.state import Playouts
from rulesengine.support.limits import MAX_FREE_PASSES, MAX_PLIES
from rulesengine.support.words import ORIGIN, TARGET

S = TypeVar("S")
M = TypeVar("M")
_MASK = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15
UNFINISHED = -2
# Bit offsets of the parts of a packed move.
LAST, CHOICE = 32, 46
# Results of `urgent` that are no move number: no threat is known; a move wins at once; every move
# loses to the reply; only the moves accepted by `parries` do not lose.
CALM, WON_NOW, LOST_NEXT, PARRIED = -1, -2, -3, -4
SETTLED = 1  # the player to move is sure to win by its safe moves
ENDLESS = 1 << 30  # result of `vacant` in games without such a count


def _unknown(state: object, depth: int) -> int:
    return -1


def _no_weight(state: object) -> int:
    return 0


def _no_branch(state: object, number: int) -> int:
    return -1


def _is_calm(state: object) -> int:
    return CALM


def _has_none(state: object) -> int:
    return 0


def _goes_on(state: object) -> int:
    return ENDLESS


def _takes_a_ply(state: object) -> bool:
    return False


def _meets(state: object, move: object) -> bool:
    return True


def _forgets(total: Word, state: object) -> Word:
    return total


def _stands_alone(state: object) -> Sequence[Sequence[int]]:
    return ()


def _shows_nothing(state: object, memory: Memory, at: int) -> int:
    return 0


@dataclass(frozen=True, slots=True)
class Functions(Generic[S, M]):
    """A game as a set of functions over states and moves.

    - `legal` returns the moves in order; it is empty when the game is over.
    - `apply` returns the state after a move.
    - `decide` returns None in a game in progress, else the number of the winning side or -1.
    - `words` returns a state as numbers.
    - `is_pass` is true for a pass.
    - `below` returns the perft count below a state to a depth if it is known without a search, or
      -1.

    The remaining functions concern a state with legal moves:

    - `weight` returns the sum of the move weights if chance is to move, else 0.
    - `branch` returns the index of the move that a number below that sum selects.
    - `share` returns the weight of the move at an index.
    - `is_free` is true if the moves take no ply.
    """

    legal: Callable[[S], Sequence[M]]
    apply: Callable[[S, M], S]
    decide: Callable[[S], int | None]
    words: Callable[[S], Sequence[int]]
    is_pass: Callable[[M], bool]
    below: Callable[[S, int], int] = _unknown
    weight: Callable[[S], int] = _no_weight
    branch: Callable[[S, int], int] = _no_branch
    share: Callable[[S, int], int] = _no_branch
    is_free: Callable[[S], bool] = _takes_a_ply

    def winner(self, state: S) -> int:
        """Return the number of the winning side, -1 for a draw, -2 for a game in progress."""
        winner = self.decide(state)
        return UNFINISHED if winner is None else winner

    def folded(self, total: Word, state: S) -> Word:
        """Return a checksum updated with the words of a state, 64 bits at a time."""
        return folded(total, self.words(state))


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged(Functions[S, M]):
    """A game as a set of functions, extended by those that a search needs.

    - `mover` returns the number of the player to move, or -1 if chance is to move.
    - `score` returns the score of a side, 0 without scores.
    - `estimate` returns the static evaluation for a side.
    - `key` returns a hash of a move. It is the same wherever the move is legal; collisions are
      rare.
    - `place` hashes the origin and target cells of a move to a number below a bound.
    - `likely` returns the moves from which the playouts of a search draw.
    - `rollouts` plays some playouts and writes a record of each, as `search.rollouts` does.
    - `shown` writes the table indices of a state's features to memory. It returns the player for
      whom they are computed: the player to move, or the player for whom chance moves.
    - `urgent` returns the result of a one-move look-ahead. `WON_NOW`: a move wins at once.
      `LOST_NEXT`: no move wins, and every move loses to the next one. `PARRIED`: every move loses
      except some of the one-step moves for which `parries` is true. A move number: only this move
      may avoid the loss. `CALM`: none of these.
    - `tells_urgent` is true if `urgent` may return anything else than `CALM`.
    - `threats` counts the empty cells that would complete a line of the side that is not to move,
      if the rules allow that count; `tells_threats` is true if they do.
    - `vacant` counts the empty cells if every move except a forced pass fills one permanently; else
      it returns `ENDLESS`.
    - `placeable` writes two masks to memory: the cells where the player to move may place, and
      those where the opponent may. It returns the number of the player to move.
    - `tells_reserves` is true if `placeable` writes masks: the game has safe-move tables.
    - `pieces` writes the masks of the pieces of the player to move and of the opponent to memory,
      and returns their address.
    - `tells_parts` is true if `pieces` writes masks: positions are sums of components.
    - `alike` returns the words of the other states that are equivalent under symmetry.
    - `looks_back` is true if the rules read earlier positions.
    - `recorded` returns a hash updated with the parts of a state that later positions are compared
      with.
    - `lasting` returns a number that only irreversible moves change. A position with another number
      cannot repeat.
    """

    mover: Callable[[S], int]
    score: Callable[[S, int], int]
    estimate: Callable[[S, int], int]
    key: Callable[[M], Word]
    place: Callable[[M, int], int]
    likely: Callable[[S], Sequence[M]]
    rollouts: Callable[[S, Word, int, int, int, Memory, int], int]
    shown: Callable[[S, Memory, int], int] = _shows_nothing
    urgent: Callable[[S], int] = _is_calm
    tells_urgent: Callable[[S], bool] = _takes_a_ply
    parries: Callable[[S, M], bool] = _meets
    threats: Callable[[S], int] = _has_none
    tells_threats: Callable[[S], bool] = _takes_a_ply
    vacant: Callable[[S], int] = _goes_on
    placeable: Callable[[S, Memory, int], int] = _shows_nothing
    tells_reserves: Callable[[S], bool] = _takes_a_ply
    pieces: Callable[[S, Memory, int], int] = _shows_nothing
    tells_parts: Callable[[S], bool] = _takes_a_ply
    alike: Callable[[S], Sequence[Sequence[int]]] = _stands_alone
    looks_back: Callable[[S], bool] = _takes_a_ply
    recorded: Callable[[Word, S], Word] = _forgets
    lasting: Callable[[S], int] = _has_none

    def canonical(self, total: Word, state: S) -> Word:
        """Return a checksum updated with a state; equivalent states have the same result."""
        own, others = self.folded(total, state), self.alike(state)
        if not others:
            return own
        return mix(word(min(map(signed, (own, *(folded(total, words) for words in others))))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Stepped(Functions[S, M]):
    """A game as a set of functions, extended by those that batches of games need.

    - `loaded` returns the state at an address of memory. If the rules read earlier positions, they
      are read from a game history: its memory, its address and its length are the other arguments.
    - `saved` writes a state to an address and returns the address after it.
    - `noted` appends a state to a history of a given length and returns the new length; it returns
      0 if the rules do not read the history.
    - `mover` returns the number of the player to move, or -1 if chance is to move.
    - `payoff` returns the payoff of a player in a state, 0 in a game in progress.
    - `step` returns the first word of the step of a move at an index, or -1 after the last step.
    - `choice` returns the second word of that step.
    - `chains` is true if a move may consist of several actions.
    - `splits` is true if a step from cell to cell counts as two actions in a state.
    """

    loaded: Callable[[Memory, int, Memory, int, int], S]
    saved: Callable[[S, Memory, int], int]
    noted: Callable[[S, Memory, int, int], int]
    mover: Callable[[S], int]
    payoff: Callable[[S, int], int]
    step: Callable[[M, int], int]
    choice: Callable[[M, int], int]
    chains: Callable[[S], bool]
    splits: Callable[[S], bool]


def stoppable(game: Functions[S, M], job: Job, *, counts: bool = False) -> Functions[S, M]:
    """Return a game whose `legal` polls a job; with `counts` it also counts its calls."""
    done = int(counts)

    def legal(state: S) -> Sequence[M]:
        job.poll()
        job.add(done)
        return game.legal(state)

    return replace(game, legal=legal)


def move_key(first: int, last: int, choice: int) -> Word:
    """Return the hash of a move: its first step, its last step and the choice of the last step."""
    return fold(fold(fold(word(0), first), last), choice)


def move_place(first: int, last: int, choice: int, places: int) -> int:
    """Return an index below `places`, hashed from a move's cells: origin and target of the first
    step, target of the last step, and its choice.
    """
    cells = (first >> ORIGIN) + (last >> TARGET << LAST) + (choice << CHOICE)
    return high(fold(word(0), cells), places)


def target_place(last: int, places: int) -> int:
    """Return the target cell as an index, for moves that the target identifies: it has no
    collisions.
    """
    return min(last >> TARGET, places - 1)


# 64-bit words: each of these functions is one instruction of kernel code


def word(number: int) -> Word:
    """Convert a number to an unsigned 64-bit word."""
    return number & _MASK


def wrap_add(a: Word, b: Word) -> Word:
    return a + b & _MASK


def wrap_xor(a: Word, b: Word) -> Word:
    return a ^ b


def wrap_mul(a: Word, b: Word) -> Word:
    return a * b & _MASK


def high(z: Word, n: int) -> int:
    """Return the high word of the product of a word and a positive number."""
    return z * n >> 64


def ones(z: Word) -> int:
    """Return the number of 1 bits of a word."""
    return z.bit_count()


def lowest(z: Word) -> int:
    """Return the index of the lowest 1 bit of a non-zero word."""
    return (z & -z).bit_length() - 1


def mix(z: Word) -> Word:
    """Apply SplitMix64's output function, a permutation of the 64-bit numbers."""
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & _MASK
    return z ^ z >> 31


def fold(total: Word, number: int) -> Word:
    """Return a checksum updated with one more number."""
    return mix(total ^ (number & _MASK))


def folded(total: Word, words: Sequence[int]) -> Word:
    """Return a checksum updated with words, 64 bits at a time."""
    for part in words:
        while True:
            total = fold(total, part)
            part >>= 64
            if part <= 0:
                break
    return total


# random numbers


def generator(seed: Word, game: int) -> Word:
    """Return the state of the SplitMix64 generator of game `game` of seed `seed`.

    It starts at mix(seed) + mix(game + 1), modulo 2**64 (Steele, Lea, Flood, 2014).
    """
    return wrap_add(mix(seed), mix(word(game + 1)))


def draw(state: Word, n: int) -> tuple[Word, int]:
    """Return the generator's next state, and a random number from 0 to n - 1.

    The number is the high 64 bits of the product of n and the generator's output. With n = 1 the
    generator does not advance.
    """
    if n == 1:
        return state, 0
    following = wrap_add(state, _GOLDEN)
    return following, high(mix(following), n)


def drawn(weights: Sequence[int], number: int) -> int:
    """Return the index of the weight that a number below the sum of all weights selects."""
    place = 0
    while number >= weights[place]:
        number -= weights[place]
        place += 1
    return place


class Generator:
    """A mutable random number generator for game `game` of seed `seed`."""

    __slots__ = ("_state",)

    def __init__(self, seed: int, game: int) -> None:
        self._state = generator(word(seed), game)

    def below(self, n: int) -> int:
        """Return a random number from 0 to n - 1; with n = 1 the generator does not advance."""
        self._state, number = draw(self._state, n)
        return number

    def among(self, weights: Sequence[int]) -> int:
        """Return a random index by weight; with a sum of 1 the generator does not advance."""
        return drawn(weights, self.below(sum(weights)))


# counting


def perft(
    game: Functions[S, M],
    state: S,
    depth: int,
    *,
    keep: bool = False,
    free: bool = False,
    below: Callable[[S, int], int | None] | None = None,
) -> int:
    """Return the number of sequences of exactly `depth` moves from a state.

    With `keep` a game that ends earlier counts as one. With `free` a pass takes no ply. `below`, if
    given, counts from a state in another way, and returns None for a state it does not support.
    Raises LimitError after too many consecutive moves that take no ply.
    """
    if below is None:
        return count(game, state, depth, keep, free, 0)
    known = below

    def found(after: S, left: int) -> int:
        number = known(after, left)
        return -1 if number is None else number

    return count(replace(game, below=found), state, depth, keep, free, 0)


def count(game: Functions[S, M], state: S, depth: int, keep: bool, free: bool, passed: int) -> int:
    """Return the perft count, after `passed` consecutive moves that took no ply; see `perft`."""
    if passed > MAX_FREE_PASSES:
        raise LimitError(f"more than {MAX_FREE_PASSES} moves in a row that take no ply")
    if depth == 0:
        return 1
    moves = game.legal(state)
    if not moves:
        return int(keep)
    is_free = game.is_free(state)
    # Bulk counting: the last moves are counted, not made, unless one of them takes no ply.
    at_once = depth == 1 and not is_free
    if at_once and free:
        for move in moves:
            if game.is_pass(move):
                at_once = False
                break
    if at_once:
        return len(moves)
    total = 0
    for move in moves:
        stays = is_free or (free and game.is_pass(move))
        left = depth if stays else depth - 1
        after = game.apply(state, move)
        known = game.below(after, left)
        now = passed + 1 if stays else 0
        total += count(game, after, left, keep, free, now) if known < 0 else known
    return total


# random games


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
    job, totals = job or Job(), [0] * (len(players) + 4)
    for number in range(games):
        one = tally(game, start, seed, number, len(players))
        totals = [a + b for a, b in zip(totals, one, strict=True)]
        job.add(1)
    return summary(players, games, totals)


def summary(players: Sequence[str], games: int, totals: Sequence[int]) -> Playouts:
    """Return the results of games from the sum of their `tally` lists."""
    draws, unfinished, plies, total = totals[len(players) :]
    wins = dict(zip(players, totals, strict=False))
    mean = plies / games if games else 0.0
    return Playouts(games, wins, draws, unfinished, mean, total & _MASK)
