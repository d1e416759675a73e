"""Memory layout of the Monte-Carlo tree search, in words.

Each thread has its own memory: a head with the settings, tables of numbers, the current path and
the records of its playouts. The settings are written before the search. The threads share another
memory, the pool, with the tree and the AMAF statistics.
"""

from rulesengine.engine.drivers.search.rollouts import LINE, MAX_RECORDS

# Head of a thread's own memory. The first two words are the shared words of a job: stop flag and
# counter.
PLAYOUTS = 1  # playouts
THREADS = 2  # threads that share the pool
WIDE = 3  # progressive widening applies above this number of moves; 0 for never
SLOTS = 4  # words of a node's AMAF statistics: slots for each player; 0 for none
REFERENCE = 5  # minimum visits of a node with AMAF statistics
BIAS = 6  # maximum weight of AMAF statistics, in visits
EXPLORE = 7  # exploration constant, times 2**16
GAMES = 8  # playouts per leaf
GAIN = 9  # progressive widening: a node gets a child if GAIN * visits > children ** 2
# A game of one player: the least and the greatest payoff so far, the length of the path to the
# greatest one, and the number of the playout that continued it, -1 for a path to the end.
LEAST, GREATEST, BEST_LENGTH, BEST_PLAYOUT = 10, 11, 12, 13
MAXIMISES = 14  # 1 for the greatest payoff of one player; 0, for the mean, with chance
HEAD = 16

# For n up to SIZE - 1: the root of the logarithm of n, and the root of 1 / n, times 2**16 each.
SIZE = 4096
LOGS, ROOTS = HEAD, HEAD + SIZE
DEEPEST = 4096
PATH = ROOTS + SIZE  # nodes of the current path
NOTES = PATH + DEEPEST  # notes of its moves, as `rollouts` encodes them
GAINED = NOTES + DEEPEST  # by player: the sum of results of the current playouts
RECORDS = GAINED + 64  # records of these playouts, in the format of `rollouts`
ADDED = RECORDS + MAX_RECORDS * LINE  # the AMAF statistics of these playouts
MOST_SLOTS = 4096
BEST_PATH = ADDED + MOST_SLOTS  # nodes of the path to the greatest payoff of one player
OWN = BEST_PATH + DEEPEST

# Head of the pool. Words that all threads change are in separate cache lines.
ROOM = 0  # size in words
PAUSE = 1  # no iteration begins from this playout number on, for the sake of other work; 0 for none
END = 8  # address of the next node
NEXT = 16  # number of the next playout
TREE = 24  # the root

# A node: visits; address of its children; their number (0 if unexpanded, -1 at an end); player to
# move; proven result; note of the move that leads to it; address of its AMAF statistics (0 for
# none); number of moves under progressive widening; and by player the sum of the results of its
# playouts, 2 for a win and 1 for a draw.
VISITS, FIRST, COUNT, MOVER, PROVEN, NOTE, MOVES, MORE, TOTALS = range(9)
OPEN, DRAWN = 0, 1  # PROVEN: nothing, a draw; a win of player p is p + WON_BY
WON_BY = 2
# Children of a node with `MORE` are a linked list, the newest first: the number of the move that
# leads to the child, and the next child, 0 at the end. Such trees have no AMAF statistics.
NUMBER, FURTHER = NOTE, MOVES
# In games of one player, which have neither, the place of `MOVES` has the greatest payoff of the
# playouts below, plus `OFFSET`; 0 without a playout. The sums of results are payoffs. A proven node
# is marked as drawn, and its greatest payoff is exact.
GREATEST_BELOW, OFFSET = MOVES, 1 << 40
LOCK = 1 << 32  # lock bit of `MORE`, while a thread changes the children
MOST = LOCK - 1


def width(sides: int) -> int:
    """Return the size of a node in words."""
    return TOTALS + sides
