"""Drivers: of numbers alone, one for each construct of the subset, and of games."""

from typing import TypeVar

from rulesengine.engine.drivers.memory import StaticFlag, Word
from rulesengine.engine.drivers.playouts import checksum, play
from rulesengine.engine.drivers.protocol import UNFINISHED, Functions, SearchFunctions
from rulesengine.engine.drivers.random import fold, high_word, mix, word, wrap_add, wrap_xor
from rulesengine.support.frozen import record

S = TypeVar("S")
M = TypeVar("M")
LARGE = 1_000_000
SEED = 0x9E3779B97F4A7C15
STRICT = True


# numbers, flags and words


def arithmetic(a: int, b: int) -> int:
    return -a + b * 3 - (a - b)


def division(a: int, b: int) -> tuple[int, int]:
    return a // b, a % b


def bits(a: int, b: int) -> int:
    return (a & b) << 3 | (b | 5) >> 2


def comparisons(a: int, b: int, c: bool) -> int:
    ordered = int(a < b) + 2 * int(a <= b) + 4 * int(a > b) + 8 * int(a >= b)
    return ordered + 16 * int(a == b) + 32 * int(a != b) + 64 * int(c == (a < 3))


def short_circuit(a: int, b: int) -> bool:
    return (a != 0 and 10 // a > b) or (not (b == 0 or a == b) and a // b == 0)


def chosen(a: int, b: int) -> int:
    return 10 // b if b != 0 else a


def extremes(a: int, b: int) -> int:
    return min(a, b) * 100 + max(b, 7)


@record
class Bounds:
    low: int
    high: int
    is_open: bool


def records(a: int, b: int) -> tuple[int, int]:
    """Records that are constructed, passed on, read and constructed again in a loop."""
    bounds = Bounds(min(a, b), max(a, b), a != b)
    total = widened(1, bounds)
    for i in range(3):
        bounds = Bounds(bounds.low - i, bounds.high + total, not bounds.is_open)
        total += span(bounds) if bounds.is_open else i
    return total, span(Bounds(bounds.high, a, True))


def widened(by: int, bounds: Bounds) -> int:
    return span(Bounds(bounds.low - by, bounds.high + by, bounds.is_open))


def span(bounds: Bounds) -> int:
    return bounds.high - bounds.low - 2 * int(bounds.is_open)


def constants(a: int) -> int:
    return LARGE + a if STRICT else 0


def flagged(a: int, b: int) -> tuple[int, int, bool]:
    return summed(a, True, b), summed(a, False, b), summed(b, True, a) == summed(b, True, a)


def summed(a: int, twice: StaticFlag, b: int) -> int:
    total = a
    if twice:
        total = total + b
    for i in range(b & 3):
        total = total + i if twice else total - i
    return total + int(twice)


def words(a: int, w: Word, v: Word) -> tuple[Word, int]:
    total = wrap_xor(wrap_add(mix(w), SEED), word(a))
    if a > 0:
        total = fold(total, a)
    return wrap_add(total, v), high_word(v, 1000)


# assignments, branches, calls


def assigned(a: int, b: int) -> tuple[int, int]:
    a, b = b, a
    a += 5
    b -= a
    b *= 2
    return a, b


def branched(a: int) -> int:
    if a < -3:
        result = 1
    elif a < 3:
        result = 2
        if a == 0:
            return -1
    else:
        result = a
    return result * 10


def value_of_a_branch(a: int) -> int:
    if a > 0:
        double = a * 2
    else:
        return 0
    return double


def unlikely(a: int) -> int:
    if a > 5:
        raise ValueError("too much")
    return a


def fibonacci(n: int) -> int:
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2) if n < 12 else 0


def is_even(n: int) -> bool:
    return n <= 0 or is_odd(n - 1)


def is_odd(n: int) -> bool:
    return n > 0 and is_even(n - 1)


def two(a: int) -> tuple[int, bool]:
    return a * 2, a > 0


def of_two(a: int) -> tuple[int, bool]:
    first, flag = two(a)
    second, _ = two(first)
    if flag:
        return two(second)
    return second, flag


# loops


def repeated(n: int) -> int:
    total, left = 0, n
    while left > 0:
        left -= 1
        if left == 7:
            continue
        if left == 3 and n > 20:
            break
        total = total * 2 + left & 0xFFFF
    return total


def endless(n: int) -> int:
    while True:
        n -= 3
        if n < 0:
            return n


def counted(low: int, high_word: int) -> int:
    total = 0
    for i in range(low, high_word):
        if i == 4:
            continue
        step = i * i
        if step > 900:
            break
        total += step
        i += 100
        total += i
    for _ in range(high_word):
        total += 1
    return total


def nested(n: int) -> int:
    total = 0
    for i in range(n):
        for j in range(i, n):
            if j - i == 3:
                break
            if (i + j) % 3 == 0:
                continue
            total += i * j
            if total > 5_000:
                return -total
        if i == 9:
            break
        total += 1
    return total


def last_value(n: int) -> int:
    last = -1
    for last in range(n):
        if last == 5:
            break
    return last


OF_NUMBERS = (
    flagged,
    arithmetic,
    division,
    bits,
    comparisons,
    short_circuit,
    chosen,
    extremes,
    records,
    constants,
    words,
    assigned,
    branched,
    value_of_a_branch,
    unlikely,
    fibonacci,
    is_even,
    of_two,
    repeated,
    endless,
    counted,
    nested,
    last_value,
)


# games


def judge(game: Functions[S, M], start: S, seed: Word, number: int) -> tuple[int, int, Word]:
    """Return a random game's winner, its length, and its part of the checksum."""
    state, length = play(game, start, seed, number)
    winner = game.winner(state)
    return winner, length, checksum(game, state, winner, length)


def games(game: Functions[S, M], start: S, first: int, end: int, seed: Word) -> tuple[int, Word]:
    """Return the plies of random games, and their checksum."""
    plies, total = 0, word(0)
    for number in range(first, end):
        _, length, part = judge(game, start, seed, number)
        plies += length
        total = wrap_add(total, part)
    return plies, total


def worth(game: SearchFunctions[S, M], state: S, sides: int) -> int:
    """Evaluate a state for the side to move: its score minus those of the others."""
    mover = game.mover(state)
    winner = game.winner(state)
    if winner != UNFINISHED:
        return 0 if winner < 0 else LARGE if winner == mover else -LARGE
    total = 0
    for side in range(sides):
        score = game.score(state, side)
        total += score if side == mover else -score
    return total


def negamax(game: SearchFunctions[S, M], state: S, depth: int, sides: int) -> tuple[int, int]:
    """Return the value of a state for the side to move, and the number of states visited."""
    moves = game.legal(state)
    if depth == 0 or not moves:
        return worth(game, state, sides), 1
    mover = game.mover(state)
    best, seen = -LARGE, 1
    for move in moves:
        after = game.apply(state, move)
        value, more = negamax(game, after, depth - 1, sides)
        best = max(best, value if game.mover(after) == mover else -value)
        seen += more
    return best, seen


def alpha_beta(
    game: SearchFunctions[S, M], state: S, depth: int, alpha: int, beta: int, sides: int
) -> tuple[int, int, int]:
    """Return the value as in `negamax`, the index of the first best move, and a state count."""
    moves = game.legal(state)
    if depth == 0 or not moves:
        return worth(game, state, sides), -1, 1
    mover = game.mover(state)
    best, chosen, number, seen = -LARGE - 1, -1, -1, 1
    for move in moves:
        number += 1
        after = game.apply(state, move)
        if game.mover(after) == mover:
            value, _, more = alpha_beta(game, after, depth - 1, alpha, beta, sides)
        else:
            value, _, more = alpha_beta(game, after, depth - 1, -beta, -alpha, sides)
            value = -value
        seen += more
        if value <= best:
            continue
        best, chosen = value, number
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best, chosen, seen


def second_moves(game: Functions[S, M], state: S, most: int) -> tuple[Word, int, int]:
    """Use two lists of moves at a time, left in every way; return a checksum, its states, the
    passes.
    """
    moves = game.legal(state)
    total, seen, passes = word(0), 0, 0
    for move in moves:
        after = game.apply(state, move)
        replies = game.legal(after)
        if game.is_pass(move):
            passes += 1
            continue
        if not replies:
            continue
        for reply in replies:
            if game.is_pass(reply):
                passes += 1
            if seen > 2 * most:
                return total, seen, passes
            if seen % 5 == 3:
                seen += 1
                continue
            total = game.folded(total, game.apply(after, reply))
            seen += 1
            if seen % most == 0:
                break
        total = fold(total, len(replies))
        if seen > 3 * most:
            break
    return total, seen, passes + len(moves)


def walked(game: Functions[S, M], start: S, plies: int) -> tuple[Word, int]:
    """Play middle and last moves alternately, with states in variables."""
    state = start
    before = 0
    while before < plies:
        moves = game.legal(state)
        if not moves:
            break
        if before % 2 == 0:
            move = moves[len(moves) // 2]
            state = game.apply(state, move)
        else:
            state = game.apply(state, moves[len(moves) - 1])
        before += 1
    return game.folded(word(before), state), game.winner(state)


def first_reply(game: Functions[S, M], state: S) -> int:
    """Return the winner after the first move, which must exist."""
    moves = game.legal(state)
    return game.winner(game.apply(state, moves[0]))


def looks(game: Functions[S, M], state: S, rounds: int) -> int:
    """Read the same moves repeatedly, and leave the loop in every way."""
    total = 0
    for i in range(rounds):
        moves = game.legal(state)
        if i % 3 == 0:
            continue
        total += len(moves)
        while True:
            again = game.legal(state)
            total += len(again)
            break
        total += glance(game, state)
    return total


def glance(game: Functions[S, M], state: S) -> int:
    moves = game.legal(state)
    return len(moves)


def estimated(game: SearchFunctions[S, M], state: S, player: int) -> int:
    """Return the static evaluation of a state for a player."""
    return game.estimate(state, player)
