"""The operations of the intermediate representation: one node class and one table.

A value is a number, a flag, a set of cells (bit i is cell i), a cell, a direction, a set of
directions (bit i is direction i), a side, a kind, a track or a text. A missing cell or side is -1.
The notions of the language stay whole: `run`, `slide`, `line` and `fill` are single operations.
Rules loop only through `each`, `for` and `repeat`.
"""

from collections.abc import Callable, Iterator
from types import MappingProxyType
from typing import Literal, get_args

from rulesengine.support.frozen import record

Type = Literal[
    "number",
    "flag",
    "cells",
    "cell",
    "direction",
    "directions",
    "side",
    "kind",
    "kinds",  # only during checking: a test of several kinds is applied to each of them
    "text",
    "track",
    "effect",
    "numbers",  # lists, only in scripts
    "texts",
]
Value = int | str | tuple[str, ...] | None
# Types with values that have another meaning on another board.
ON_BOARD: frozenset[Type] = frozenset({"cell", "cells", "direction", "directions", "track"})


@record
class Op:
    """An operation applied to the results of others; its row of the table describes `value`."""

    name: str
    type: Type
    args: tuple["Op", ...] = ()
    value: Value = None


# The parts of a state that an operation itself reads or changes, its arguments excluded.
Part = Literal[
    "names",  # the meaning of a name on one board, with the parameters of one game
    "variables",  # the player who reads, and the variables of loops and steps
    "pieces",
    "side",
    "registers",
    "plies",
    "history",
    "step",  # the current step
    "record",  # the cells that the current move has changed
    "moves",  # the legal moves
    "outcome",
    "future",  # the states after a move
]
# The errors that an operation itself can raise.
Cause = Literal[
    "unset",  # a variable without a value
    "player",  # a side that is not a player
    "cell",  # a missing cell
    "place",  # a row and a column off the board
    "nothing",  # a member of an empty set
    "zero",  # a division by zero
    "overflow",  # a number beyond 64 bits
    "piece",  # a piece that its owner does not have
    "bounds",  # a number out of the range of its register, or more pieces than the limit
    "clash",  # two pieces carried to one cell
    "limit",  # a step limit exceeded
]
PARTS: frozenset[str] = frozenset(get_args(Part))
CAUSES: frozenset[str] = frozenset(get_args(Cause))


@record
class Signature:
    """The signature of an operation: types, cost and effects; raises ValueError for unknown words.

    `args` are types, `T` for the type of the result, `*` after one that may repeat and `?` after
    one that may be absent. `result` is a type or `T` for any. `cost` counts set operations on a
    board of so many cells and directions. `reads`, `changes` and `fails` describe the operation
    alone: not its arguments, nor the rules that it evaluates for moves and outcomes. Analyses rely
    on them, so no row may leave a part out. `by_passes` marks operations that only compiler passes
    emit: no spec can contain them, and no message mentions them.
    """

    args: tuple[str, ...]
    result: str
    value: str
    cost: Callable[[int, int], int]
    reads: frozenset[str]
    changes: frozenset[str]
    fails: frozenset[str]
    by_passes: bool

    def __post_init__(self) -> None:
        unknown = (self.reads | self.changes) - PARTS | self.fails - CAUSES
        if unknown:
            raise ValueError(f"no part of a state and no cause: {', '.join(sorted(unknown))}")


def _once(cells: int, directions: int) -> int:
    return 1


def _by_direction(cells: int, directions: int) -> int:
    return directions


def _by_ray(cells: int, directions: int) -> int:
    return directions * 8


def _by_cell(cells: int, directions: int) -> int:
    return cells


def _value(
    *args: str,
    to: str,
    reads: str,
    fails: str,
    value: str = "",
    cost: Callable[[int, int], int] = _once,
) -> Signature:
    """Make the row of an operation that returns a value and changes nothing."""
    return Signature(args, to, value, cost, _words(reads), _words(""), _words(fails), False)


def _made(
    *args: str, to: str, reads: str, value: str = "", cost: Callable[[int, int], int]
) -> Signature:
    """Make the row of an operation that only compiler passes emit; it never fails."""
    return Signature(args, to, value, cost, _words(reads), _words(""), _words(""), True)


def _effect(
    *args: str,
    reads: str,
    changes: str,
    fails: str,
    value: str = "",
    cost: Callable[[int, int], int] = _once,
) -> Signature:
    parts = _words(reads), _words(changes), _words(fails)
    return Signature(args, "effect", value, cost, *parts, False)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


OPS: MappingProxyType[str, Signature] = MappingProxyType(
    {
        # constants and variables
        "literal": _value(to="T", value="the value", reads="", fails=""),
        "variable": _value(to="T", value="its name", reads="variables", fails="unset"),
        # names of the board and the parameters: replaced by lowering
        "parameter": _value(to="T", value="its name", reads="names", fails=""),
        "players": _value(to="number", reads="names", fails=""),
        "region": _value(to="cells", value="its name", reads="names", fails=""),
        "named_cell": _value(to="cell", value="its name and site", reads="names", fails=""),
        "named_direction": _value(to="T", value="its name and site", reads="names", fails=""),
        "track": _value(to="track", value="its name", reads="names", fails=""),
        # the state
        "mover": _value(to="side", reads="side", fails=""),
        "empty": _value(to="cells", reads="pieces", fails=""),
        "owned": _value("side", to="cells", reads="pieces", fails=""),
        "of_kind": _value("kind", to="cells", reads="pieces", fails=""),
        "register": _value("side?", to="T", value="its name", reads="registers", fails="player"),
        "number_at": _value(
            "cell", to="number", value="its name and site", reads="registers", fails="cell"
        ),
        # the cells with numbers in a range, and the sum of the numbers of a set
        "cells_with": _made(
            "number", "number", to="cells", value="its name", cost=_once, reads="registers"
        ),
        "total": _made("cells", to="number", value="its name", cost=_once, reads="registers"),
        "owner": _value("cell", to="side", reads="pieces", fails=""),
        "kind_at": _value("cell", to="kind", reads="pieces", fails=""),
        "record": _value(
            to="cells",
            value="placed, moved, flipped, removed or captured",
            reads="variables step record",
            fails="",
        ),
        "plies": _value(to="number", reads="plies", fails=""),
        "repeats": _value(
            to="number", value="board or position", reads="pieces side history", fails=""
        ),
        # the number of positions since this one occurred first, 0 if never
        "age": _value(to="number", reads="pieces side history", fails=""),
        # true if a position of the game so far, this one included, has so many pieces on each plane
        "met": _made("number*", to="flag", cost=_once, reads="pieces history"),
        # outcomes and moves
        "winner": _value(to="side", reads="outcome", fails=""),
        "over": _value(to="flag", reads="outcome", fails=""),
        "drawn": _value(to="flag", reads="outcome", fails=""),
        "can_move": _value(
            "side", to="flag", cost=lambda c, d: c * d * 8, reads="moves", fails="player"
        ),
        "after": _value("side", "T", to="T", cost=_by_ray, reads="step future", fails="player"),
        "replies": _value(
            "*",
            to="T",
            value="least, most, any, every or count",
            reads="moves future",
            fails="limit",
        ),
        # sides
        "next": _value("side", to="side", reads="", fails="player"),
        "by_side": _value("side", "T*", to="T", reads="", fails="player"),
        # named choices: the value at the place of the choice made
        "chosen": _value("number", "T*", to="T", value="its name", reads="", fails=""),
        # sets of cells
        "and": _value("cells*", to="cells", reads="", fails=""),
        "or": _value("cells*", to="cells", reads="", fails=""),
        "minus": _value("cells", "cells", to="cells", reads="", fails=""),
        "not": _value("cells", to="cells", reads="", fails=""),
        "single": _value("cell", to="cells", reads="", fails=""),
        "shift": _value("cells", "directions*", to="cells", cost=_by_direction, reads="", fails=""),
        "neighbours": _value(
            "cells", "directions?", to="cells", cost=_by_direction, reads="", fails=""
        ),
        "slide": _value(
            "cells", "directions", "cells", to="cells", cost=_by_ray, reads="", fails=""
        ),
        "run": _value(
            "cells",
            "cells",
            "cells",
            "number",
            "number",
            "directions?",
            to="cells",
            cost=_by_ray,
            reads="",
            fails="",
        ),
        # the same across the joins of a board; for slides also the least and greatest number
        # crossed
        "slide_on": _value(
            "cells",
            "directions",
            "cells",
            "number",
            "number",
            to="cells",
            cost=_by_ray,
            reads="",
            fails="",
        ),
        "run_on": _value(
            "cells",
            "cells",
            "cells",
            "number",
            "number",
            "directions?",
            to="cells",
            cost=_by_ray,
            reads="",
            fails="",
        ),
        "line": _value(
            "cells", "number", "number", "directions?", to="cells", cost=_by_ray, reads="", fails=""
        ),
        "fill": _value(
            "cells", "cells", "directions?", to="cells", cost=_by_cell, reads="", fails=""
        ),
        # inverse images: the cells from which steps and runs lead to a set
        "back": _made("cells", "directions*", to="cells", cost=_by_direction, reads=""),
        "toward": _made(
            "cells", "cells", "number", "number", "directions", to="cells", cost=_by_ray, reads=""
        ),
        # components of a set that are adjacent to several cells of another, or to one; or these
        # cells
        "components": _made(
            "cells", "cells", to="cells", value="several, one or last", cost=_by_cell, reads=""
        ),
        "rows": _value("number", "number", to="cells", reads="", fails=""),
        "columns": _value("number", "number", to="cells", reads="", fails=""),
        "each": _value(
            "*",
            "*",
            to="T",
            value="what is done, the variable and the domain",
            reads="",
            fails="nothing overflow",
        ),
        "range": _value("number", "number", to="number", reads="", fails=""),
        # tracks: the next cells after one, a number of them, without the excluded cells; no cell is
        # the position before the first
        "along": _value("track", "cell", "number", "cells?", to="cell", reads="", fails="limit"),
        "further": _value("track", "cell", "number", to="cell", reads="", fails=""),
        "place_on": _value("track", "cell", to="number", reads="", fails=""),
        # from sets
        "count": _value("cells", to="number", reads="", fails=""),
        "any": _value("cells", to="flag", reads="", fails=""),
        "none": _value("cells", to="flag", reads="", fails=""),
        "first": _value("cells", to="cell", value="site", reads="", fails="nothing"),
        "last": _value("cells", to="cell", value="site", reads="", fails="nothing"),
        "member": _value("cell", "cells", to="flag", reads="", fails=""),
        "inside": _value("cells", "cells", to="flag", reads="", fails=""),
        "has_direction": _value("direction", "directions", to="flag", reads="", fails=""),
        # cells and directions
        "at": _value("number", "number", to="cell", value="site", reads="", fails="place"),
        "row": _value("cell", to="number", value="site", reads="", fails="cell"),
        "column": _value("cell", to="number", value="site", reads="", fails="cell"),
        "screen_row": _value("cell", to="number", value="site", reads="", fails="cell"),
        "screen_column": _value("cell", to="number", value="site", reads="", fails="cell"),
        "row_label": _value("cell", to="text", value="site", reads="", fails="cell"),
        "column_label": _value("cell", to="text", value="site", reads="", fails="cell"),
        "just": _value("direction", to="directions", reads="", fails=""),
        "all_directions": _value("directions*", to="directions", reads="", fails=""),
        "opposite": _value("directions", to="directions", reads="", fails=""),
        # numbers
        "add": _value("number", "number", to="number", value="site", reads="", fails="overflow"),
        "subtract": _value(
            "number", "number", to="number", value="site", reads="", fails="overflow"
        ),
        "multiply": _value(
            "number", "number", to="number", value="site", reads="", fails="overflow"
        ),
        "divide": _value(
            "number", "number", to="number", value="site", reads="", fails="zero overflow"
        ),
        "modulo": _value("number", "number", to="number", value="site", reads="", fails="zero"),
        "negative": _value("number", to="number", value="site", reads="", fails="overflow"),
        "abs": _value("number", to="number", value="site", reads="", fails="overflow"),
        "smaller": _value("number*", to="number", reads="", fails=""),
        "greater": _value("number*", to="number", reads="", fails=""),
        # flags
        "both": _value("flag*", to="flag", reads="", fails=""),
        "either": _value("flag*", to="flag", reads="", fails=""),
        "deny": _value("flag", to="flag", reads="", fails=""),
        "equal": _value("*", "*", to="flag", reads="", fails=""),
        "less": _value("number", "number", to="flag", reads="", fails=""),
        "at_most": _value("number", "number", to="flag", reads="", fails=""),
        "if": _value("flag", "T", "T", to="T", reads="", fails=""),
        # effects
        "put": _effect(
            "kind",
            "side",
            "cells",
            reads="variables pieces",
            changes="pieces record",
            fails="piece",
        ),
        "remove": _effect("cells", reads="variables pieces", changes="pieces record", fails=""),
        "flip": _effect(
            "cells", "side", reads="variables pieces", changes="pieces record", fails="piece"
        ),
        "carry": _effect(
            "cell",
            "cell",
            value="site",
            reads="variables pieces",
            changes="pieces record",
            fails="cell",
        ),
        # the piece on each of some cells to a cell of its own, or off the board, simultaneously
        "carry_each": _effect(
            "cells",
            "cell",
            value="what is done, the variable, the domain and site",
            reads="variables pieces",
            changes="pieces record",
            fails="clash",
        ),
        "push": _effect(
            "cells",
            "direction",
            cost=_by_direction,
            reads="variables pieces",
            changes="pieces record",
            fails="",
        ),
        "promote": _effect("cells", "kind", reads="pieces", changes="pieces", fails="piece"),
        "drop": _effect(
            "cells",
            "direction",
            cost=_by_cell,
            reads="pieces",
            changes="pieces record",
            fails="",
        ),
        "set": _effect(
            "*",
            "side?",
            value="its name and site",
            reads="",
            changes="registers",
            fails="player bounds",
        ),
        "set_at": _effect(
            "number",
            "cells",
            value="its name and site",
            reads="registers",
            changes="registers",
            fails="bounds",
        ),
        "when": _effect("flag", "effect", "effect?", reads="", changes="", fails=""),
        "block": _effect("effect*", reads="", changes="", fails=""),
        "for": _effect(
            "*",
            "effect",
            value="what is done, the variable, the domain and site",
            reads="",
            changes="",
            fails="",
        ),
        "bind": _effect(
            "*", "effect", value="what is done and the variable", reads="", changes="", fails=""
        ),
        # no effect where a flag holds, else an error: lowering emits it to enforce limits of pieces
        "ensure": _effect(
            "flag", value="what fails and site", reads="", changes="", fails="bounds"
        ),
        # until a flag holds, or until nothing changes
        "repeat": _effect(
            "effect",
            "flag?",
            value="site",
            reads="pieces registers",
            changes="",
            fails="limit",
        ),
    }
)


# The second item of their values is the variable.
_BINDING = frozenset({"each", "for", "carry_each", "bind"})
# Operations on texts and lists, only for scripts; kernels do not contain them.
SCRIPTED: MappingProxyType[str, Signature] = MappingProxyType(
    {
        "join": _value("text*", to="text", reads="", fails=""),
        "reason": _value(to="text", reads="outcome", fails=""),
        # the formatted text of a value: its width, negative for left alignment, and its fill
        # character
        "shown": _value("*", to="text", value="width and filler", reads="", fails=""),
        "length": _value("*", to="number", reads="", fails=""),
        "item": _value("*", "number", to="T", value="site", reads="", fails="nothing"),
        "listed": _value("*", "*", to="flag", reads="", fails=""),
        "cell_called": _value("text", to="cell", reads="", fails=""),
        "label_number": _value("text", to="number", value="site", reads="", fails="nothing"),
        "label": _value("number", to="text", value="site", reads="", fails="nothing"),
        "capitals": _value("text", to="text", reads="", fails=""),
        "small_letters": _value("text", to="text", reads="", fails=""),
    }
)


def row_of(name: str) -> Signature | None:
    """Return the row of an operation, None if there is no operation of that name."""
    return OPS.get(name) or SCRIPTED.get(name)


def literal(type: Type, value: int | str) -> Op:
    return Op("literal", type, (), value)


def make(name: str, *args: Op, value: Value = None, type: Type | None = None) -> Op:
    """Make an operation of the table; its type is that of the row, or `type` if the row has `T`."""
    result = (OPS.get(name) or SCRIPTED[name]).result
    return Op(name, type or result, args, value)  # type: ignore[arg-type]


def bound(op: Op) -> str:
    """Return the variable that an operation binds in its last operand, or an empty text."""
    return op.value[1] if op.name in _BINDING and isinstance(op.value, tuple) else ""


def walk(op: Op) -> Iterator[Op]:
    """Yield each distinct operation inside an operation once, without recursion."""
    seen: set[int] = set()
    stack = [op]
    while stack:
        top = stack.pop()
        if id(top) not in seen:
            seen.add(id(top))
            yield top
            stack.extend(top.args)


def reads(op: Op, name: str, value: Value = None) -> bool:
    """True if an operation of that name (and value, if given) is inside."""
    return any(o.name == name and (value is None or o.value == value) for o in walk(op))


def looks_at(op: Op, *parts: Part) -> bool:
    """True if an operation or one inside reads one of these parts of a state."""
    rows = (OPS.get(o.name) or SCRIPTED[o.name] for o in walk(op))
    return any(not row.reads.isdisjoint(parts) for row in rows)
