"""Counting and random games over functions passed in: the definition for every engine.

`count`, `play`, `checksum` and what they call are drivers: they keep to the subset of Python that
`kernel/translate` makes code of, so that every engine does what stands here. A `Word` has 64 bits
that wrap and goes only through the functions below that take one; numbers are signed and have 64
bits too, which a driver must not leave: that is not looked at.
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
# Where the parts of a move's code stand, in bits.
LAST, CHOICE = 32, 46
# What cannot wait in a state: nothing that is known; a move wins; none meets what threatens; none
# but some do.
CALM, WON_NOW, LOST_NEXT, PARRIED = -1, -2, -3, -4
SETTLED = 1  # who is to move is sure to win by moves in reserve
ENDLESS = 1 << 30  # cells that may be filled, where nothing is known of them


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
    """A game as functions.

    `legal` gives the moves in order, none when the game is over; `decide` gives None while it
    goes on, else the number of the winning side or -1; `words` gives a state as numbers;
    `is_pass` tells whether a move is a pass; `below` gives what is known of the count from a
    state to a depth, or -1. Of a state with moves, `weight` gives the sum of their weights if
    chance is to move, else 0; `branch` the place of the move that a number below that sum draws,
    `share` the weight of the move at a place; `is_free` whether its moves take no ply.
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
        """The number of the winning side, -1 for none, -2 while the game goes on."""
        winner = self.decide(state)
        return UNFINISHED if winner is None else winner

    def folded(self, total: Word, state: S) -> Word:
        """A checksum with the words of a state taken into it, 64 bits at a time."""
        return folded(total, self.words(state))


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged(Functions[S, M]):
    """A game as functions, with what a search asks of its states.

    `mover` gives the number of the player to move, -1 where chance is; `score` the score of a
    side, 0 without scores, `estimate` what its evaluation says of a side; `key` gives a word of a
    move that tells it from most others, and is the same wherever the move is legal, `place` a
    number below some other by its cells alone, from where and to where. `likely` are the moves
    among which random games of a search draw, `rollouts` plays some and tells of each, as
    `search.rollouts` does. `shown` writes the numbers of the entries that a state shows of tables
    to a place of memory, and gives the player who sees them so: the one to move, or for whom chance
    is.
    `urgent` tells what cannot wait: `WON_NOW` if a move wins at once; `LOST_NEXT` if none does, and
    whatever is done the next one does; the number of the only move after which the next one does
    not, all others losing to it or sooner; `PARRIED` if all moves lose so that are none of those of
    one step which `parries` holds for; else `CALM`, and `tells_urgent` says whether it ever tells
    anything else. `threats` counts the empty cells that would complete a line of the side that is
    not to move, if the rules are of that kind, which `tells_threats` says. `vacant` counts the
    empty cells where every move but a forced pass fills one for good; else it is `ENDLESS`.
    `placeable` writes the cells where the player to move may place, and those where the other one
    may, to two words of memory, and gives the number of the player to move; `tells_reserves` says
    whether it does, as in games whose moves in reserve are known. `pieces` writes those of the
    player to move, and those of the other one, to two words of memory, and gives the place of
    these; `tells_parts` says whether it does, as in games in which a position is a sum of parts.
    `alike` gives the words of the other states that are the same up to symmetry. Where rules look
    at the positions before a state, which `looks_back` says, `recorded` gives a word into which a
    state is taken as far as later ones are compared with it, and `lasting` a number that changes
    only by what is never undone: a position with another one does not come back.
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
        """A checksum with a state taken into it, the same for all states that are alike."""
        own, others = self.folded(total, state), self.alike(state)
        if not others:
            return own
        return mix(word(min(map(signed, (own, *(folded(total, words) for words in others))))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Stepped(Functions[S, M]):
    """A game as functions, with what games beside one another ask of their states.

    `loaded` gives the state that memory holds at a place, and `saved` puts it there and gives the
    place behind it. Where rules read the positions before a state, these are so many of a line at a
    place in other memory, as `loaded` is told; `noted` puts a state behind so many of a line and
    gives how many it then has, 0 where nobody reads them. `mover` gives the number of the player to
    move, -1 where chance is; `payoff` what a player gets in a state, 0 while the game goes on. Of a
    move, `step` gives the first word of its step of a number, -1 if it has no more, and `choice`
    the other one; `chains` tells whether moves come to several actions, `splits` whether a step
    from a cell to a cell is two of these in a state.
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
    """A game that a job ends where moves are asked for, and that counts these times if wanted."""
    done = int(counts)

    def legal(state: S) -> Sequence[M]:
        job.poll()
        job.add(done)
        return game.legal(state)

    return replace(game, legal=legal)


def move_key(first: int, last: int, choice: int) -> Word:
    """The word of a move: of its first step, and of its last one with what that chooses."""
    return fold(fold(fold(word(0), first), last), choice)


def move_place(first: int, last: int, choice: int, places: int) -> int:
    """One of so many places by a move's cells: origin and target of its first step, the target of
    its last one, and what that chooses.
    """
    cells = (first >> ORIGIN) + (last >> TARGET << LAST) + (choice << CHOICE)
    return high(fold(word(0), cells), places)


def target_place(last: int, places: int) -> int:
    """The same by the target alone, where that tells moves apart: none share one of the cells."""
    return min(last >> TARGET, places - 1)


# words: what each of these gives is one instruction of kernel code


def word(number: int) -> Word:
    """A number as a word."""
    return number & _MASK


def wrap_add(a: Word, b: Word) -> Word:
    return a + b & _MASK


def wrap_xor(a: Word, b: Word) -> Word:
    return a ^ b


def wrap_mul(a: Word, b: Word) -> Word:
    return a * b & _MASK


def high(z: Word, n: int) -> int:
    """The high word of the product of a word and a number above 0."""
    return z * n >> 64


def ones(z: Word) -> int:
    """How many bits of a word are 1."""
    return z.bit_count()


def lowest(z: Word) -> int:
    """The place of the lowest bit that is 1, of which there must be one."""
    return (z & -z).bit_length() - 1


def mix(z: Word) -> Word:
    """SplitMix64's output function, a permutation of the 64-bit numbers."""
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & _MASK
    return z ^ z >> 31


def fold(total: Word, number: int) -> Word:
    """A checksum with a further number taken into it."""
    return mix(total ^ (number & _MASK))


def folded(total: Word, words: Sequence[int]) -> Word:
    """A checksum with words taken into it, 64 bits at a time."""
    for part in words:
        while True:
            total = fold(total, part)
            part >>= 64
            if part <= 0:
                break
    return total


# random numbers


def generator(seed: Word, game: int) -> Word:
    """The state of the generator of game `game` of seed `seed`: SplitMix64.

    It starts at mix(seed) + mix(game + 1), all modulo 2**64 (Steele, Lea, Flood, 2014).
    """
    return wrap_add(mix(seed), mix(word(game + 1)))


def draw(state: Word, n: int) -> tuple[Word, int]:
    """The generator's next state, and a number from 0 to n - 1.

    It is the high 64 bits of the product of n and the next number; no number is drawn if there
    is no choice.
    """
    if n == 1:
        return state, 0
    following = wrap_add(state, _GOLDEN)
    return following, high(mix(following), n)


def drawn(weights: Sequence[int], number: int) -> int:
    """The place of the weight that a number below the sum of all draws."""
    place = 0
    while number >= weights[place]:
        number -= weights[place]
        place += 1
    return place


class Generator:
    """The random numbers of game `game` of seed `seed`, as an object that changes."""

    __slots__ = ("_state",)

    def __init__(self, seed: int, game: int) -> None:
        self._state = generator(word(seed), game)

    def below(self, n: int) -> int:
        """A number from 0 to n - 1; no number is drawn if there is no choice."""
        self._state, number = draw(self._state, n)
        return number

    def among(self, weights: Sequence[int]) -> int:
        """The place of one of some weights; no number is drawn if they sum to 1."""
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
    """How many sequences of exactly `depth` moves there are from a state.

    With `keep` a game that ends earlier counts as one; with `free` a pass takes no ply. `below`,
    if given, counts from a state in another way, or gives None where it cannot. Raises LimitError
    where moves that take no ply go on and on.
    """
    if below is None:
        return count(game, state, depth, keep, free, 0)
    known = below

    def found(after: S, left: int) -> int:
        number = known(after, left)
        return -1 if number is None else number

    return count(replace(game, below=found), state, depth, keep, free, 0)


def count(game: Functions[S, M], state: S, depth: int, keep: bool, free: bool, passed: int) -> int:
    """As `perft`, after so many moves in a row that took no ply."""
    if passed > MAX_FREE_PASSES:
        raise LimitError(f"more than {MAX_FREE_PASSES} moves in a row that take no ply")
    if depth == 0:
        return 1
    moves = game.legal(state)
    if not moves:
        return int(keep)
    is_free = game.is_free(state)
    # The last moves are counted without being made, unless one of them takes no ply.
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
    """The last state of a random game and its length, at most the limit of plies.

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
    """As `random_game`; moves are asked for once for each, those of chance too."""
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
    """A game's part of a checksum: its last position, its length, and its winner.

    The winner is -1 in a draw and -2 in a game without an outcome.
    """
    return game.folded(mix(word(length << 8 | winner + 2)), state)


def tally(game: Functions[S, M], start: S, seed: int, number: int, players: int) -> list[int]:
    """One random game: wins by player, draws, unfinished games, plies, its part of the checksum."""
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
    """Random games from a state; game i draws from its own generator, made of (seed, i).

    A job counts them.
    """
    job, totals = job or Job(), [0] * (len(players) + 4)
    for number in range(games):
        one = tally(game, start, seed, number, len(players))
        totals = [a + b for a, b in zip(totals, one, strict=True)]
        job.add(1)
    return summary(players, games, totals)


def summary(players: Sequence[str], games: int, totals: Sequence[int]) -> Playouts:
    """The results of games from the sum of what `tally` gives."""
    draws, unfinished, plies, total = totals[len(players) :]
    wins = dict(zip(players, totals, strict=False))
    mean = plies / games if games else 0.0
    return Playouts(games, wins, draws, unfinished, mean, total & _MASK)
