"""Monte-Carlo tree search, as drivers: UCT over random games, with results that are proven.

Kocsis and Szepesvari, Bandit based Monte-Carlo planning (2006); Winands, Bjornsson and Saito,
Monte-Carlo tree search solver (2008). Each player wants most for itself. Numbers are whole: roots
and logarithms stand in tables that `tables` makes.
"""

from typing import TypeVar

from rulesengine.drivers import Judged, draw, generator, play
from rulesengine.memory import Memory, Word, load, poll, store

S = TypeVar("S")
M = TypeVar("M")

# The memory of a search begins as a job's lane does. `END` is where the next node goes.
PLAYOUTS, ROOM, END = 1, 2, 3
HEAD = 16
# Of n up to SIZE - 1: the root of the logarithm of n, and of its inverse, times 2**16 each.
SIZE = 4096
LOGS, ROOTS = HEAD, HEAD + SIZE
DEEPEST = 4096
PATH = ROOTS + SIZE  # the nodes of the line in hand
TREE = PATH + DEEPEST  # the first node

# A node: how often it was visited, where its children begin and how many they are (0 before it is
# expanded, -1 at an end), who is to move in it, who wins it for sure, and by player what the
# random games through it have come to, 2 for each that was won and 1 for each that was drawn.
VISITS, FIRST, COUNT, MOVER, PROVEN, TOTALS = 0, 1, 2, 3, 4, 5
OPEN, DRAWN = 0, 1  # PROVEN: nothing, a draw; a win of player p is p + WON_BY
WON_BY = 2
_APART = 1 << 40  # so that the tree and the random games draw different numbers
_UNSEEN = 1 << 40  # what has not been visited comes first


def width(sides: int) -> int:
    """The words of a node."""
    return TOTALS + sides


def explore(visits: int, parent: int, own: Memory) -> int:
    """How much is added for a node that was visited seldom, times 2**16."""
    return load(own, LOGS + min(parent, SIZE - 1)) * inverse_root(visits, own) >> 16


def inverse_root(n: int, own: Memory) -> int:
    """2**16 times the root of 1 / n, of large numbers about so."""
    halved = 0
    while n >= SIZE:
        n >>= 2
        halved += 1
    return load(own, ROOTS + n) >> halved


def worth(node: int, player: int, parent: int, own: Memory) -> int:
    """What a player makes of visiting a node."""
    proven = load(own, node + PROVEN)
    if proven != OPEN:
        if proven == player + WON_BY:
            return 2 * _UNSEEN
        return 1 << 15 if proven == DRAWN else -1
    visits = load(own, node + VISITS)
    if visits == 0:
        return _UNSEEN
    return (load(own, node + TOTALS + player) << 15) // visits + explore(visits, parent, own)


def selected(node: int, turn: int, sides: int, own: Memory) -> int:
    """The number of the child to visit, of equal ones the first from a number on, and around."""
    player, parent = load(own, node + MOVER), load(own, node + VISITS)
    first, count = load(own, node + FIRST), load(own, node + COUNT)
    best, chosen = -2, 0
    for i in range(count):
        number = (turn + i) % count
        value = worth(first + number * width(sides), player, parent, own)
        if value > best:
            best, chosen = value, number
    return chosen


def expanded(game: Judged[S, M], state: S, node: int, sides: int, own: Memory) -> int:
    """How many children a node has now: none at an end, and where there is no room for them."""
    moves = game.legal(state)
    count, first = len(moves), load(own, END)
    if count == 0:
        store(own, node + COUNT, -1)
        winner = game.winner(state)
        store(own, node + PROVEN, DRAWN if winner < 0 else winner + WON_BY)
        return 0
    if first + count * width(sides) > load(own, ROOM):
        return 0
    store(own, END, first + count * width(sides))
    store(own, node + FIRST, first)
    store(own, node + COUNT, count)
    store(own, node + MOVER, game.mover(state))
    return count


def proof(node: int, sides: int, own: Memory) -> int:
    """What a node's children prove of it."""
    player, first = load(own, node + MOVER), load(own, node + FIRST)
    lost = OPEN
    is_open, is_drawn = False, False
    for number in range(load(own, node + COUNT)):
        proven = load(own, first + number * width(sides) + PROVEN)
        if proven == player + WON_BY:
            return proven
        is_open = is_open or proven == OPEN
        is_drawn = is_drawn or proven == DRAWN
        lost = proven
    if is_open:
        return OPEN
    return DRAWN if is_drawn else lost


def count_result(winner: int, length: int, sides: int, own: Memory) -> int:
    """Note a result in all nodes of the line in hand; gives what is proven of the first."""
    for i in range(length):
        node = load(own, PATH + length - 1 - i)
        store(own, node + VISITS, load(own, node + VISITS) + 1)
        for player in range(sides):
            at = node + TOTALS + player
            gained = 1 if winner < 0 else 2 * int(winner == player)
            store(own, at, load(own, at) + gained)
        if load(own, node + COUNT) > 0 and load(own, node + PROVEN) == OPEN:
            store(own, node + PROVEN, proof(node, sides, own))
    return load(own, TREE + PROVEN)


def grow(
    game: Judged[S, M], state: S, first: int, end: int, seed: Word, sides: int, own: Memory
) -> int:
    """Random games by their numbers, each from a new place of the tree; how many were played.

    It ends before `end` if the result of the position is proven.
    """
    for number in range(first, end):
        poll(own)
        at, node, length = state, TREE, 1
        random = generator(seed, number + _APART)
        store(own, PATH, TREE)
        while load(own, node + PROVEN) == OPEN and length < DEEPEST:
            if load(own, node + COUNT) == 0:
                if load(own, node + VISITS) == 0 and node != TREE:
                    break
                if expanded(game, at, node, sides, own) == 0:
                    break
            random, turn = draw(random, load(own, node + COUNT))
            chosen = selected(node, turn, sides, own)
            moves = game.legal(at)
            at = game.apply(at, moves[chosen])
            node = load(own, node + FIRST) + chosen * width(sides)
            store(own, PATH + length, node)
            length += 1
        proven = load(own, node + PROVEN)
        winner = proven - WON_BY if proven > DRAWN else -1
        if proven == OPEN:
            at, _ = play(game, at, seed, number)
            winner = max(-1, game.winner(at))
        store(own, PLAYOUTS, number + 1)
        if count_result(winner, length, sides, own) != OPEN:
            return number + 1
    return end
