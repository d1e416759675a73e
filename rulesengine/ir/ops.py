"""The operations that a program is made of: one node class and one table.

A value is a number, a flag, a set of cells (bit i is cell i), a cell, a direction, a set of
directions (bit i is direction i), a side, a kind or a text. A cell or side that is not there
is -1. The notions of the language stay whole: `run`, `slide`, `line` and `fill` are single
operations. Rules loop only through `each`.
"""

from collections.abc import Callable, Iterator
from types import MappingProxyType
from typing import Literal

from rulesengine.record import record

Type = Literal[
    "number", "flag", "cells", "cell", "direction", "directions", "side", "kind", "text", "effect"
]
Value = int | str | tuple[str, ...] | None


@record
class Op:
    """An operation on the results of others; `value` is what its row of the table says."""

    name: str
    type: Type
    args: tuple["Op", ...] = ()
    value: Value = None


@record
class Signature:
    """What an operation takes and gives.

    `args` are types, `T` for the type of the result, `*` after one that may come several times
    and `?` after one that may be absent. `result` is a type or `T` for any. `cost` counts set
    operations on a board of so many cells and directions.
    """

    args: tuple[str, ...]
    result: str
    value: str = ""
    cost: Callable[[int, int], int] = lambda cells, directions: 1


def _by_ray(cells: int, directions: int) -> int:
    return directions * 8


def _by_cell(cells: int, directions: int) -> int:
    return cells


def _row(
    *args: str, to: str, value: str = "", cost: Callable[[int, int], int] | None = None
) -> Signature:
    return Signature(args, to, value, cost) if cost else Signature(args, to, value)


OPS: MappingProxyType[str, Signature] = MappingProxyType(
    {
        # values that stand for themselves
        "literal": _row(to="T", value="the value"),
        "variable": _row(to="T", value="its name"),
        # named things of the board and the parameters: gone after lowering
        "parameter": _row(to="T", value="its name"),
        "region": _row(to="cells", value="its name"),
        "named_cell": _row(to="cell", value="its name and site"),
        "named_direction": _row(to="T", value="its name and site"),
        # the state
        "mover": _row(to="side"),
        "empty": _row(to="cells"),
        "owned": _row("side", to="cells"),
        "of_kind": _row("kind", to="cells"),
        "register": _row("side?", to="T", value="its name"),
        "owner": _row("cell", to="side"),
        "kind_at": _row("cell", to="kind"),
        "record": _row(to="cells", value="placed, moved, flipped, removed or captured"),
        "plies": _row(to="number"),
        "repeats": _row(to="number", value="board or position"),
        "met": _row("number*", to="flag"),
        # outcomes and moves
        "winner": _row(to="side"),
        "over": _row(to="flag"),
        "drawn": _row(to="flag"),
        "can_move": _row("side", to="flag", cost=lambda c, d: c * d * 8),
        "after": _row("side", "T", to="T", cost=_by_ray),
        "replies": _row("*", to="T", value="least, most, any, every or count"),
        # sides
        "next": _row("side", to="side"),
        "by_side": _row("side", "T*", to="T"),
        # sets of cells
        "and": _row("cells*", to="cells"),
        "or": _row("cells*", to="cells"),
        "minus": _row("cells", "cells", to="cells"),
        "not": _row("cells", to="cells"),
        "single": _row("cell", to="cells"),
        "shift": _row("cells", "directions*", to="cells", cost=lambda c, d: d),
        "neighbours": _row("cells", "directions?", to="cells", cost=lambda c, d: d),
        "slide": _row("cells", "directions", "cells", to="cells", cost=_by_ray),
        "run": _row(
            "cells", "cells", "cells", "number", "number", "directions?", to="cells", cost=_by_ray
        ),
        "back": _row("cells", "directions*", to="cells", cost=lambda c, d: d),
        "toward": _row(
            "cells", "cells", "number", "number", "directions", to="cells", cost=_by_ray
        ),
        "line": _row("cells", "number", "number", "directions?", to="cells", cost=_by_ray),
        "fill": _row("cells", "cells", "directions?", to="cells", cost=_by_cell),
        "components": _row(
            "cells", "cells", to="cells", value="beside several, one, or last", cost=_by_cell
        ),
        "rows": _row("number", "number", to="cells"),
        "columns": _row("number", "number", to="cells"),
        "each": _row("*", "*", to="T", value="what is done, the variable and the domain"),
        "range": _row("number", "number", to="number"),
        # from sets
        "count": _row("cells", to="number"),
        "any": _row("cells", to="flag"),
        "none": _row("cells", to="flag"),
        "first": _row("cells", to="cell", value="site"),
        "last": _row("cells", to="cell", value="site"),
        "member": _row("cell", "cells", to="flag"),
        "inside": _row("cells", "cells", to="flag"),
        "has_direction": _row("direction", "directions", to="flag"),
        # cells and directions
        "at": _row("number", "number", to="cell", value="site"),
        "row": _row("cell", to="number", value="site"),
        "column": _row("cell", to="number", value="site"),
        "screen_row": _row("cell", to="number", value="site"),
        "screen_column": _row("cell", to="number", value="site"),
        "just": _row("direction", to="directions"),
        "all_directions": _row("directions*", to="directions"),
        "opposite": _row("directions", to="directions"),
        # numbers
        "add": _row("number", "number", to="number", value="site"),
        "subtract": _row("number", "number", to="number", value="site"),
        "multiply": _row("number", "number", to="number", value="site"),
        "divide": _row("number", "number", to="number", value="site"),
        "modulo": _row("number", "number", to="number", value="site"),
        "negative": _row("number", to="number", value="site"),
        "abs": _row("number", to="number", value="site"),
        "smaller": _row("number*", to="number"),
        "greater": _row("number*", to="number"),
        # flags
        "both": _row("flag*", to="flag"),
        "either": _row("flag*", to="flag"),
        "deny": _row("flag", to="flag"),
        "equal": _row("*", "*", to="flag"),
        "less": _row("number", "number", to="flag"),
        "at_most": _row("number", "number", to="flag"),
        "if": _row("flag", "T", "T", to="T"),
        # effects
        "put": _row("kind", "side", "cells", to="effect"),
        "remove": _row("cells", to="effect"),
        "flip": _row("cells", "side", to="effect"),
        "carry": _row("cell", "cell", to="effect", value="site"),
        "promote": _row("cells", "kind", to="effect"),
        "set": _row("*", "side?", to="effect", value="its name and site"),
        "when": _row("flag", "effect", "effect?", to="effect"),
    }
)


def literal(type: Type, value: int | str) -> Op:
    return Op("literal", type, (), value)


def make(name: str, *args: Op, value: Value = None, type: Type | None = None) -> Op:
    """An operation of the table; its type is the row's, or `type` where that is `T`."""
    result = OPS[name].result
    return Op(name, type or result, args, value)  # type: ignore[arg-type]


def walk(op: Op) -> Iterator[Op]:
    """Every different operation inside one, once, without recursion."""
    seen: set[int] = set()
    stack = [op]
    while stack:
        top = stack.pop()
        if id(top) not in seen:
            seen.add(id(top))
            yield top
            stack.extend(top.args)


def reads(op: Op, name: str, value: Value = None) -> bool:
    """Whether an operation of that name (and value, if given) is inside."""
    return any(o.name == name and (value is None or o.value == value) for o in walk(op))
