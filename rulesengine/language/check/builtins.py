"""The words of the expression language: one row each, from which the reference is generated.

A word with parameters is a function, one without is a name. The parameters of a row are the
arguments of the operation in the same order. A range passes two numbers, a parameter with `*` takes
any number of values, one with `?` may be omitted. The operation of a name is the one that reads the
state, if there is one.
"""

from types import MappingProxyType

from rulesengine.language.check.builtin_row import word as _word
from rulesengine.support.limits import INTEGER_MAX

_FUNCTIONS = (
    _word("count(cells: cells)", "number", "how many cells the set has", "count(own)"),
    _word("any(cells: cells)", "flag", "whether the set has a cell", "any(own and top)"),
    _word("none(cells: cells)", "flag", "whether the set has no cell", "none(empty)"),
    _word(
        "first(cells: cells)",
        "cell",
        "the first cell of the set in reading order; an error if it has none",
        "first(empty)",
    ),
    _word(
        "last(cells: cells)",
        "cell",
        "the last cell of the set in reading order; an error if it has none",
        "last(empty)",
    ),
    _word(
        "shift(cells: cells, along: directions*)",
        "cells",
        "the cells reached by one step in any of the directions; further directions are further"
        " steps, so `shift(from, north, north)` is two cells up; cells off the board are left out",
        "shift(own, north)",
    ),
    _word(
        "neighbours(cells: cells, along: directions?)",
        "cells",
        "the cells adjacent to a cell of the set, or one step along the given directions",
        "neighbours(own)",
    ),
    _word(
        "slide(cells: cells, along: directions, through: cells, joins: range? = 0)",
        "cells",
        "the cells of `through` that are reached by going straight on from a cell of the set"
        " without leaving `through`; on a board with joins those behind so many of them (any number"
        " if not given)",
        "slide(from, orthogonal, empty)",
        across="slide_on",
    ),
    _word(
        "run(from: cells, over: cells, until: cells, length: range = 1, along: directions?)",
        "cells",
        "the cells of `over` in a straight, unbroken row that begins next to `from` and ends next"
        " to a cell of `until`; the row's length is in the range (at least 1 if not given)",
        "run(to, enemy, own)",
        across="run_on",
    ),
    _word(
        "line(cells: cells, length: range, along: directions?)",
        "cells",
        "the cells of the set in straight, unbroken rows of it with a whole length in the range;"
        " a single number is the exact length",
        "line(own, at least 4)",
    ),
    _word(
        "fill(cells: cells, within: cells, along: directions?)",
        "cells",
        "the cells of `within` that are reached from the cells of the set that are in `within`, by"
        " steps to neighbours in `within`",
        "fill(own and top, own)",
    ),
    _word(
        "rows(range: range)",
        "cells",
        "the cells of the rows in the range, counted from the origin",
        "rows(1 to 2)",
    ),
    _word(
        "columns(range: range)",
        "cells",
        "the cells of the columns in the range, counted from the origin",
        "columns(3 to 6)",
    ),
    _word(
        "cell_at(row: number, column: number)",
        "cell",
        "the cell at a row and a column, counted from the origin; off the board it is an error",
        "cell_at(1, 1)",
        op="at",
    ),
    _word(
        "row(cell: cell)",
        "number",
        "the number of the cell's row, from 1, counted from the origin",
        "row(to)",
    ),
    _word(
        "column(cell: cell)",
        "number",
        "the number of the cell's column, from 1, counted from the origin",
        "column(to)",
    ),
    _word(
        "row_label(cell: cell)",
        "text",
        "how the notation writes the cell's row; `row of to` is the same",
        "row_label(to)",
    ),
    _word(
        "column_label(cell: cell)",
        "text",
        "how the notation writes the cell's column; `column of to` is the same",
        "column_label(to)",
    ),
    _word(
        "screen_row(cell: cell)",
        "number",
        "the line of the printed board that the cell is on, from 1 at the top",
        "screen_row(to)",
    ),
    _word(
        "screen_column(cell: cell)",
        "number",
        "the place of the cell in its printed line, from 1 at the left",
        "screen_column(to)",
    ),
    _word(
        "owner(cell: cell)",
        "side",
        "the side that the piece on the cell belongs to",
        "owner(to) = player",
    ),
    _word(
        "kind(cell: cell)", "kind", "the kind of the piece on the cell", "kind(from)", op="kind_at"
    ),
    _word(
        "height(cell: cell)",
        "number",
        "the number of pieces on the cell, on a board with stacks",
        "height(from)",
    ),
    _word(
        "opposite(along: directions)",
        "directions",
        "the opposite directions",
        "opposite(orthogonal)",
    ),
    _word(
        "turned(along: directions, steps: number)",
        "directions",
        "the directions after so many steps clockwise, backwards if the number is negative: a step"
        " is an eighth of a turn on square cells, a sixth on hexagonal ones; a single direction"
        " remains one",
        "turned(orthogonal, 1)",
    ),
    _word(
        "further(track: track, cell: cell, number: number)",
        "cell",
        "the cell so many steps further on the track, backwards if the number is negative; no cell"
        " past the ends of an open track, and for a cell that is not on the track; `no_cell` is the"
        " place before the first cell",
        "further(ring, to, 3)",
    ),
    _word(
        "place_on(track: track, cell: cell)",
        "number",
        "the number of the cell on the track, from 1; 0 if it is not on the track",
        "place_on(ring, to) > 3",
    ),
    _word("next(side: side)", "side", "the side that follows in the order of play", "next(player)"),
    _word(
        "can_move(side: side)",
        "flag",
        "whether the side would have a step other than a pass if it were to move",
        "can_move(opponent)",
    ),
    _word("can_act(side: side)", "flag", "as `can_move`, counting passes", "not can_act(opponent)"),
    _word(
        "abs(number: number)",
        "number",
        "the absolute value of the number",
        "abs(count(own) - count(enemy))",
    ),
    _word(
        "smaller(number: number*)",
        "number",
        "the smallest of the numbers",
        "smaller(count(own), 3)",
    ),
    _word(
        "greater(number: number*)",
        "number",
        "the greatest of the numbers",
        "greater(count(own), 3)",
    ),
)

_NAMES = (
    _word("empty", "cells", "the cells without a piece", "empty"),
    _word("occupied", "cells", "the cells with a piece", "occupied", op="empty"),
    _word("own", "cells", "the cells with a piece of `player`", "own", op="owned"),
    _word(
        "enemy",
        "cells",
        "the cells with a piece of another side (not neutral ones)",
        "enemy",
        op="owned",
    ),
    _word("neutral", "cells", "the cells with a piece of no side", "count(neutral)", op="owned"),
    _word(
        "unknown",
        "cells",
        "the cells that `player` does not see; none if nothing on the board is hidden",
        "unknown",
        op="seen",
    ),
    _word("all", "cells", "all cells of the board", "all minus edge"),
    _word("nowhere", "cells", "the set without a cell", "nowhere"),
    _word("true", "flag", "a condition that holds", "true"),
    _word("false", "flag", "a condition that does not hold", "false"),
    _word(
        "player",
        "side",
        "the viewpoint, the side that an expression is evaluated for: the mover, in an end each"
        " side in turn, inside `as` the side named there",
        "player",
        op="variable",
    ),
    _word("opponent", "side", "the other side of two", "opponent", op="variable"),
    _word(
        "nobody",
        "side",
        "no side: the `owner` of a cell that is empty or has a neutral piece, the `winner` of a"
        " draw",
        "owner(to) = nobody",
    ),
    _word("no_cell", "cell", "no cell, as in a register without a cell", "to = no_cell"),
    _word(
        "no_kind",
        "kind",
        "no kind: the `kind` of an empty cell, or a register without a kind",
        "kind(to) = no_kind",
    ),
    _word("mover", "side", "the side to move, whatever the viewpoint", "mover"),
    _word(
        "label",
        "text",
        "the printed name of `player`: the `label:` in `players`, or the name",
        "label of winner",
    ),
    _word("winner", "side", "the side that has won, if the game is over", "winner"),
    _word(
        "won", "flag", "whether the game is over and `player` has won", "after(won)", op="winner"
    ),
    _word(
        "lost",
        "flag",
        "whether the game is over and another side has won",
        "after(lost)",
        op="winner",
    ),
    _word("drawn", "flag", "whether the game is over without a winner", "drawn"),
    _word("over", "flag", "whether the game is over", "over"),
    _word("score", "number", "the score of `player`, as `score:` in the rules says", "score"),
    _word("plies", "number", "how many moves have been made", "plies >= 100"),
    _word(
        "board_repeats",
        "number",
        "how many earlier positions had the same pieces on the same cells",
        "board_repeats > 0",
        op="repeats",
    ),
    _word(
        "position_repeats",
        "number",
        "how many earlier positions had the same pieces, the same side to move and the same values"
        " in registers that are `compared`",
        "position_repeats >= 2",
        op="repeats",
    ),
    _word(
        "position_age",
        "number",
        "the number of moves since an equal position, as for `position_repeats`, first occurred;"
        " 0 if there was none",
        "position_repeats >= 2 and position_age > 8",
        op="age",
    ),
    _word("placed", "cells", "the cells where the move put a piece", "count(placed)", op="record"),
    _word(
        "moved", "cells", "the cells that pieces were carried to by the move", "moved", op="record"
    ),
    _word(
        "flipped",
        "cells",
        "the cells whose piece changed its side by the move",
        "flipped",
        op="record",
    ),
    _word("removed", "cells", "the cells that the move took a piece from", "removed", op="record"),
    _word(
        "captured",
        "cells",
        "the cells where the move flipped a piece or took away one that was not the mover's own",
        "count(captured)",
        op="record",
    ),
)

# A domain that is iterated cell by cell, in the order of the track.
ALONG = _word(
    "along(track: track, after: cell, number: number, skipping: cells?)",
    "cell",
    "the next cells of the track after the cell, so many of those that are not skipped",
    "along(ring, to, 3)",
)

FUNCTIONS = MappingProxyType({b.word: b for b in _FUNCTIONS})
NAMES = MappingProxyType({b.word: b for b in _NAMES})

# Functions that a definition of the spec may replace. See decision 183.
REPLACEABLE = frozenset({"turned", "can_act"})

# The reductions `f(x in domain, body)`: the type of the body and the type of the result.
EACH = MappingProxyType(
    {
        "where": ("flag", "cells", "the cells of the domain for which the condition holds"),
        "any": ("flag", "flag", "whether the condition holds for one at least"),
        "every": ("flag", "flag", "whether the condition holds for all"),
        "none": ("flag", "flag", "whether the condition holds for none"),
        "count": ("flag", "number", "for how many the condition holds"),
        "sum": ("number", "number", "the sum of the numbers"),
        "least": ("number", "number", "the least number; over an empty domain it is an error"),
        "most": ("number", "number", "the greatest number; over an empty domain it is an error"),
        "union": ("cells", "cells", "the cells that are in one of the sets at least"),
        "reach": (
            "cells",
            "cells",
            "the cells that are reached from the domain by going, once or again and again, from a"
            " cell to one of its set; a cell of the domain is among them only if it is reached"
            " again",
        ),
    }
)

# The reductions over `replies`, `f(replies, body)`, with the type of the body.
REPLIES = MappingProxyType(
    {
        "least": "number",
        "most": "number",
        "any": "flag",
        "every": "flag",
        "count": "flag",
    }
)

OTHER_FORMS = MappingProxyType(
    {
        "cell": '`cell("name")`: the cell of that name, for names that are no words of expressions',
        "as": "`as(side, value)`: the value as that side reads it",
        "after": "`after(value)`: the value in the state after the move, made by `player`",
        "before": "`before(value)`: the value before the move, in effects and in `turn`",
        "below": "`below(number, value)`: the value as if so many upper pieces were taken off each"
        " stack",
        "along": "`x in along(track, after, number)`: the next cells of a track, as a domain",
        "groups": "`x in groups(cells)`: the connected groups of a set, as a domain",
        "replies": "`least(replies, value)`: over the states after each legal move; with no legal"
        " move, the value as it is",
    }
)

# The functions that are only domains of loops: the number of their arguments, and a loop.
DOMAINS = MappingProxyType(
    {
        "along": (3, "any(x in along(track, after, number), …)"),
        "groups": (1, "any(g in groups(own), …)"),
        "numbers": (1, "sum(i in numbers(1 to 8), …)"),
        "players": (0, "any(p in players, …)"),
    }
)

RANGE_HIGH = INTEGER_MAX
