"""Proofs of wins by safe moves (moves in reserve) in placement games, as drivers.

A side can make all its safe moves, whatever its opponent does. Further moves are contested:

- a double: two moves, where making the guarded one first makes the other one safe;
- a single: a move that an opposing move can spoil;
- an option: a move instead of a safe one that takes cells from the opponent.

No opposing move spoils two doubles, or three of all these. Contested moves that no opposing move
spoils together with another one are isolated, the others linked. A side that always answers in kind
gets every second isolated and every third linked one, the greatest gains first.

The opponent makes at most as many moves as the cells that it may fill have room for, minus the
cells taken from it. It also makes at most one move of each set of moves that exclude each other,
and each double removes some of its moves. So there are two sums, by cells and by sets; either one
proves the win. After Bullock (2002), who counts dominoes by their shapes. See decision 081.
"""

from typing import TypeVar

from rulesengine.engine.drivers.memory import Memory, load
from rulesengine.engine.drivers.protocol import SETTLED, SearchFunctions
from rulesengine.engine.drivers.random import lowest_bit, popcount, word
from rulesengine.engine.drivers.search.layout import (
    APART,
    BARS,
    FILLS,
    GUARDS,
    ITSELF,
    PLACEABLE,
    SIZES,
    SPOILED,
    TAKES,
    placement,
)
from rulesengine.support.frozen import record

S = TypeVar("S")
M = TypeVar("M")

# A multiset of gains is packed in one number: a bit field for each gain 1, 2, … up to the greatest
# has its count.
FAR = 1 << 30  # greater than any gain
_BITS, _GREATEST = 7, 9
_FIELD = (1 << _BITS) - 1


@record
class Contest:
    """The legal moves of a side, and those of its opponent, in a proof by safe moves.

    - `moves` are those of the side, and `replies` those of the opponent.
    - `filled` are the cells that the replies may fill.
    - `side` is the number of the side.
    - `own` is the memory of the thread, with the tables of placements.
    """

    moves: int
    replies: int
    filled: int
    side: int
    own: Memory


def settled(game: SearchFunctions[S, M], state: S, own: Memory) -> int:
    """Return `SETTLED` if safe moves prove a win of the player to move, `-SETTLED` for a loss, or
    0.
    """
    mine = game.placeable(state, own, PLACEABLE)
    moves, replies = load(own, PLACEABLE), load(own, PLACEABLE + 1)
    if outlasts(moves, replies, mine, 1, own):
        return SETTLED
    return -SETTLED if outlasts(replies, moves, 1 - mine, 0, own) else 0


def lead(game: SearchFunctions[S, M], state: S, own: Memory) -> int:
    """Return the approximate lead of the player to move, in moves and safe moves."""
    mine = game.placeable(state, own, PLACEABLE)
    moves, replies = load(own, PLACEABLE), load(own, PLACEABLE + 1)
    ahead = most(moves, mine, own) - most(replies, 1 - mine, own)
    return ahead + safe(moves, replies, mine, own) - safe(replies, moves, 1 - mine, own)


def most(moves: int, side: int, own: Memory) -> int:
    """Return an upper bound of the moves a side can make: one of each exclusion set."""
    count, left = 0, moves
    while left != 0:
        left = less(left, load(own, placement(side, lowest_bit(word(left))) + APART))
        count += 1
    return count


def safe(moves: int, replies: int, side: int, own: Memory) -> int:
    """Return the number of safe moves of a side that can all be made: no reply spoils them."""
    return popcount(word(independent_moves(moves, replies, side, own)))


def independent_moves(moves: int, replies: int, side: int, own: Memory) -> int:
    """Return moves of a side that no reply spoils and that can all be made together."""
    independent, left = 0, moves
    while left != 0:
        at = placement(side, lowest_bit(word(left)))
        if load(own, at + SPOILED) & replies == 0:
            independent = independent | load(own, at + ITSELF)
            left = less(left, load(own, at + TAKES))
        else:
            left = less(left, load(own, at + ITSELF))
    return independent


def outlasts(moves: int, replies: int, side: int, first: int, own: Memory) -> bool:
    """True if a side is proved to make the last move; `first` is 1 if it is to move."""
    filled, size = joined(replies, 1 - side, FILLS, own), load(own, SIZES + 1 - side)
    surely = independent_moves(moves, replies, side, own)
    count = popcount(word(surely))
    wanted = popcount(word(filled)) + 1 - (1 - first) * size - size * count
    if wanted <= 0:
        return True
    left = less(moves, joined(surely, side, TAKES, own))
    # The gains by cells and by sets of moves: isolated ones first, then linked ones.
    lone, moved, once, never, taken_sets, half, chosen = doubles(
        left, replies, filled, size, side, own
    )
    left = less(left, joined(chosen, side, TAKES, own))
    singled, once, twice = singles(left, replies, once, never, side, own)
    linked, linked_moves = 0, 0
    left = singled
    while left != 0:
        at = placement(side, lowest_bit(word(left)))
        left = less(left, load(own, at + ITSELF))
        gain = size + popcount(word(load(own, at + FILLS) & filled))
        if load(own, at + SPOILED) & twice == 0:
            lone, moved = lone + gained(gain), moved + gained(1)
        else:
            linked += gained(gain)
            linked_moves += gained(1)
    lone += options(
        Contest(moves, replies, filled, side, own), surely, surely | chosen | singled, once
    )
    if won(lone, linked, half, first) >= wanted:
        return True
    wanted = first + taken_sets - count
    return won(moved, linked_moves, 1, first) >= wanted


def joined(moves: int, side: int, sets: int, own: Memory) -> int:
    """Return the union of one kind of masks, such as the cells filled, over these moves."""
    linked, left = 0, moves
    while left != 0:
        at = placement(side, lowest_bit(word(left)))
        linked = linked | load(own, at + sets)
        left = less(left, load(own, at + ITSELF))
    return linked


def doubles(
    moves: int, replies: int, filled: int, size: int, side: int, own: Memory
) -> tuple[int, int, int, int, int, int, int]:
    """Find doubles among moves such that no reply spoils two of them.

    The results are, in order:

    - the gains by cells;
    - the gains by sets of moves;
    - the replies that spoil a part of a double;
    - the replies that spoil the guarded move of a double;
    - the number of sets of the opponent's moves, with those that doubles take away;
    - half of the least gain by cells;
    - the moves of the doubles.
    """
    gains, sets, once, never, half, chosen, barred, total = 0, 0, 0, 0, FAR, 0, 0, 0
    left, free = moves, moves
    while left != 0:
        cell = lowest_bit(word(left))
        at = placement(side, cell)
        left = less(left, load(own, at + ITSELF))
        spoiling = load(own, at + SPOILED) & replies
        among = load(own, at + GUARDS) & free if spoiling & once == 0 else 0
        other = guarded(among, at, replies, once, side, own)
        if other >= 0:
            neighbour = placement(side, other)
            both = load(own, at + ITSELF) | load(own, neighbour + ITSELF)
            inner = load(own, neighbour + SPOILED) & replies
            gain = size + popcount(word(load(own, at + FILLS) & filled))
            gain = min(gain, size + popcount(word(load(own, neighbour + FILLS) & filled)))
            half = min(half, gain)
            gains += gained(2 * gain)
            away = (spoiling | inner) & load(own, at + BARS)
            count = most(away, 1 - side, own)
            total += count
            sets += gained(2 + count)
            once, never = once | spoiling | inner, never | inner
            barred, chosen = barred | away, chosen | both
            occupied = load(own, at + TAKES) | load(own, neighbour + TAKES)
            left, free = less(left, occupied), less(free, occupied)
    total += most(less(replies, barred), 1 - side, own)
    return gains, sets, once, never, total, half, chosen


def guarded(among: int, at: int, replies: int, once: int, side: int, own: Memory) -> int:
    """Return the first of some moves that the placement at `at` makes safe; -1 if there is none."""
    bars, left = load(own, at + BARS), among
    while left != 0:
        cell = lowest_bit(word(left))
        other = placement(side, cell)
        spoiling = load(own, other + SPOILED) & replies
        if spoiling & once == 0 and less(spoiling, bars) == 0:
            return cell
        left = less(left, load(own, other + ITSELF))
    return -1


def singles(
    moves: int, replies: int, once: int, never: int, side: int, own: Memory
) -> tuple[int, int, int]:
    """Find singles: moves that can all be made together, where no reply spoils three contested
    moves.

    The replies `once` already spoil one contested move; the replies `never` may not spoil another
    one. Return the moves, the replies that spoil one contested move, and those that spoil two.
    """
    isolated, left, twice = 0, moves, 0
    while left != 0:
        at = placement(side, lowest_bit(word(left)))
        spoiling = load(own, at + SPOILED) & replies
        if spoiling & (never | twice) == 0:
            isolated = isolated | load(own, at + ITSELF)
            left = less(left, load(own, at + TAKES))
            once, twice = once | spoiling, twice | once & spoiling
        else:
            left = less(left, load(own, at + ITSELF))
    return isolated, once, twice


def options(contest: Contest, surely: int, chosen: int, once: int) -> int:
    """Return the gains of isolated moves that may each replace a safe move."""
    gains, left = 0, surely
    while left != 0:
        at = placement(contest.side, lowest_bit(word(left)))
        itself = load(contest.own, at + ITSELF)
        left = less(left, itself)
        others = less(load(contest.own, at + TAKES) & contest.moves, itself)
        while others != 0:
            neighbour = placement(contest.side, lowest_bit(word(others)))
            spoiling = load(contest.own, neighbour + SPOILED) & contest.replies
            gain = popcount(word(load(contest.own, neighbour + FILLS) & contest.filled))
            alone = load(contest.own, neighbour + TAKES) & chosen == itself
            others = less(others, load(contest.own, neighbour + ITSELF))
            if alone and gain > 0 and spoiling & once == 0:
                gains += gained(gain)
                once, chosen = once | spoiling, chosen | load(contest.own, neighbour + ITSELF)
                others = 0
    return gains


def less(cells: int, others: int) -> int:
    """Return a mask without the cells of another one."""
    return cells - (cells & others)


def gained(gain: int) -> int:
    """Return the multiset of one gain."""
    return 1 << _BITS * (min(gain, _GREATEST) - 1)


def won(lone: int, linked: int, half: int, first: int) -> int:
    """Return the sum of the gains that a side gets, whatever its opponent does.

    At the end one gain of either kind may be left over, and then the opponent has no use for a
    move. An opponent that spoils both a part of a double and a linked move leaves half of the
    double. Therefore linked gains are capped at that half.
    """
    linked = capped(linked, half)
    singly, doubly = numbers_of(lone), numbers_of(linked)
    least = min(min(least_of(lone), least_of(linked)), half)
    if first == 0:
        return every(lone, 2, 0) + every(linked, 3, 0) + spare(singly, doubly, least)
    best = 0
    if singly > 0:
        best = every(lone, 2, 1) + every(linked, 3, 0) + spare(singly - 1, doubly, least)
    if doubly > 0:
        begun = every(lone, 2, 0) + every(linked, 3, 2) + spare(singly, doubly - 1, least)
        best = max(best, begun)
    return best


def spare(singly: int, doubly: int, least: int) -> int:
    """Return the gain of a move left over at the end, if there is an isolated and a linked one."""
    return least if singly % 2 != 0 and doubly % 3 != 0 else 0


def every(gains: int, turns: int, seen: int) -> int:
    """Return the sum of every second or third gain, in descending order, after `seen` others."""
    total = 0
    for down in range(_GREATEST):
        gain = _GREATEST - down
        count = gains >> _BITS * (gain - 1) & _FIELD
        total += gain * ((seen + count) // turns - seen // turns)
        seen += count
    return total


def capped(gains: int, most_of_one: int) -> int:
    """Return the same gains, each capped at a maximum."""
    bounded = gains
    for place in range(_GREATEST):
        if place >= most_of_one:
            count = gains >> _BITS * place & _FIELD
            bounded += (count << _BITS * (most_of_one - 1)) - (count << _BITS * place)
    return bounded


def numbers_of(gains: int) -> int:
    """Return the number of gains."""
    total = 0
    for place in range(_GREATEST):
        total += gains >> _BITS * place & _FIELD
    return total


def least_of(gains: int) -> int:
    """Return the least gain; `FAR` if there is none."""
    for place in range(_GREATEST):
        if gains >> _BITS * place & _FIELD != 0:
            return place + 1
    return FAR
