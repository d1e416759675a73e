"""Memory layout of alpha-beta search, in words, and the encoding of values.

After the head come tables of fixed size, then `ROOT`: for each root move its place in the order and
its value. The free memory behind it holds the ordered moves of the positions on the path. Another
memory is the transposition table, two words for each entry. See decision 031.
"""

# Head. The first two words are the shared words of a job: stop flag and counter.
NODES = 1  # positions searched
LIMIT = 2  # node limit; the search stops there
LIMIT_REACHED = 3  # 1 after the limit was reached: the values returned then are invalid
SEARCHER = 4  # the searching player; all others are the other team
POINTS = 5  # 1 if the highest score wins, -1 if the lowest does, 0 in games without points
ENTRIES = 6  # entries of the transposition table; 0 without one
ROOM = 7  # size of this memory
ESTIMATED = 8  # 1 if a leaf below the current position was estimated
EXACT_WITHIN = 9  # root moves at most this far below the best one get exact values; 0: the best one
CHOSEN = 10  # number of the best root move, -1 before there is one
VALUE = 11  # its value
DONE = 12  # root moves searched in this iteration; the host sets the number of excluded ones
DEPTH = 13  # depth of this iteration
LAST_MOVE_WINS = 14  # 1 if a game is being solved that is lost by the side without a move
BUSY_AT = 15  # address in the table of the moves being searched (ABDADA); 0 for one thread
FIXED_HISTORY = 16  # 1 if history scores are fixed: by winning lines or by safe moves
USES_SAFE_MOVES = 17  # 1 if safe moves may prove a win; plies have no limit then
FIXED_DEPTH = 18  # 1 for a fixed depth: no reductions, no extensions
TO_END = 19  # 1 for a search to the end: entries serve any depth
FINE = 20  # 1 if estimates are in the unit of the search: learned payoffs of a single player
CAPTURES = 21  # the use of captures: `ORDERED` and `FOLLOWED`, or 0
QUIESCENCE_NODES = 22  # positions searched by quiescence search, part of `NODES`
MARGIN = 23  # the greatest gain of a reply that quiescence search expects (delta pruning)
PRUNES = 24  # 1 for selective search: null moves, futility and late move pruning, risk
PASSED = 25  # the ply that the last null move on the path led to

ORDERED, FOLLOWED = 1, 2  # captures come first; they are also followed at the horizon

DEEPEST = 127  # maximum ply
_LINES = DEEPEST + 2

STATIC = 26  # by ply: the estimate of the position, or `-LARGE` in check and without pruning
REDUCTIONS = STATIC + _LINES  # by depth and place in the order: the plies of late move reduction
REDUCED_DEPTHS, REDUCED_TURNS = 32, 64  # the last row and column serve all greater numbers
HISTORY = REDUCTIONS + REDUCED_DEPTHS * REDUCED_TURNS  # history scores by team and hash of the move
HISTORY_SIZE = 4096
KILLERS = HISTORY + 2 * HISTORY_SIZE  # killer moves: two hashes by ply
LENGTHS = KILLERS + 2 * _LINES  # by ply: the length of its principal variation
LINES = LENGTHS + _LINES  # by ply: the move numbers of its principal variation
PATHS = LINES + _LINES * _LINES  # by ply: the hash of the earlier positions that may repeat
LASTING = PATHS + _LINES  # by ply: the irreversible part (`lasting`) of the position before
PLACEABLE = LASTING + _LINES  # masks of placements of the player to move and of the opponent
SIZES = PLACEABLE + 2  # by side: the minimum number of cells that a placement fills
PLACEMENTS = SIZES + 2  # by side and cell: masks in the order that follows
PARTS = PLACEMENTS + 2 * 64 * 8  # the components of a position, laid out as follows

# Tables for component keys, from `PARTS` on or from another address.
PIECES = 0  # masks of the pieces of the player to move and of the opponent
IMAGES = 2  # number of images of a component
JOINED = 3  # for each cell: its own mask, and the cells that steps join with it
PLACES = JOINED + 2 * 64  # for each image and cell: the number of its position
MOST_IMAGES = 12  # as many as six directions have
KEYS = PLACES + MOST_IMAGES * 64  # cache of component keys: the pieces of both sides, and the key
KEYS_KEPT = 1 << 12
PARTS_SIZE = KEYS + 3 * KEYS_KEPT
ROOT = PARTS + PARTS_SIZE

# Tables of a placement: masks in the order of `Side` in `kernel/passes/reserves.py`.
ITSELF, TAKES, SPOILED, BARS, FILLS, GUARDS, APART = range(7)

BUSY_SLOTS = 1 << 12  # words of the table of moves being searched (ABDADA)
ABDADA_DEPTH = 4  # minimum depth of ABDADA
# Late move reduction: number of moves before the late ones, and minimum depth.
LATE_MOVES, REDUCTION_DEPTH = 3, 3
NULL_DEPTH, NULL_REDUCTION = 2, 2  # minimum depth of null moves, and plies that they save
NULL_SHARE = 4  # a null move saves 1 / `NULL_SHARE` of the depth, too
# Greatest depth of futility pruning, and the greatest gain of a ply that it expects.
FUTILE_DEPTH, FUTILE_GAIN = 3, 120
# Late move pruning: greatest depth, and quiet moves searched beyond the square of the depth.
PRUNED_DEPTH, PRUNED_AFTER = 3, 3
UNKNOWN_DEPTH = 4  # minimum depth of internal iterative reduction
MOBILITY_DEPTH = 3  # minimum depth at which moves are ordered by their number of replies
TABLE_CELLS = 6  # minimum number of empty cells for the transposition table, where moves fill them
PROBE_CELLS = 10  # number of empty cells above which successors are probed for a table cutoff
ENDGAME_CELLS = 5  # number of empty cells below which the plain endgame search is used

# Values: estimates lie between -CERTAIN and CERTAIN, wins beyond.
LARGE = 1 << 30  # greater than any value
WON = 1 << 29  # a win now; minus the plies until then, or plus the points
CERTAIN = 1 << 28  # values from here on are exact: of games played to their end
MOST = CERTAIN - 1  # the greatest estimate
STAKE = 100_000  # the value of a win that depends on chance, in the evaluation's units

# Transposition table entries: bits of the second word.
BOUND_AT = 32  # value + LARGE below it
DEPTH_AT = 34
WHOLE_AT = 42  # 1 if no leaf below was estimated
MOVE_AT = 43  # the number of the best move
VALUES = (1 << BOUND_AT) - 1
EXACT, AT_LEAST, AT_MOST = 1, 2, 3


def placement(side: int, cell: int) -> int:
    """Return the address of the tables of a side's placement at a cell."""
    return PLACEMENTS + (side * 64 + cell) * 8


def line_of(ply: int) -> int:
    """Return the address of the principal variation of a ply."""
    return LINES + ply * _LINES
