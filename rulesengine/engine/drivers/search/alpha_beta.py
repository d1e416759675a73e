"""Alpha-beta drivers: principal variation search in negamax form, for two teams.

An iteration of a given depth returns the value of plain negamax of that depth. A transposition
table entry serves the depth that it was computed for, and any greater one if no leaf below it was
estimated.

Move ordering: the transposition table move, the killer moves of the ply, the history heuristic,
then the order of the rules. In a solution the history scores start from the results of playouts. In
games of points, and when solving a game that is lost by the side without a move, moves that leave
the fewest replies come right after the table move. In games won by lines, moves are ranked by the
number of cells left that would complete a line (Pons, 2016). A solution of such a game ranks them
by the number of lines through their cell, and probes the table for every successor before it
searches one.

With a null window no principal variation is needed. There a one-move look-ahead over masks finds
moves that win at once, and positions in which every move loses to the reply.

At a chance node the value is the mean over its branches, by their weights. A branch that ends the
game counts as `STAKE` there, unless all branches end the game for the same side.

With three and more players, the searching player plays against a coalition of all others (paranoid
search).
"""

from typing import TypeVar

from rulesengine.engine.drivers.memory import Memory, Word, load, poll, signed, store, words_equal
from rulesengine.engine.drivers.protocol import (
    CALM,
    LOST_NEXT,
    PARRIED,
    SETTLED,
    WON_NOW,
    SearchFunctions,
)
from rulesengine.engine.drivers.random import word
from rulesengine.engine.drivers.search.abdada import (
    busy_key,
    clear_busy,
    is_busy,
    mark_busy,
    part,
)
from rulesengine.engine.drivers.search.endgame import endgame_value
from rulesengine.engine.drivers.search.layout import (
    ABDADA_DEPTH,
    ALL_BEST,
    AT_LEAST,
    AT_MOST,
    BUSY_AT,
    CHOSEN,
    DEEPEST,
    DONE,
    ENDGAME_CELLS,
    ENTRIES,
    ESTIMATED,
    EXACT,
    LARGE,
    LAST_MOVE_WINS,
    LENGTHS,
    LIMIT,
    LIMIT_REACHED,
    MOBILITY_DEPTH,
    MOVE_AT,
    NODES,
    POINTS,
    PROBE_CELLS,
    ROOM,
    ROOT,
    SURE,
    TABLE_CELLS,
    USES_SAFE_MOVES,
    VALUE,
    VALUES,
    WON,
)
from rulesengine.engine.drivers.search.move_ordering import (
    DEFERRED,
    TABLE_MOVE,
    move_priority,
    reward_cutoff,
    select_move,
    store_line,
)
from rulesengine.engine.drivers.search.move_scoring import (
    horizon_threat,
    is_reduced,
    move_score,
    table_cutoff,
)
from rulesengine.engine.drivers.search.path_key import key_of, note
from rulesengine.engine.drivers.search.position_value import (
    chance_value,
    from_table,
    is_searcher,
    to_table,
    worth,
)
from rulesengine.engine.drivers.search.safe_moves import settled
from rulesengine.engine.drivers.search.transposition_table import packed, probe_entry, store_entry

S = TypeVar("S")
M = TypeVar("M")


def alpha_beta(
    game: SearchFunctions[S, M],
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
    """Return the value of a position for the team to move if it lies between the bounds.

    Otherwise return a bound: at most alpha, or at least beta. Moves are ordered in the free memory
    from the address `base` on.
    """
    nodes = load(own, NODES)
    if nodes >= load(own, LIMIT):
        store(own, LIMIT_REACHED, 1)
        return 0
    store(own, NODES, nodes + 1)
    store(own, LENGTHS + ply, 0)
    if depth == 0 or ply >= DEEPEST:
        haste = horizon_threat(game, state, ply, own)
        if haste == CALM:
            return worth(game, state, True, sides, ply, own)
        if haste == WON_NOW:
            return WON - ply - 1
        return hurried(game, state, haste, 1, alpha, beta, ply, base, sides, own, table)
    poll(own)
    if depth > 1 and load(own, ENTRIES) > 0 and game.looks_back(state):
        note(game, state, ply, own)
    if game.weight(state) > 0:
        return expected(game, state, depth, ply, base, sides, own, table)
    if beta - alpha == 1:
        if load(own, POINTS) != 0 and game.vacant(state) < ENDGAME_CELLS:
            store(own, NODES, nodes)
            return endgame_value(game, state, min(depth, DEEPEST - ply), beta, sides, own)
        haste = game.urgent(state)
        if haste == WON_NOW:
            return WON - ply - 1
        if haste != CALM and depth > 1:
            return hurried(game, state, haste, depth, alpha, beta, ply, base, sides, own, table)
        if game.tells_reserves(state) and load(own, USES_SAFE_MOVES) != 0:
            sure, latest = settled(game, state, own), WON - ply - game.vacant(state)
            if sure == SETTLED and latest >= beta:
                return latest
            if sure == -SETTLED and -latest <= alpha:
                return -latest
    keeps = depth > 1 and load(own, ENTRIES) > 0 and game.vacant(state) >= TABLE_CELLS
    key, data = word(0), 0
    if keeps:
        key = key_of(game, state, ply, sides, own)
        data = probe_entry(key, own, table)
        if beta - alpha == 1 and table_cutoff(data, depth, alpha, beta, ply, own):
            return from_table((data & VALUES) - LARGE, ply, own)
    estimated = load(own, ESTIMATED)
    store(own, ESTIMATED, 0)
    best, chosen = best_of(game, state, depth, alpha, beta, ply, base, sides, key, data, own, table)
    if keeps and load(own, LIMIT_REACHED) == 0:
        bound = AT_LEAST if best >= beta else EXACT if best > alpha else AT_MOST
        whole = load(own, ESTIMATED) == 0
        store_entry(key, packed(to_table(best, ply, own), bound, depth, whole, chosen), own, table)
    store(own, ESTIMATED, max(estimated, load(own, ESTIMATED)))
    return best


def hurried(
    game: SearchFunctions[S, M],
    state: S,
    haste: int,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    base: int,
    sides: int,
    own: Memory,
    table: Memory,
) -> int:
    """Return the value of a position with a threat: all moves lose except the forced ones."""
    lost = ply + 2 - WON
    if haste == LOST_NEXT:
        return lost
    if haste == PARRIED:
        return parrying(game, state, lost, depth, alpha, beta, ply, base, sides, own, table)
    moves = game.legal(state)
    after, mine = game.apply(state, moves[haste]), is_searcher(game, state, own)
    left = depth - 1
    value = child(game, after, left, alpha, beta, ply + 1, base, sides, mine, True, own, table)
    return max(value, lost)


def parrying(
    game: SearchFunctions[S, M],
    state: S,
    lost: int,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    base: int,
    sides: int,
    own: Memory,
    table: Memory,
) -> int:
    """Return the same value where several moves may parry the threat."""
    moves = game.legal(state)
    best, left, mine = lost, depth - 1, is_searcher(game, state, own)
    for move in moves:
        if game.parries(state, move):
            after = game.apply(state, move)
            value = child(
                game, after, left, alpha, beta, ply + 1, base, sides, mine, True, own, table
            )
            best = max(best, value)
            if best >= beta or load(own, LIMIT_REACHED) != 0:
                break
    return best


def best_of(
    game: SearchFunctions[S, M],
    state: S,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    base: int,
    sides: int,
    key: Word,
    data: int,
    own: Memory,
    table: Memory,
) -> tuple[int, int]:
    """Return the value and number of the best move; `data` is the table entry, 0 for none."""
    mine = is_searcher(game, state, own)
    if depth == 1:
        return as_listed(game, state, depth, alpha, beta, ply, base, sides, mine, own, table)
    first = data >> MOVE_AT if data != 0 else -1
    return by_priority(
        game, state, depth, alpha, beta, ply, base, sides, mine, key, first, own, table
    )


def taken(
    value: int, number: int, best: int, chosen: int, low: int, ply: int, own: Memory
) -> tuple[int, int, int]:
    """Return the best value, its move and the lower bound, updated with the value of a move."""
    if value > low:
        store_line(ply, number, own)
    if value > best:
        return value, number, max(low, value)
    return best, chosen, low


def as_listed(
    game: SearchFunctions[S, M],
    state: S,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    base: int,
    sides: int,
    mine: bool,
    own: Memory,
    table: Memory,
) -> tuple[int, int]:
    """Return the value and number of the best move, with the moves in the order of the rules.

    One ply above the horizon, ordering the moves would cost more than it saves.
    """
    moves = game.legal(state)
    if not moves:
        return worth(game, state, False, sides, ply, own), 0
    best, low, chosen, number = -LARGE, alpha, 0, -1
    for move in moves:
        number += 1
        after = game.apply(state, move)
        left, is_first = depth - 1, number == 0
        value = child(
            game, after, left, low, beta, ply + 1, base, sides, mine, is_first, own, table
        )
        if load(own, LIMIT_REACHED) != 0:
            break
        best, chosen, low = taken(value, number, best, chosen, low, ply, own)
        if value >= beta:
            break
    return best, chosen


def by_priority(
    game: SearchFunctions[S, M],
    state: S,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    base: int,
    sides: int,
    mine: bool,
    key: Word,
    first: int,
    own: Memory,
    table: Memory,
) -> tuple[int, int]:
    """Return the value and number of the best move of an ordered list; `first` comes first.

    Where there is no room to order the moves, they are searched in the order of the rules. Moves
    that another thread is searching are deferred to the end (ABDADA), where the position has a key.
    """
    moves = game.legal(state)
    count = len(moves)
    if not moves:
        return worth(game, state, False, sides, ply, own), 0
    if base + 2 * count > load(own, ROOM):
        return as_listed(game, state, depth, alpha, beta, ply, base, sides, mine, own, table)
    at = base
    narrows = depth >= MOBILITY_DEPTH and (load(own, POINTS) != 0 or load(own, LAST_MOVE_WINS) != 0)
    looks = narrows or game.tells_threats(state)
    meets = beta - alpha == 1 and load(own, POINTS) == 0
    meets = meets and game.vacant(state) > PROBE_CELLS and not words_equal(key, word(0))
    for move in moves:
        name = signed(game.key(move))
        soon = move_priority(name, mine, ply, own)
        if looks:
            after = game.apply(state, move)
            value, soon = move_score(
                game, after, soon, narrows, meets, depth, beta, sides, mine, ply, own, table
            )
            if value >= beta:
                return value, at - base
        store(own, at, soon + 1)
        store(own, at + count, name)
        at += 1
    if first >= 0 and first < count:
        store(own, base + first, TABLE_MOVE)
    best, low, chosen = -LARGE, alpha, 0
    below, number, soon, turn, left = base + 2 * count, count, 0, 0, count
    parts = depth >= ABDADA_DEPTH and load(own, BUSY_AT) > 0 and not words_equal(key, word(0))
    while left > 0:
        number, soon = select_move(base, count, number, soon, own)
        if parts:
            errand = busy_key(key, number)
            if turn > 0 and turn < count and is_busy(errand, own, table):
                store(own, base + number, DEFERRED)
                turn, number, soon = turn + 1, count, 0
                continue
            mark_busy(errand, own, table)
        is_late = is_reduced(game, state, depth, turn, soon, own)
        after = game.apply(state, moves[number])
        value = tried(
            game, after, is_late, depth, low, beta, ply, below, sides, mine, turn == 0, own, table
        )
        if parts:
            clear_busy(busy_key(key, number), own, table)
        turn, left = turn + 1, left - 1
        if load(own, LIMIT_REACHED) != 0:
            break
        best, chosen, low = taken(value, number, best, chosen, low, ply, own)
        if value >= beta:
            reward_cutoff(base, count, number, mine, depth, ply, own)
            break
    return best, chosen


def tried(
    game: SearchFunctions[S, M],
    state: S,
    is_late: bool,
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
    """Return the value of the position after a move, as `child` does.

    Late move reduction: a late move is searched one ply less deep first. It is searched again at
    full depth only if it raises alpha.
    """
    if is_late:
        value = child(
            game, state, depth - 2, alpha, alpha + 1, ply + 1, base, sides, mine, True, own, table
        )
        if value <= alpha or load(own, LIMIT_REACHED) != 0:
            return value
    return child(game, state, depth - 1, alpha, beta, ply + 1, base, sides, mine, first, own, table)


def expected(
    game: SearchFunctions[S, M],
    state: S,
    depth: int,
    ply: int,
    base: int,
    sides: int,
    own: Memory,
    table: Memory,
) -> int:
    """Return the mean value of a chance node, for the opposing team."""
    moves = game.legal(state)
    if not moves:
        return worth(game, state, False, sides, ply, own)
    left = depth if game.is_free(state) else depth - 1
    total, sure, lowest, highest = 0, 0, LARGE, -LARGE
    number = -1
    for move in moves:
        number += 1
        after = game.apply(state, move)
        value = child(
            game, after, left, -LARGE, LARGE, ply + 1, base, sides, False, True, own, table
        )
        if load(own, LIMIT_REACHED) != 0:
            return 0
        lowest, highest = min(lowest, value), max(highest, value)
        share = game.share(state, number)
        total += share * chance_value(value)
        sure += share * (value - WON if value > 0 else value + WON)
    weight = game.weight(state)
    if lowest >= SURE:
        return WON + sure // weight
    return sure // weight - WON if highest <= -SURE else total // weight


def child(
    game: SearchFunctions[S, M],
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
    """Return the value of the position after a move, for the team that made it.

    Every move but the first is searched with a null window first, and again with the full window if
    it raises alpha (principal variation search).
    """
    if is_searcher(game, state, own) == mine:
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
    game: SearchFunctions[S, M], state: S, depth: int, sides: int, own: Memory, table: Memory
) -> int:
    """Search the root position to a depth, with the moves in the order stored at `ROOT`.

    The best move is the first of the best ones in the order of the rules. Return the number of
    moves searched. Their results are in memory, also after an interruption.
    """
    moves = game.legal(state)
    count = len(moves)
    mine = is_searcher(game, state, own)
    best, chosen = -LARGE, -1
    parts = depth >= ABDADA_DEPTH and load(own, BUSY_AT) > 0
    key = key_of(game, state, 0, sides, own) if parts else word(0)
    if load(own, ENTRIES) > 0 and game.looks_back(state):
        note(game, state, 0, own)
    for turn in range(count):
        poll(own)
        if parts and turn > 0:
            part(key, turn, count, own, table)
        number = load(own, ROOT + turn)
        if parts:
            mark_busy(busy_key(key, number), own, table)
        after = game.apply(state, moves[number])
        low = best
        if turn > 0 and (number < chosen or load(own, ALL_BEST) != 0):
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
        if parts:
            clear_busy(busy_key(key, number), own, table)
        if load(own, LIMIT_REACHED) != 0:
            return turn
        store(own, ROOT + count + number, value)
        if value > best or (value == best and number < chosen):
            best, chosen = value, number
            store_line(0, number, own)
            store(own, CHOSEN, chosen)
            store(own, VALUE, best)
        store(own, DONE, turn + 1)
    return count
