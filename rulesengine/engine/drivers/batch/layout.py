"""Where the memory of a batch holds what: places of words, where nothing else is said.

Four memories make a batch. The plan is alike for all steps: numbers that drivers read, the start,
and a hash table from the words of steps to actions. The record of a game is what it is: what its
generator, its state and the steps taken of a move in hand are. There are two sets of records,
from one of which a step is made to the other. Where rules read earlier positions each game has a
line of these, whichever record is meant: a step adds to it behind what the record counts. All else
follows from the records and is shown: for each game the actions that are legal, as a row of flags
and as a list, who is to move and so on.
"""

from rulesengine.engine.drivers.memory import STOP, WORD

# The plan, which begins with the word that stops.
(
    STOPS,
    GAMES,
    PLAYERS,
    RESTARTS,  # whether a game that is over begins anew
    ACTIONS,
    STOP_ACTION,  # the number of `stop`, -1 if there is none
    WIDTH,  # the words of a record
    STATE,  # where in a record its state begins
    START,  # where the plan holds the state at the start
    MASKS,  # where flags begin, in bytes, and how many bytes are a row
    STRIDE,
    LISTS,  # where the lists of legal actions begin, in bytes; each action takes two
    SLOTS,  # how many entries the hash table has, and where it begins
    TABLE,
    HEAD,
) = range(15)
assert STOPS == STOP

# Words by which threads share a step, in lines of a cache by themselves: chunks that nobody has
# taken, chunks that are done; how many there are, and whether records go from the second set to the
# first. Behind them shares note the games in hand, a line each.
LINE = 16  # words that no two threads write to: two lines of a cache
OFFERED, DONE, CHUNKS, IS_BACK, MARKS = LINE, 2 * LINE, 3 * LINE, 3 * LINE + 1, 4 * LINE
assert HEAD <= OFFERED

# A record: among it how many positions of the game's line are before its state, and as a path the
# actions taken of a move in hand.
RANDOM, PLIES, TAKEN, BEFORE, PATH = range(5)

# Lines: the words of each, then one behind the other.
SPAN, FIRST_LINE = range(2)

# An entry of the hash table: the words of a step, and its action plus one; 0 where there is none.
STEP, CHOICE, NUMBER, ENTRY = range(4)

# What is shown of all games, in columns of so many words: one for each game, and the payoffs.
MOVERS, LENGTHS, COUNTS, REFUSED, OVER, PAID = range(6)

# Instead of an action: nothing, where a game is over or chance draws; any legal one, drawn; or the
# game is left as it is.
NOTHING, DRAWN, RESTS = -1, -2, -3
NOBODY = -2  # the mover of a game that is over

# What players see of a single game: numbers and tables that do not change, then a block for each
# player, which has rows of flags, one for each plane and one for its turn, and numbers.
(
    VIEWED,  # how many planes there are beside that of the turn
    GROUPS,  # how many words are a row: one for eight cells
    SETS,  # where the table begins of where in a record each plane's set is, side by side
    NUMBERS,  # how many numbers are shown, and where the table of their places in a record begins
    PLACES,
    SWAPPED,  # where a record tells that sides are swapped, -1 where they never are
    SPREAD,  # where the table of words begins in which eight flags stand apart
    BLOCKS,  # where the blocks begin, and how many words each has
    SPAN_OF_BLOCK,
    VIEWS_HEAD,
) = range(10)
EIGHT = 8  # cells that a word of a row shows

HALF = 2  # bytes of an action in a list
assert WORD % HALF == 0
