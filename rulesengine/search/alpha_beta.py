"""Alpha-beta search, as drivers: negamax for two teams, principal variation first.

A round looks so many plies deep, and gives what plain negamax of that depth gives: an entry of
the table serves the depth that it was made for, or any greater one if nothing below it was
estimated. Moves are tried in this order: that of the table, what has cut off in this ply before,
what has been best elsewhere, and as they are listed.

With three and more players the one for whom is searched plays against all others (paranoid
search).
"""

from typing import TypeVar

from rulesengine.drivers import UNFINISHED, Judged, high, word, wrap_xor
from rulesengine.memory import Memory, Word, load, load_word, poll, same, signed, store, store_word
from rulesengine.search.layout import (
    AT_LEAST,
    AT_MOST,
    BOUND_AT,
    CHOSEN,
    DEPTH_AT,
    DONE,
    ENDED,
    ENTRIES,
    ESTIMATED,
    EXACT,
    HISTORY,
    HISTORY_SIZE,
    KILLERS,
    LARGE,
    LENGTHS,
    LIMIT,
    MOST,
    MOVE_AT,
    NODES,
    POINTS,
    ROOM,
    ROOT,
    SELF,
    SURE,
    TIES,
    VALUE,
    VALUES,
    WHOLE_AT,
    WON,
    line_of,
)

S = TypeVar("S")
M = TypeVar("M")


# what a position is worth


def team(game: Judged[S, M], state: S, own: Memory) -> bool:
    """Whether the player for whom is searched is to move."""
    return game.mover(state) == load(own, SELF)


def lead(game: Judged[S, M], state: S, sides: int, own: Memory) -> int:
    """By how much the player for whom is searched leads, in points of the score."""
    player = load(own, SELF)
    best = -LARGE
    for side in range(sides):
        if side != player:
            best = max(best, game.score(state, side) * load(own, POINTS))
    return game.score(state, player) * load(own, POINTS) - best


def estimate(game: Judged[S, M], state: S, sides: int, own: Memory) -> int:
    """By how much the evaluation sees the player for whom is searched ahead."""
    player = load(own, SELF)
    best = -LARGE
    for side in range(sides):
        if side != player:
            best = max(best, game.estimate(state, side))
    return max(-MOST, min(MOST, game.estimate(state, player) - best))


def worth(game: Judged[S, M], state: S, goes_on: bool, sides: int, ply: int, own: Memory) -> int:
    """What a position is worth to the team that is to move, so many plies from the first one.

    It is estimated if the game goes on; where nobody can move though it has not ended, it is 0.
    """
    winner = game.winner(state)
    value = 0
    if winner == UNFINISHED:
        if goes_on:
            store(own, ESTIMATED, 1)
            value = estimate(game, state, sides, own)
    elif load(own, POINTS) != 0:
        value = lead(game, state, sides, own)
        if value > 0:
            value += WON
        elif value < 0:
            value -= WON
    elif winner >= 0:
        value = WON - ply if winner == load(own, SELF) else ply - WON
    return value if team(game, state, own) else -value


# the table of positions


def kept(value: int, ply: int, own: Memory) -> int:
    """A value as it is kept: plies to the end are counted from the position itself."""
    if load(own, POINTS) != 0:
        return value
    if value >= SURE:
        return value + ply
    return value - ply if value <= -SURE else value


def told(value: int, ply: int, own: Memory) -> int:
    """A value that was kept, as it is at this ply."""
    if load(own, POINTS) != 0:
        return value
    if value >= SURE:
        return value - ply
    return value + ply if value <= -SURE else value


def packed(value: int, bound: int, depth: int, whole: bool, move: int) -> int:
    """The second word of an entry."""
    low = value + LARGE + (bound << BOUND_AT) + (depth << DEPTH_AT)
    return low + (int(whole) << WHOLE_AT) + (move << MOVE_AT)


def entry_of(key: Word, own: Memory, table: Memory) -> int:
    """The second word of the entry of a position; 0 if there is none."""
    first = place_of(key, own)
    for at in range(2):
        data = load(table, first + 2 * at + 1)
        if data != 0 and same(wrap_xor(load_word(table, first + 2 * at), word(data)), key):
            return data
    return 0


def place_of(key: Word, own: Memory) -> int:
    """Where the two entries stand of which one may be a position's."""
    return 4 * high(key, load(own, ENTRIES) // 2)


def remember(key: Word, data: int, own: Memory, table: Memory) -> int:
    """Keep an entry: in the first of two places if what is there is no deeper, else in the other.

    What stands in the first word is the key mixed with the second, so that halves of two entries,
    which threads may have written side by side, belong to no position. Gives the place.
    """
    at = place_of(key, own)
    old = load(table, at + 1)
    if old >> DEPTH_AT & 255 > data >> DEPTH_AT & 255:
        at += 2
    elif not same(wrap_xor(load_word(table, at), word(old)), key):
        store_word(table, at + 2, load_word(table, at))
        store(table, at + 3, old)
    store_word(table, at, wrap_xor(key, word(data)))
    store(table, at + 1, data)
    return at


def serves(data: int, value: int, depth: int, alpha: int, beta: int) -> bool:
    """Whether an entry says all that is asked of a position."""
    deep = data >> DEPTH_AT & 255
    whole = data >> WHOLE_AT & 1
    bound = data >> BOUND_AT & 3
    if deep != depth and (whole == 0 or deep > depth):
        return False
    if bound == AT_LEAST:
        return value >= beta
    return bound == EXACT or value <= alpha


# the order of moves


def priority(key: int, mine: bool, ply: int, own: Memory) -> int:
    """How soon a move is tried."""
    if key == load(own, KILLERS + 2 * ply):
        return LARGE + 1
    if key == load(own, KILLERS + 2 * ply + 1):
        return LARGE
    return load(own, history_at(key, mine))


def history_at(key: int, mine: bool) -> int:
    return HISTORY + int(mine) * HISTORY_SIZE + (key & HISTORY_SIZE - 1)


def next_of(base: int, count: int, own: Memory) -> int:
    """The number of the move to be tried next, the first of the best; it is not tried again."""
    best, chosen = -1, 0
    for number in range(count):
        value = load(own, base + number)
        if value > best:
            best, chosen = value, number
    store(own, base + chosen, -1)
    return chosen


def praise(key: int, mine: bool, depth: int, ply: int, own: Memory) -> int:
    """Note that a move was too good; gives how often and how deep it was by now."""
    at = KILLERS + 2 * ply
    if load(own, at) != key:
        store(own, at + 1, load(own, at))
        store(own, at, key)
    place = history_at(key, mine)
    total = min(load(own, place) + depth * depth, LARGE - 1)
    store(own, place, total)
    return total


def lengthen(ply: int, number: int, own: Memory) -> int:
    """Let the line of a ply be a move and the line of the next ply; gives its length."""
    at, below = line_of(ply), line_of(ply + 1)
    length = load(own, LENGTHS + ply + 1)
    store(own, at, number)
    for i in range(length):
        store(own, at + 1 + i, load(own, below + i))
    store(own, LENGTHS + ply, length + 1)
    return length + 1


# the search


def alpha_beta(
    game: Judged[S, M],
    state: S,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    base: int,
    sides: int,
    own: Memory,
    table: Memory,
) -> int:
    """The value of a position to the team that is to move, if it lies between the bounds.

    Else a bound: at most alpha, or at least beta. The order of its moves is made from `base` on.
    """
    nodes = load(own, NODES)
    if nodes >= load(own, LIMIT):
        store(own, ENDED, 1)
        return 0
    store(own, NODES, nodes + 1)
    store(own, LENGTHS + ply, 0)
    if depth == 0:
        return worth(game, state, True, sides, ply, own)
    poll(own)
    keeps = depth > 1 and load(own, ENTRIES) > 0
    key, first = word(0), -1
    if keeps:
        key = game.folded(word(sides), state)
        data = entry_of(key, own, table)
        if data != 0:
            first = data >> MOVE_AT
            value = told((data & VALUES) - LARGE, ply, own)
            if beta - alpha == 1 and serves(data, value, depth, alpha, beta):
                if data >> WHOLE_AT & 1 == 0:
                    store(own, ESTIMATED, 1)
                return value
    estimated = load(own, ESTIMATED)
    store(own, ESTIMATED, 0)
    mine = team(game, state, own)
    best, low, chosen = -LARGE, alpha, 0
    moves = game.legal(state)
    count = len(moves)
    if not moves:
        best = worth(game, state, False, sides, ply, own)
    elif depth == 1 or base + 2 * count > load(own, ROOM):
        number = -1
        for move in moves:
            number += 1
            after = game.apply(state, move)
            value = child(
                game,
                after,
                depth - 1,
                low,
                beta,
                ply + 1,
                base,
                sides,
                mine,
                number == 0,
                own,
                table,
            )
            if load(own, ENDED) != 0:
                return 0
            if value > best:
                best, chosen = value, number
                if value > low:
                    low = value
                    lengthen(ply, number, own)
                    if value >= beta:
                        break
    else:
        at = base
        for move in moves:
            name = signed(game.key(move))
            store(own, at, priority(name, mine, ply, own))
            store(own, at + count, name)
            at += 1
        if first >= 0 and first < count:
            store(own, base + first, LARGE + 2)
        for turn in range(count):
            number = next_of(base, count, own)
            after = game.apply(state, moves[number])
            value = child(
                game,
                after,
                depth - 1,
                low,
                beta,
                ply + 1,
                base + 2 * count,
                sides,
                mine,
                turn == 0,
                own,
                table,
            )
            if load(own, ENDED) != 0:
                return 0
            if value > best:
                best, chosen = value, number
                if value > low:
                    low = value
                    lengthen(ply, number, own)
                    if value >= beta:
                        praise(load(own, base + count + number), mine, depth, ply, own)
                        break
    whole = load(own, ESTIMATED) == 0
    store(own, ESTIMATED, max(estimated, load(own, ESTIMATED)))
    if keeps:
        bound = AT_LEAST if best >= beta else EXACT if best > alpha else AT_MOST
        data = packed(kept(best, ply, own), bound, depth, whole, chosen)
        remember(key, data, own, table)
    return best


def child(
    game: Judged[S, M],
    state: S,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    base: int,
    sides: int,
    mine: bool,
    first: bool,
    own: Memory,
    table: Memory,
) -> int:
    """The value of what a move leads to, to the team that has made it.

    What is not the first move is only asked whether it is better than `alpha`; if so, how much.
    """
    if team(game, state, own) == mine:
        if not first:
            value = alpha_beta(game, state, depth, alpha, alpha + 1, ply, base, sides, own, table)
            if value <= alpha or value >= beta:
                return value
        return alpha_beta(game, state, depth, alpha, beta, ply, base, sides, own, table)
    if not first:
        value = -alpha_beta(game, state, depth, -alpha - 1, -alpha, ply, base, sides, own, table)
        if value <= alpha or value >= beta:
            return value
    return -alpha_beta(game, state, depth, -beta, -alpha, ply, base, sides, own, table)


def search_round(
    game: Judged[S, M], state: S, depth: int, sides: int, own: Memory, table: Memory
) -> int:
    """One round from the position that is searched, its moves in the order that stands at `ROOT`.

    The best move is the first of the best in the order of the language. Gives how many moves have
    been looked at; what was found of them stands in the memory, also where it is stopped.
    """
    moves = game.legal(state)
    count = len(moves)
    mine = team(game, state, own)
    best, chosen = -LARGE, -1
    for turn in range(count):
        poll(own)
        number = load(own, ROOT + turn)
        after = game.apply(state, moves[number])
        low = best
        if turn > 0 and (number < chosen or load(own, TIES) != 0):
            low = best - 1
        value = child(
            game,
            after,
            depth - 1,
            low,
            LARGE,
            1,
            ROOT + 2 * count,
            sides,
            mine,
            turn == 0,
            own,
            table,
        )
        if load(own, ENDED) != 0:
            return turn
        store(own, ROOT + count + number, value)
        if value > best or (value == best and number < chosen):
            best, chosen = value, number
            lengthen(0, number, own)
            store(own, CHOSEN, chosen)
            store(own, VALUE, best)
        store(own, DONE, turn + 1)
    return count
