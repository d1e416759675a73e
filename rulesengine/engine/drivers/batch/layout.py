"""Memory layout of a batch: addresses of words, unless bytes are mentioned.

A batch uses four memories. The plan is constant over all steps: parameters of the drivers, the
initial state, and a hash table from the words of steps to actions. The record of a game has its
complete state: the generator, the position, and the actions taken of a partial move. There are two
sets of records; a step reads one and writes the other. If the rules read earlier positions, each
game has a history, shared by both sets: a step appends to it after the positions that the record
counts. All else is derived from the records and written as output. For each game that is a mask and
a list of legal actions, the player to move and so on. If all moves are placements or passes, the
list is the set of their targets.
"""

from rulesengine.engine.drivers.memory import STOP, WORD

# The plan, which begins with the stop flag.
(
    STOPS,
    GAMES,
    PLAYERS,
    RESTARTS,  # 1 if a finished game restarts
    ACTIONS,
    STOP_ACTION,  # the action `stop`, -1 if there is none
    WIDTH,  # size of a record in words
    STATE,  # offset of the state in a record
    START,  # address of the initial state
    MASKS,  # byte address of the masks, and bytes of a row
    STRIDE,
    LISTS,  # byte address of the lists of legal actions, two bytes each
    SLOTS,  # number of entries of the hash table, and its address
    TABLE,
    KEPT,  # number of the first legal actions of a game with a stored step, and their address
    KEPT_AT,
    # If the moves are placements or passes:
    PASS_ACTION,  # the action of a pass, -1 if there is none
    BY_CELL,  # groups of eight cells of the board if each action is its cell, else 0
    SET_WORDS,  # words of a set of cells
    SPREADS,  # address of the table that expands eight bits to eight bytes
    CELL_ACTIONS,  # byte address of the actions of cells
    ACTION_CELLS,  # byte address of the cells of actions
    HEAD,
) = range(23)
assert STOPS == STOP

# Words that threads share during a step, each in its own cache lines: chunks not yet taken, chunks
# done; their total, and a flag: records go from the second set to the first. The marks follow: a
# line for each thread, with the game that it works on.
LINE = 16  # false sharing: two cache lines between words of different threads
OFFERED, DONE, CHUNKS, IS_BACK, MARKS = 2 * LINE, 3 * LINE, 4 * LINE, 4 * LINE + 1, 5 * LINE
assert HEAD <= OFFERED

# A record. Before its state it has the length of the game's history, and the first position of it
# that may repeat. Its path is the actions taken of a partial move.
RANDOM, PLIES, TAKEN, BEFORE, SINCE, PATH = range(6)

# Histories: the words of each, and the most entries of each; then for each game the words before
# its history, and the history.
SPAN, CAPACITY, FIRST_LINE = range(3)

# An entry of the hash table: the words of a step, and its action plus one, or 0 for a free slot.
STEP, CHOICE, NUMBER, ENTRY = range(4)

# Outputs of all games, in columns: one word for each game, and the payoffs.
MOVERS, LENGTHS, COUNTS, REFUSED, OVER, PAID = range(6)

# A stored step is one word: that of the step, and from this bit on the choice plus one. It
# is 0 if the action is not a whole move, or the choice is above the limit.
KEPT_CHOICE, MOST_CHOICE = 44, 1 << 18
KEPT_WORD = (1 << KEPT_CHOICE) - 1

# Special values of actions: none, for a finished game or a chance move; a random legal one; leave
# the game unchanged.
NOTHING, DRAWN, UNCHANGED = -1, -2, -3
NOBODY = -2  # the player to move of a finished game

# Observations of a single game: parameters and tables that do not change, then a block for each
# player with rows of flags, one for each plane and one for the player to move, and numbers.
(
    VIEWED,  # number of planes, without that of the player to move
    GROUPS,  # words of a row: one for eight cells
    SETS,  # address of the table with the offset of each plane's mask in a record, by side
    NUMBERS,  # count of numbers, and address of the table of their offsets in a record
    PLACES,
    SWAPPED,  # offset of the flag in a record that sides are swapped, -1 if they never are
    SPREAD,  # address of the table that expands eight bits to eight bytes
    BLOCKS,  # address of the blocks, and words of each
    SPAN_OF_BLOCK,
    VIEWS_HEAD,
) = range(10)
EIGHT = 8  # cells of a word of a row

HALF = 2  # bytes of an action in a list
assert WORD % HALF == 0
