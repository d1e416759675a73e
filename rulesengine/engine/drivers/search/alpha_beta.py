"""Alpha-beta drivers: principal variation search in negamax form, for two teams.

An iteration of a given depth returns the value of plain negamax of that depth. A transposition
table entry serves the depth that it was computed for, and any greater one if no leaf below it was
estimated.

Move ordering: the transposition table move, the killer moves of the ply, the history heuristic,
then the order of the rules. In a solution the history scores start from the results of playouts.
Moves that leave the fewest replies come right after the table move in games of points. They do so
too when solving a game that is lost by the side without a move. In games won by lines, moves are
ranked by the number of cells left that would complete a line (Pons, 2016). A solution of such a
game ranks them by the number of lines through their cell, and probes the table for every successor
before it searches one.

With a null window no principal variation is needed. There a one-move look-ahead over masks finds
moves that win at once, and positions in which every move loses to the reply.

At a chance node the value is the mean over its branches, by their weights. A branch that ends the
game counts as `STAKE` there, unless all branches end the game for the same side.

With three and more players, the searching player plays against a coalition of all others (paranoid
search). A single player maximises the payoff or score, or finds the shortest win without these. A
mean over chance is then an estimate, because it is rounded. See decisions 079 and 098.
"""

from typing import TypeVar

from rulesengine.engine.drivers.memory import Memory, Word, load, poll, signed, store, words_equal
from rulesengine.engine.drivers.protocol import (
    LOST_NEXT,
    NO_THREAT,
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
from rulesengine.engine.drivers.search.context import SearchContext, SearchNode
from rulesengine.engine.drivers.search.endgame import endgame_value
from rulesengine.engine.drivers.search.layout import (
    ABDADA_DEPTH,
    AT_LEAST,
    AT_MOST,
    BUSY_AT,
    CAPTURES,
    CERTAIN,
    CHOSEN,
    DEEPEST,
    DEPTH,
    DONE,
    ENDGAME_CELLS,
    ENTRIES,
    ESTIMATED,
    EXACT,
    EXACT_WITHIN,
    FIXED_DEPTH,
    LARGE,
    LAST_MOVE_WINS,
    LENGTHS,
    LIMIT,
    LIMIT_REACHED,
    MOBILITY_DEPTH,
    MOVE_AT,
    NODES,
    NULL_DEPTH,
    PASSED,
    POINTS,
    PROBE_CELLS,
    PRUNES,
    ROOM,
    ROOT,
    STATIC,
    TABLE_CELLS,
    USES_SAFE_MOVES,
    VALUE,
    VALUES,
    WON,
)
from rulesengine.engine.drivers.search.move_ordering import (
    DEFERRED,
    TABLE_MOVE,
    by_gain,
    move_priority,
    reward_cutoff,
    select_move,
    store_line,
)
from rulesengine.engine.drivers.search.move_scoring import (
    Scoring,
    horizon_threat,
    move_score,
    table_cutoff,
)
from rulesengine.engine.drivers.search.null_move import (
    is_null_window,
    may_pass,
    null_depth,
    static_value,
)
from rulesengine.engine.drivers.search.path_key import key_of, note
from rulesengine.engine.drivers.search.position_value import (
    chance_value,
    from_table,
    is_searcher,
    to_table,
    worth,
)
from rulesengine.engine.drivers.search.quiescence import (
    follows_captures,
    gain_priority,
    net_priority,
    quiescence,
)
from rulesengine.engine.drivers.search.safe_moves import settled
from rulesengine.engine.drivers.search.selective_search import (
    adjusted_depth,
    reduction,
    skips,
)
from rulesengine.engine.drivers.search.transposition_table import packed, probe_entry, store_entry

S = TypeVar("S")
M = TypeVar("M")


def alpha_beta(
    game: SearchFunctions[S, M], state: S, node: SearchNode, search: SearchContext
) -> int:
    """Return the value of a position for the team to move if it lies within the window.

    Otherwise return a bound: at most alpha, or at least beta.
    """
    nodes = load(search.own, NODES)
    if nodes >= load(search.own, LIMIT):
        store(search.own, LIMIT_REACHED, 1)
        return 0
    store(search.own, NODES, nodes + 1)
    store(search.own, LENGTHS + node.ply, 0)
    if node.depth == 0 or node.ply >= DEEPEST:
        return at_horizon(game, state, node, search)
    poll(search.own)
    if node.depth > 1 and load(search.own, ENTRIES) > 0 and game.reads_history(state):
        note(game, state, node.ply, search.own)
    if game.weight(state) > 0:
        return expected(game, state, node, search)
    if node.beta - node.alpha == 1:
        if load(search.own, POINTS) != 0 and game.vacant(state) < ENDGAME_CELLS:
            store(search.own, NODES, nodes)
            left = min(node.depth, DEEPEST - node.ply)
            return endgame_value(game, state, left, node.beta, search.sides, search.own)
        urgency = game.urgent(state)
        if urgency == WON_NOW:
            return WON - node.ply - 1
        if urgency != NO_THREAT and node.depth > 1:
            return forced_value(game, state, urgency, node, search)
        if game.has_safe_moves(state) and load(search.own, USES_SAFE_MOVES) != 0:
            sure, latest = settled(game, state, search.own), WON - node.ply - game.vacant(state)
            if sure == SETTLED and latest >= node.beta:
                return latest
            if sure == -SETTLED and -latest <= node.alpha:
                return -latest
    return through_table(game, state, node, search)


def at_horizon(
    game: SearchFunctions[S, M], state: S, node: SearchNode, search: SearchContext
) -> int:
    """Return the value of a leaf: an estimate, or the result of a threat."""
    urgency = horizon_threat(game, state, node.ply, search.own)
    if urgency == NO_THREAT:
        if follows_captures(game, state, search.own):
            if node.ply < 2 * load(search.own, DEPTH) and game.threatened(state):
                evasion = SearchNode(1, node.alpha, node.beta, node.ply, node.base)
                return through_table(game, state, evasion, search)
            return quiescence(game, state, node, search)
        return worth(game, state, True, search.sides, node.ply, search.own)
    if urgency == WON_NOW:
        return WON - node.ply - 1
    forced = SearchNode(1, node.alpha, node.beta, node.ply, node.base)
    return forced_value(game, state, urgency, forced, search)


def through_table(
    game: SearchFunctions[S, M], state: S, node: SearchNode, search: SearchContext
) -> int:
    """Return the value of a position, from the transposition table or by a search of its moves."""
    keeps = node.depth > 1 and load(search.own, ENTRIES) > 0 and game.vacant(state) >= TABLE_CELLS
    key, data = word(0), 0
    if keeps:
        key = key_of(game, state, node.ply, search.sides, search.own)
        data = probe_entry(key, search.own, search.table)
        if node.beta - node.alpha == 1 and table_cutoff(
            data, node.depth, node.alpha, node.beta, node.ply, search.own
        ):
            return from_table((data & VALUES) - LARGE, node.ply, search.own)
    static = static_value(game, state, node, search)
    store(search.own, STATIC + node.ply, static)
    passes = node.depth >= NULL_DEPTH and static >= node.beta and is_null_window(node)
    if passes and may_pass(game, state, node, search):
        if after_null_move(game, state, node, search) >= node.beta:
            return node.beta
    estimated = load(search.own, ESTIMATED)
    store(search.own, ESTIMATED, 0)
    depth = adjusted_depth(game, state, data, node, search.own)
    inner = SearchNode(depth, node.alpha, node.beta, node.ply, node.base)
    best, chosen = best_of(game, state, key, data, inner, search)
    if keeps and load(search.own, LIMIT_REACHED) == 0:
        bound = AT_LEAST if best >= node.beta else EXACT if best > node.alpha else AT_MOST
        is_exact = load(search.own, ESTIMATED) == 0
        value = to_table(best, node.ply, search.own)
        store_entry(
            key,
            packed(value, bound, min(depth, node.depth), is_exact, chosen),
            search.own,
            search.table,
        )
    store(search.own, ESTIMATED, max(estimated, load(search.own, ESTIMATED)))
    return best


def after_null_move(
    game: SearchFunctions[S, M], state: S, node: SearchNode, search: SearchContext
) -> int:
    """Return the value of a position after a null move, for the side that passes, or a bound."""
    last = load(search.own, PASSED)
    store(search.own, PASSED, node.ply + 1)
    after = game.passed(state)
    below = SearchNode(null_depth(node), -node.beta, 1 - node.beta, node.ply + 1, node.base)
    value = -alpha_beta(game, after, below, search)
    store(search.own, PASSED, last)
    return -LARGE if load(search.own, LIMIT_REACHED) != 0 else value


def forced_value(
    game: SearchFunctions[S, M], state: S, urgency: int, node: SearchNode, search: SearchContext
) -> int:
    """Return the value of a position with a threat: all moves lose except the forced ones."""
    lost = node.ply + 2 - WON
    if urgency == LOST_NEXT:
        return lost
    if urgency == PARRIED:
        return parrying(game, state, lost, node, search)
    moves = game.legal(state)
    after, mine = game.apply(state, moves[urgency]), is_searcher(game, state, search.own)
    below = SearchNode(node.depth - 1, node.alpha, node.beta, node.ply + 1, node.base)
    return max(child(game, after, mine, True, below, search), lost)


def parrying(
    game: SearchFunctions[S, M], state: S, lost: int, node: SearchNode, search: SearchContext
) -> int:
    """Return the same value where several moves may parry the threat."""
    moves = game.legal(state)
    best, mine = lost, is_searcher(game, state, search.own)
    below = SearchNode(node.depth - 1, node.alpha, node.beta, node.ply + 1, node.base)
    for move in moves:
        if game.parries(state, move):
            after = game.apply(state, move)
            best = max(best, child(game, after, mine, True, below, search))
            if best >= node.beta or load(search.own, LIMIT_REACHED) != 0:
                break
    return best


def best_of(
    game: SearchFunctions[S, M],
    state: S,
    key: Word,
    data: int,
    node: SearchNode,
    search: SearchContext,
) -> tuple[int, int]:
    """Return the value and number of the best move; `data` is the table entry, 0 for none."""
    mine = is_searcher(game, state, search.own)
    orders = game.has_captures(state) and load(search.own, CAPTURES) != 0
    if node.depth == 1 and not orders:
        return as_listed(game, state, mine, node, search)
    first = data >> MOVE_AT if data != 0 else -1
    return by_priority(game, state, mine, key, first, node, search)


def update_best(
    value: int, number: int, best: int, chosen: int, low: int, ply: int, own: Memory
) -> tuple[int, int, int]:
    """Return the best value, its move and the lower bound, updated with the value of a move."""
    if value > low:
        store_line(ply, number, own)
    if value > best:
        return value, number, max(low, value)
    return best, chosen, low


def as_listed(
    game: SearchFunctions[S, M], state: S, mine: bool, node: SearchNode, search: SearchContext
) -> tuple[int, int]:
    """Return the value and number of the best move, with the moves in the order of the rules.

    One ply above the horizon, ordering the moves would cost more than it saves.
    """
    moves = game.legal(state)
    if not moves:
        return worth(game, state, False, search.sides, node.ply, search.own), 0
    best, low, chosen, number = -LARGE, node.alpha, 0, -1
    for move in moves:
        number += 1
        after = game.apply(state, move)
        below = SearchNode(node.depth - 1, low, node.beta, node.ply + 1, node.base)
        value = child(game, after, mine, number == 0, below, search)
        if load(search.own, LIMIT_REACHED) != 0:
            break
        best, chosen, low = update_best(value, number, best, chosen, low, node.ply, search.own)
        if value >= node.beta:
            break
    return best, chosen


def by_priority(
    game: SearchFunctions[S, M],
    state: S,
    mine: bool,
    key: Word,
    first: int,
    node: SearchNode,
    search: SearchContext,
) -> tuple[int, int]:
    """Return the value and number of the best move of an ordered list; `first` comes first.

    Where there is no room to order the moves, they are searched in the order of the rules. Moves
    that another thread is searching are deferred to the end (ABDADA), where the position has a key.
    """
    moves = game.legal(state)
    count = len(moves)
    if not moves:
        return worth(game, state, False, search.sides, node.ply, search.own), 0
    if node.base + 2 * count > load(search.own, ROOM):
        return as_listed(game, state, mine, node, search)
    at = node.base
    narrows = node.depth >= MOBILITY_DEPTH and (
        load(search.own, POINTS) != 0 or load(search.own, LAST_MOVE_WINS) != 0
    )
    scores_moves = narrows or game.has_threats(state)
    orders = game.has_captures(state) and load(search.own, CAPTURES) != 0
    is_selective = orders and load(search.own, PRUNES) != 0
    meets = node.beta - node.alpha == 1 and load(search.own, POINTS) == 0
    meets = meets and game.vacant(state) > PROBE_CELLS and not words_equal(key, word(0))
    kinds = Scoring(narrows, meets, mine)
    start = gain_priority(game, state, mine, search) if is_selective else 0
    for move in moves:
        name = signed(game.key(move))
        soon = move_priority(name, mine, node.ply, search.own)
        if orders and game.captures(state, move):
            after = game.apply(state, move)
            cell = game.target(move)
            gain = net_priority(game, after, cell, mine, search)
            if gain >= start:
                soon = by_gain(gain)
        if scores_moves:
            after = game.apply(state, move)
            value, soon = move_score(game, after, soon, kinds, node, search)
            if value >= node.beta:
                return value, at - node.base
        store(search.own, at, soon + 1)
        store(search.own, at + count, name)
        at += 1
    if first >= 0 and first < count:
        store(search.own, node.base + first, TABLE_MOVE)
    best, low, chosen = -LARGE, node.alpha, 0
    number, soon, turn, left = count, 0, 0, count
    parts = (
        node.depth >= ABDADA_DEPTH
        and load(search.own, BUSY_AT) > 0
        and not words_equal(key, word(0))
    )
    while left > 0:
        number, soon = select_move(node.base, count, number, soon, search.own)
        after = game.apply(state, moves[number])
        if skips(game, after, turn, soon, best, node, search.own):
            turn, left, best = turn + 1, left - 1, max(best, node.alpha)
            store(search.own, ESTIMATED, 1)
            continue
        if parts:
            move_key = busy_key(key, number)
            if turn > 0 and turn < count and is_busy(move_key, search.own, search.table):
                store(search.own, node.base + number, DEFERRED)
                turn, number, soon = turn + 1, count, 0
                continue
            mark_busy(move_key, search.own, search.table)
        plies = reduction(game, after, turn, soon, node, search.own)
        below = SearchNode(node.depth - 1, low, node.beta, node.ply + 1, node.base + 2 * count)
        value = search_move(game, after, mine, turn == 0, plies, below, search)
        if parts:
            clear_busy(busy_key(key, number), search.own, search.table)
        turn, left = turn + 1, left - 1
        if load(search.own, LIMIT_REACHED) != 0:
            break
        best, chosen, low = update_best(value, number, best, chosen, low, node.ply, search.own)
        if value >= node.beta:
            reward_cutoff(node.base, count, number, mine, node.depth, node.ply, search.own)
            break
    return best, chosen


def search_move(
    game: SearchFunctions[S, M],
    state: S,
    mine: bool,
    first: bool,
    plies: int,
    node: SearchNode,
    search: SearchContext,
) -> int:
    """Return the value of the position after a move, as `child` does.

    Late move reduction: a late move is searched one ply less deep first. It is searched again at
    full depth only if it raises alpha.
    """
    if plies > 0:
        reduced = SearchNode(node.depth - plies, node.alpha, node.alpha + 1, node.ply, node.base)
        value = child(game, state, mine, True, reduced, search)
        if value <= node.alpha or load(search.own, LIMIT_REACHED) != 0:
            return value
    return child(game, state, mine, first, node, search)


def expected(game: SearchFunctions[S, M], state: S, node: SearchNode, search: SearchContext) -> int:
    """Return the mean value of a chance node, for the opposing team."""
    moves = game.legal(state)
    if not moves:
        return worth(game, state, False, search.sides, node.ply, search.own)
    left = node.depth if game.is_free(state) else node.depth - 1
    below = SearchNode(left, -LARGE, LARGE, node.ply + 1, node.base)
    total, sure, lowest, highest = 0, 0, LARGE, -LARGE
    number = -1
    for move in moves:
        number += 1
        after = game.apply(state, move)
        value = child(game, after, False, True, below, search)
        if load(search.own, LIMIT_REACHED) != 0:
            return 0
        lowest, highest = min(lowest, value), max(highest, value)
        share = game.share(state, number)
        total += share * chance_value(value)
        sure += share * (value - WON if value > 0 else value + WON)
    weight = game.weight(state)
    if lowest >= CERTAIN:
        return WON + sure // weight
    if highest <= -CERTAIN:
        return sure // weight - WON
    if search.sides == 1 and load(search.own, POINTS) != 0 and total != lowest * weight:
        store(search.own, ESTIMATED, 1)
    return total // weight


def child(
    game: SearchFunctions[S, M],
    state: S,
    mine: bool,
    first: bool,
    node: SearchNode,
    search: SearchContext,
) -> int:
    """Return the value of the position after a move, for the team that made it.

    The window of `node` is that of this team. Every move but the first is searched with a null
    window first, and again with the full window if it raises alpha (principal variation search).
    """
    stays = is_searcher(game, state, search.own) == mine
    if not first:
        null = SearchNode(node.depth, node.alpha, node.alpha + 1, node.ply, node.base)
        value = relative(game, state, stays, null, search)
        if value <= node.alpha or value >= node.beta:
            return value
    return relative(game, state, stays, node, search)


def relative(
    game: SearchFunctions[S, M], state: S, stays: bool, node: SearchNode, search: SearchContext
) -> int:
    """Return the value of a position for the team that moved last; `stays` if it moves again."""
    if stays:
        return alpha_beta(game, state, node, search)
    turned = SearchNode(node.depth, -node.beta, -node.alpha, node.ply, node.base)
    return -alpha_beta(game, state, turned, search)


def search_round(game: SearchFunctions[S, M], state: S, depth: int, search: SearchContext) -> int:
    """Search the root position to a depth, with the moves in the order stored at `ROOT`.

    Of equally good moves, a search of fixed depth chooses the first in the order of the rules.
    Other searches choose the first at `ROOT`, such as the best move of the previous iteration.
    The first `DONE` moves at `ROOT` are excluded (multi-PV).
    Return the number of moves searched. Their results are in memory, also after an interruption.
    """
    moves = game.legal(state)
    count = len(moves)
    mine, is_first = is_searcher(game, state, search.own), load(search.own, FIXED_DEPTH) != 0
    best, chosen = -LARGE, -1
    parts = depth >= ABDADA_DEPTH and load(search.own, BUSY_AT) > 0
    key = key_of(game, state, 0, search.sides, search.own) if parts else word(0)
    if load(search.own, ENTRIES) > 0 and game.reads_history(state):
        note(game, state, 0, search.own)
    first = load(search.own, DONE)
    for turn in range(first, count):
        poll(search.own)
        if parts and turn > first:
            part(key, turn, count, search.own, search.table)
        number = load(search.own, ROOT + turn)
        if parts:
            mark_busy(busy_key(key, number), search.own, search.table)
        after = game.apply(state, moves[number])
        within = load(search.own, EXACT_WITHIN)
        if within == 0 and is_first and number < chosen:
            within = 1
        low = max(-LARGE, best - within)
        node = SearchNode(depth - 1, low, LARGE, 1, ROOT + 2 * count)
        value = child(game, after, mine, low == -LARGE, node, search)
        if parts:
            clear_busy(busy_key(key, number), search.own, search.table)
        if load(search.own, LIMIT_REACHED) != 0:
            return turn
        store(search.own, ROOT + count + number, value)
        if value > best or (is_first and value == best and number < chosen):
            best, chosen = value, number
            store_line(0, number, search.own)
            store(search.own, CHOSEN, chosen)
            store(search.own, VALUE, best)
        store(search.own, DONE, turn + 1)
    return count
