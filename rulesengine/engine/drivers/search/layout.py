"""Where a search keeps what in the memory of one thread, in words, and how values are told.

After the head come tables of numbers of a fixed size, then `ROOT`: for each move of the position
that is searched its place in the order and its value; behind these is room in which the moves of
one position after the other are ordered. Another memory holds the table of positions, two words
for each entry.
"""

# Head. The first two words are those of a job's lane: what stops, and what is counted.
NODES = 1  # positions looked at
LIMIT = 2  # the most of them; no more are looked at after that
ENDED = 3  # 1 once the limit has been met: what is returned then says nothing
SELF = 4  # the player for whom is searched; all others are the other team
POINTS = 5  # 1 if the score decides, -1 if the lowest does, 0 if only who wins counts
ENTRIES = 6  # entries of the table of positions; 0 without one
ROOM = 7  # words of this memory
ESTIMATED = 8  # 1 if something below the position in hand was estimated, not played to its end
TIES = 9  # 1 if the values of all the best moves are wanted, not of the first alone
CHOSEN = 10  # the number of the best move of the position that is searched, -1 before there is one
VALUE = 11  # its value
DONE = 12  # how many moves of the position that is searched have been looked at in this round
DEPTH = 13  # the depth of this round
STALLS = 14  # 1 if a game is solved in which only who cannot move loses
ERRANDS_AT = 15  # where in the table stands what threads look at; 0 for one thread alone
WAYS = 16  # 1 if what is thought of moves is known: by how much of what wins they are in, or safe
SETTLES = 17  # 1 if it is asked who wins by moves in reserve: plies have no limit then
PLAIN = 18  # 1 if the depth of a round holds for all moves, however late or forced they are
TO_END = 19  # 1 if a search has no depth: what was found to the end holds however deep it was

DEEPEST = 127  # plies from the position that is searched
_LINES = DEEPEST + 2

HISTORY = 20  # by team and key of a move: how often it was better than others, and how deep
HISTORY_SIZE = 4096
KILLERS = HISTORY + 2 * HISTORY_SIZE  # by ply: the keys of two moves that were too good
LENGTHS = KILLERS + 2 * _LINES  # by ply: how long its line is
LINES = LENGTHS + _LINES  # by ply: the numbers of the moves of its line
PATHS = LINES + _LINES * _LINES  # by ply: a word of the positions before it that may come back
LASTING = PATHS + _LINES  # by ply: what lasts of the one before it
PLACEABLE = LASTING + _LINES  # where the player to move may place; where the other one may
SIZES = PLACEABLE + 2  # by side: how many cells a placement fills at least
PLACEMENTS = SIZES + 2  # by side and cell: sets of cells, in the order that follows
PARTS = PLACEMENTS + 2 * 64 * 8  # what a position is the sum of, as follows

# What tells parts of a position apart, from `PARTS` on, or from where a driver is told.
PIECES = 0  # the pieces of the player to move, and those of the other one
IMAGES = 2  # how many images a part has
JOINED = 3  # for each cell: itself as a set, and those that steps join with it
PLACES = JOINED + 2 * 64  # for each image and cell: a number that tells where it is
MOST_IMAGES = 12  # as many as six directions have
KEYS = PLACES + MOST_IMAGES * 64  # of parts: the pieces of both sides, and the key
KEYS_KEPT = 1 << 12
PARTS_SIZE = KEYS + 3 * KEYS_KEPT
ROOT = PARTS + PARTS_SIZE

# What is known of a placement: sets of cells, as `Side` in `kernel/passes/reserves.py` has them.
ITSELF, TAKES, SPOILED, BARS, FILLS, GUARDS, APART = range(7)

ERRANDS = 1 << 12  # words for what threads look at
PARTED = 4  # plies from which on a thread puts off what another one looks at
LATE, SPARED = 3, 3  # moves that come before late ones, and plies from which on these have less
NARROW = 3  # plies from which on moves are made to see how many replies they leave
KEPT = 6  # empty cells from which on positions are kept, where moves fill them
MET = 10  # empty cells above which it is looked whether the table has a move that is too good
CLOSE = 5  # empty cells below which games of points are only played on

# Values. Estimates lie inside of them, and what is won so many plies from now above.
LARGE = 1 << 30  # above all values
WON = 1 << 29  # a game won by so many points, or now; less by the plies until then
SURE = 1 << 28  # values from here on are of games that are played to their end
MOST = SURE - 1  # the greatest estimate
STAKE = 100_000  # what a game that chance may win or lose is worth, in the evaluation's units

# Entries of the table: bits of the second word.
BOUND_AT = 32  # value + LARGE below it
DEPTH_AT = 34
WHOLE_AT = 42  # 1 if nothing below was estimated
MOVE_AT = 43  # the number of the best move
VALUES = (1 << BOUND_AT) - 1
EXACT, AT_LEAST, AT_MOST = 1, 2, 3


def placement(side: int, cell: int) -> int:
    """Where stands what is known of the placement of a side by a cell."""
    return PLACEMENTS + (side * 64 + cell) * 8


def line_of(ply: int) -> int:
    """Where the line of a ply stands."""
    return LINES + ply * _LINES
