"""Where a tree search keeps what in its memory, in words.

Each thread has memory of its own: after the head come tables of numbers, and the line in hand with
what has been played in it. What is set in the head before a search begins says how it goes. The
pool is another memory, which threads share: the tree, and statistics of moves.
"""

from rulesengine.engine.drivers.search.rollouts import LINE, TOGETHER

# Head of a thread's own memory. The first two words are those of a job's lane: what stops, and
# what is counted.
PLAYOUTS = 1  # random games played
THREADS = 2  # how many share the pool
WIDE = 3  # more moves than these are not all made at once; 0 if any number is
SLOTS = 4  # words of a node's statistics of moves: places for each player; 0 without them
REFERENCE = 5  # the visits from which on a node has them
BIAS = 6  # the visits that such statistics are worth at most
EXPLORE = 7  # how much is added for what was visited seldom, times 2**16
GAMES = 8  # random games from a place
GAIN = 9  # such a node gets a child whenever so many times its visits exceed its children squared
HEAD = 16

# Of n up to SIZE - 1: the root of the logarithm of n, and of its inverse, times 2**16 each.
SIZE = 4096
LOGS, ROOTS = HEAD, HEAD + SIZE
DEEPEST = 4096
PATH = ROOTS + SIZE  # the nodes of the line in hand
NOTES = PATH + DEEPEST  # its moves, as `statistics` notes them
GAINED = NOTES + DEEPEST  # by player, what the random games in hand have come to
TOLD = GAINED + 64  # the lines of these, as `rollouts` tells of them
ADDED = TOLD + TOGETHER * LINE  # what these add to statistics of moves
MOST_SLOTS = 4096
OWN = ADDED + MOST_SLOTS

# Head of the pool: what threads change at any time lies apart, in lines of its own of the caches.
ROOM = 0  # its words
PAUSE = 1  # from which number on no place is begun, so that others have their turn; 0 for none
END = 8  # where the next node goes
NEXT = 16  # the number of the next random game
TREE = 24  # the first node

# A node: how often it was visited, where its children begin and how many they are (0 before it is
# expanded, -1 at an end), who is to move in it, who wins it for sure, the note of the move that
# leads to it, where its statistics of moves are (0 without), how many moves it has if not all of
# them are made at once, and by player what the random games through it have come to, 2 for each
# that was won and 1 for each that was drawn.
VISITS, FIRST, COUNT, MOVER, PROVEN, NOTE, MOVES, MORE, TOTALS = range(9)
OPEN, DRAWN = 0, 1  # PROVEN: nothing, a draw; a win of player p is p + WON_BY
WON_BY = 2
# Children of a node with `MORE` are a list, the last one made first: the number of the move that
# leads to it, and the next one, 0 behind the last. Such trees have no statistics of moves.
NUMBER, FURTHER = NOTE, MOVES
LOCK = 1 << 32  # in `MORE`, while a thread changes the children
MOST = LOCK - 1


def width(sides: int) -> int:
    """The words of a node."""
    return TOTALS + sides
