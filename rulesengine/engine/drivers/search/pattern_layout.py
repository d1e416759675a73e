"""Memory layout of move patterns, in words, behind a tree search's own memory.

The tables and settings are written before the search. Contents of cells are 0 (empty), 1 and 2 (the
players' pieces) and 3 (other pieces, and all that is off the board).
"""

from rulesengine.engine.drivers.search.tree_layout import OWN

MOST_CELLS = 512  # with one that represents all cells off the board
MOST_WAYS = 8  # maximum number of directions
OWNERS = 3  # sets of cells: pieces of both players, other pieces
MASK_WORDS = MOST_CELLS // 64
CODE_COUNT = 1 << 2 * MOST_WAYS  # contents of all neighbours, two bits each
MOST_OUTER = 12  # maximum number of cells around a neighbourhood
OUTER_BITS = 2 * MOST_OUTER  # of the code of a larger pattern, behind the contents of neighbours
PATTERN_BITS = OUTER_BITS + 2 * MOST_WAYS  # of such a code
SLOTS = 1 << 16  # places of the hash table of larger patterns

# Settings.
CELLS = OWN  # number of cells, and the number of the cell off the board
WAYS = OWN + 1  # number of directions
ADJACENT_COUNT = OWN + 2  # number of directions to adjacent cells, which come first
COUNTS_LIBERTIES = OWN + 3  # 1 if features of groups apply
PRIOR = OWN + 4  # weight of priors, in playouts
LAST = OWN + 5  # cell of the last placement before the root; `CELLS` for none
OUTER_COUNT = OWN + 9  # number of cells around a neighbourhood
LARGER_COUNT = OWN + 10  # number of larger patterns with weights
# State of the computation.
NOW_LAST = OWN + 6  # the same for the node in hand
STAMP = OWN + 7  # the mark of the last search of a group
GROUP = OWN + 8  # the size of that group, as far as it was searched

MASKS = OWN + 16  # sets of cells by owner
NEAR = MASKS + OWNERS * MASK_WORDS  # by cell and direction: the next cell
CONTENT = NEAR + MOST_CELLS * MOST_WAYS
CODES = CONTENT + MOST_CELLS  # by cell: the contents of its neighbours
NEARNESS = CODES + MOST_CELLS  # by cell: the class of its distance from the last placement
MARKS = NEARNESS + MOST_CELLS
STACK = MARKS + MOST_CELLS
GAMMA = STACK + MOST_CELLS  # by side and code, in units of `UNIT`
FEATURES = GAMMA + 2 * CODE_COUNT  # by index of `features_of`
OUTER = FEATURES + 256  # by cell and place: a cell around the neighbourhood
LARGER = OUTER + MOST_CELLS * MOST_OUTER  # slots: side and code of a larger pattern, plus 1; weight
PATTERNED = LARGER + 2 * SLOTS  # size of the memory

UNIT = 1 << 10
NO_LAST, ADJACENT, DIAGONAL, SECOND, FAR = range(5)  # classes of distance
NEARNESSES, CAPTURES, SAVES, ATTACKS, RISKS = 5, 4, 2, 2, 3  # numbers of classes
PASS = NEARNESSES * CAPTURES * SAVES * ATTACKS * RISKS  # the feature of a move without a cell
