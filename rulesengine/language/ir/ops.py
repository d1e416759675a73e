"""The operations of the intermediate representation: one node class and one table.

A value is a number, a flag, a set of cells (bit i is cell i), a cell, a direction, a set of
directions (bit i is direction i), a side, a kind, a track or a text. A missing cell or side is -1.
Frequent combinations are single operations: `run`, `slide`, `line` and `fill`.
Rules loop only through `each`, `for` and `repeat`. See decision 001.
"""

from collections.abc import Iterator
from types import MappingProxyType
from typing import Literal

from rulesengine.language.ir.pass_ops import PASS_OPS
from rulesengine.language.ir.scripted_ops import SCRIPTED
from rulesengine.language.ir.signature import (
    ALL,
    Part,
    Signature,
    Trait,
    by_cell,
    by_direction,
    by_ray,
    effect_row,
    value_row,
)
from rulesengine.language.ir.stack_ops import STACK_OPS
from rulesengine.language.ir.tile_ops import TILE_OPS
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


# fmt: off
OPS: MappingProxyType[str, Signature] = MappingProxyType(
    {
        # constants and variables
        "literal": value_row(
            to="T", value="the value", reads="", fails="", laws="equivariant", role="constant",
        ),
        "variable": value_row(
            to="T", value="its name", reads="variables", fails="unset", laws="equivariant",
            role="variable",
        ),
        # names of the board and the parameters: replaced by lowering
        "parameter": value_row(to="T", value="its name", reads="names", fails="", role="parameter"),
        "players": value_row(to="number", reads="names", fails=""),
        # the cells that a player sees: `cells` for the pieces there, `known` also for their owners
        "seen": value_row("side", to="cells", value="cells or known", reads="names", fails=""),
        "region": value_row(to="cells", value="its name", reads="names", fails="", role="name"),
        "named_cell": value_row(
            to="cell", value="its name and site", reads="names", fails="", role="name",
        ),
        "named_direction": value_row(
            to="T", value="its name and site", reads="names", fails="", role="name",
        ),
        "track": value_row(to="track", value="its name", reads="names", fails="", role="name"),
        # the state
        "mover": value_row(to="side", reads="side", fails="", laws="equivariant", role="mover"),
        "empty": value_row(
            to="cells", reads="pieces", fails="", laws="equivariant", role="vacancy"),
        "owned": value_row(
            "side", to="cells", reads="pieces", fails="", laws="equivariant", role="pieces",
        ),
        "of_kind": value_row(
            "kind", to="cells", reads="pieces", fails="", laws="equivariant", role="pieces",
        ),
        "register": value_row(
            "side?", to="T", value="its name", reads="registers", fails="player",
            laws="equivariant", role="register",
        ),
        # lowering replaces it by a register for each kind
        "kind_register": value_row(
            "kind", "side?", to="T", value="its name and site", reads="names registers",
            fails="kind player", laws="equivariant", role="kind register",
        ),
        "number_at": value_row(
            "cell", to="number", value="its name and site", reads="registers", fails="cell",
            laws="equivariant", role="cell register",
        ),
        "owner": value_row(
            "cell", to="side", reads="pieces", fails="", laws="equivariant", role="attribute",
        ),
        "kind_at": value_row(
            "cell", to="kind", reads="pieces", fails="", laws="equivariant", role="attribute",
        ),
        "record": value_row(
            to="cells", value="placed, moved, flipped, removed or captured",
            reads="variables step record", fails="", laws="equivariant", role="record",
        ),
        "plies": value_row(to="number", reads="plies", fails="", laws="equivariant", role="clock"),
        "repeats": value_row(
            to="number", value="board or position", reads="pieces side history", fails="",
            laws="equivariant", role="repetition",
        ),
        # the number of positions since this one occurred first, 0 if never
        "age": value_row(
            to="number", reads="pieces side history", fails="", laws="equivariant", role="age",
        ),
        # outcomes and moves
        "winner": value_row(
            to="side", reads="outcome", fails="", laws="equivariant", role="winner"),
        "over": value_row(to="flag", reads="outcome", fails="", laws="equivariant"),
        "drawn": value_row(to="flag", reads="outcome", fails="", laws="equivariant"),
        "can_move": value_row(
            "side", to="flag", value="`answers` in `forbid`", cost=lambda c, d: c * d * 8,
            reads="moves", fails="player", laws="equivariant", role="mobility",
        ),
        # the same, with passes
        "can_act": value_row(
            "side", to="flag", value="`answers` in `forbid`", cost=lambda c, d: c * d * 8,
            reads="moves", fails="player", laws="equivariant", role="activity",
        ),
        "after": value_row(
            "side", "T", to="T", cost=by_ray, reads="step future", fails="player",
            laws="equivariant",
        ),
        "replies": value_row(
            "*", to="T", value="least, most, any, every or count", reads="moves future",
            fails="limit", laws="equivariant",
        ),
        "before": value_row("T", to="T", reads="past", fails="", laws="equivariant", role="past"),
        # sides
        "next": value_row(
            "side", to="side", reads="", fails="player", laws="equivariant", role="successor",
        ),
        "by_side": value_row(
            "side", "T*", to="T", reads="", fails="player", traits=", monotone",
            laws="equivariant lazy", role="selection",
        ),
        # by kind of piece; there may be a value for no piece
        "by_kind": value_row(
            "kind", "T*", to="T", value="its name and site", reads="", fails="kind",
            traits=", monotone", laws="equivariant lazy", role="selection",
        ),
        # named choices: the value at the place of the choice made
        "chosen": value_row(
            "number", "T*", to="T", value="its name", reads="", fails="", traits=", monotone",
            laws="equivariant lazy", role="selection",
        ),
        # sets of cells
        "and": value_row(
            "cells*", to="cells", reads="", fails="", traits="additive contains",
            laws="equivariant commutative associative pointwise", identity=ALL, absorbing=0,
            role="meet",
        ),
        "or": value_row(
            "cells*", to="cells", reads="", fails="", traits="monotone",
            laws="equivariant commutative associative pointwise", identity=0, absorbing=ALL,
            role="join",
        ),
        "minus": value_row(
            "cells", "cells", to="cells", reads="", fails="", traits="additive contains, antitone",
            laws="equivariant pointwise", role="difference",
        ),
        "not": value_row(
            "cells", to="cells", reads="", fails="", traits="antitone",
            laws="equivariant pointwise", role="complement",
        ),
        "single": value_row(
            "cell", to="cells", reads="", fails="", laws="equivariant", role="singleton",
        ),
        "shift": value_row(
            "cells", "directions*", to="cells", cost=by_direction, reads="", fails="",
            traits="additive, additive", laws="equivariant", role="shift",
        ),
        "neighbours": value_row(
            "cells", "directions?", to="cells", cost=by_direction, reads="", fails="",
            traits="additive, additive", laws="equivariant", role="neighbourhood",
        ),
        "slide": value_row(
            "cells", "directions", "cells", to="cells", cost=by_ray, reads="", fails="",
            traits="additive, additive, monotone contains", laws="equivariant", role="ray",
        ),
        "run": value_row(
            "cells", "cells", "cells", "number", "number", "directions?", to="cells", cost=by_ray,
            reads="", fails="", traits="additive, contains, additive,,, additive",
            laws="equivariant", role="row",
        ),
        # the same across the joins of a board; for slides also the least and greatest number
        # crossed
        "slide_on": value_row(
            "cells", "directions", "cells", "number", "number", to="cells", cost=by_ray, reads="",
            fails="", traits="additive, additive, monotone contains", role="joined ray",
        ),
        "run_on": value_row(
            "cells", "cells", "cells", "number", "number", "directions?", to="cells", cost=by_ray,
            reads="", fails="", traits="additive, contains, additive,,, additive",
            role="joined row",
        ),
        "line": value_row(
            "cells", "number", "number", "directions?", to="cells", cost=by_ray, reads="", fails="",
            traits="contains", laws="equivariant", role="line",
        ),
        "fill": value_row(
            "cells", "cells", "directions?", to="cells", cost=by_cell, reads="", fails="",
            traits="additive, monotone contains, monotone", laws="equivariant", role="closure",
        ),
        "rows": value_row("number", "number", to="cells", reads="", fails=""),
        "columns": value_row("number", "number", to="cells", reads="", fails=""),
        "each": value_row(
            "*", "*", to="T", value="what is done, the variable and the domain", reads="",
            fails="nothing overflow", laws="equivariant binds loops",
        ),
        "range": value_row(
            "number", "number", to="number", reads="", fails="", laws="equivariant",
            role="interval",
        ),
        # tracks: the next cells after one, a number of them, without the excluded cells; no cell is
        # the position before the first
        "along": value_row(
            "track", "cell", "number", "cells?", to="cell", reads="", fails="limit",
            laws="equivariant",
        ),
        "further": value_row(
            "track", "cell", "number", to="cell", reads="", fails="", laws="equivariant",
        ),
        "place_on": value_row("track", "cell", to="number", reads="", fails="", laws="equivariant"),
        # from sets
        "count": value_row(
            "cells", to="number", reads="", fails="", traits="monotone", laws="equivariant",
            role="size",
        ),
        "any": value_row(
            "cells", to="flag", reads="", fails="", traits="monotone", laws="equivariant",
            role="nonempty",
        ),
        "none": value_row(
            "cells", to="flag", reads="", fails="", traits="antitone", laws="equivariant",
            role="void",
        ),
        "first": value_row(
            "cells", to="cell", value="site", reads="", fails="nothing", role="element",
        ),
        "last": value_row(
            "cells", to="cell", value="site", reads="", fails="nothing", role="element",
        ),
        "member": value_row(
            "cell", "cells", to="flag", reads="", fails="", traits=", monotone", laws="equivariant",
            role="membership",
        ),
        "inside": value_row(
            "cells", "cells", to="flag", reads="", fails="", traits="antitone, monotone",
            laws="equivariant reflexive", role="inclusion",
        ),
        "has_direction": value_row(
            "direction", "directions", to="flag", reads="", fails="", traits=", monotone",
            laws="equivariant", role="membership",
        ),
        # cells and directions
        "at": value_row(
            "number", "number", to="cell", value="site", reads="", fails="place", role="place",
        ),
        "row": value_row(
            "cell", to="number", value="site", reads="", fails="cell", role="coordinate",
        ),
        "column": value_row(
            "cell", to="number", value="site", reads="", fails="cell", role="coordinate",
        ),
        "screen_row": value_row(
            "cell", to="number", value="site", reads="", fails="cell", role="coordinate",
        ),
        "screen_column": value_row(
            "cell", to="number", value="site", reads="", fails="cell", role="coordinate",
        ),
        "row_label": value_row("cell", to="text", value="site", reads="", fails="cell"),
        "column_label": value_row("cell", to="text", value="site", reads="", fails="cell"),
        "just": value_row(
            "direction", to="directions", reads="", fails="", laws="equivariant", role="singleton",
        ),
        "all_directions": value_row(
            "directions*", to="directions", reads="", fails="", traits="monotone",
            laws="equivariant commutative associative", identity=0, absorbing=ALL, role="join",
        ),
        "opposite": value_row(
            "directions", to="directions", reads="", fails="", traits="additive",
            laws="equivariant", role="opposite",
        ),
        # directions, or one direction, after so many steps clockwise
        "turned": value_row(
            "directions", "number", to="directions", reads="", fails="", traits="additive",
            role="turn",
        ),
        "turned_one": value_row(
            "direction", "number", to="direction", reads="", fails="", role="turn",
        ),
        # numbers
        "add": value_row(
            "number", "number", to="number", value="site", reads="", fails="overflow",
            traits="monotone, monotone", laws="equivariant commutative associative", identity=0,
            role="sum",
        ),
        "subtract": value_row(
            "number", "number", to="number", value="site", reads="", fails="overflow",
            traits="monotone, antitone", laws="equivariant", role="sum",
        ),
        "multiply": value_row(
            "number", "number", to="number", value="site", reads="", fails="overflow",
            laws="equivariant commutative", identity=1, absorbing=0, role="product",
        ),
        "divide": value_row(
            "number", "number", to="number", value="site", reads="", fails="zero overflow",
            laws="equivariant", role="quotient",
        ),
        "modulo": value_row(
            "number", "number", to="number", value="site", reads="", fails="zero",
            laws="equivariant", role="remainder",
        ),
        "negative": value_row(
            "number", to="number", value="site", reads="", fails="overflow", traits="antitone",
            laws="equivariant", role="negation",
        ),
        "abs": value_row(
            "number", to="number", value="site", reads="", fails="overflow", laws="equivariant",
        ),
        "smaller": value_row(
            "number*", to="number", reads="", fails="", traits="monotone",
            laws="equivariant commutative associative", role="meet",
        ),
        "greater": value_row(
            "number*", to="number", reads="", fails="", traits="monotone",
            laws="equivariant commutative associative", role="join",
        ),
        # flags
        "both": value_row(
            "flag*", to="flag", reads="", fails="", traits="monotone",
            laws="equivariant commutative associative lazy", identity=1, absorbing=0, role="meet",
        ),
        "either": value_row(
            "flag*", to="flag", reads="", fails="", traits="monotone",
            laws="equivariant commutative associative lazy", identity=0, absorbing=1, role="join",
        ),
        "deny": value_row(
            "flag", to="flag", reads="", fails="", traits="antitone", laws="equivariant",
            role="complement",
        ),
        "equal": value_row(
            "*", "*", to="flag", reads="", fails="", laws="equivariant reflexive commutative",
            role="equality",
        ),
        "less": value_row(
            "number", "number", to="flag", reads="", fails="", traits="antitone, monotone",
            laws="equivariant", role="order",
        ),
        "at_most": value_row(
            "number", "number", to="flag", reads="", fails="", traits="antitone, monotone",
            laws="equivariant reflexive", role="order",
        ),
        "if": value_row(
            "flag", "T", "T", to="T", reads="", fails="", traits=", monotone, monotone",
            laws="equivariant lazy", role="selection",
        ),
        **STACK_OPS,
        **TILE_OPS,
        **PASS_OPS,
        # effects
        "put": effect_row(
            "kind", "side", "cells", reads="variables pieces", changes="pieces record",
            fails="piece", does="adds", laws="equivariant", role="placement",
        ),
        "remove": effect_row(
            "cells", reads="variables pieces", changes="pieces record", fails="", does="removes",
            laws="equivariant", role="removal",
        ),
        "flip": effect_row(
            "cells", "side", reads="variables pieces", changes="pieces record", fails="piece",
            does="flips", laws="equivariant", role="flip",
        ),
        "carry": effect_row(
            "cell", "cell", value="site", reads="variables pieces", changes="pieces record",
            fails="cell", does="moves", laws="equivariant",
        ),
        # the piece on each of some cells to a cell of its own, or off the board, simultaneously
        "carry_each": effect_row(
            "cells", "cell", value="what is done, the variable, the domain and site",
            reads="variables pieces", changes="pieces record", fails="clash", does="moves",
            laws="equivariant binds loops",
        ),
        "push": effect_row(
            "cells", "direction", cost=by_direction, reads="variables pieces",
            changes="pieces record", fails="", does="moves", laws="equivariant",
        ),
        "promote": effect_row(
            "cells", "kind", reads="pieces", changes="pieces", fails="piece", does="promotes",
            laws="equivariant", role="promotion",
        ),
        "drop": effect_row(
            "cells", "direction", cost=by_cell, reads="pieces", changes="pieces record", fails="",
            does="moves", laws="equivariant",
        ),
        "set": effect_row(
            "*", "side?", value="its name and site", reads="", changes="registers",
            fails="player bounds", laws="equivariant", role="assignment",
        ),
        # lowering replaces them by assignments
        "set_kind": effect_row(
            "*", "kind", "side?", value="its name and site", reads="names", changes="registers",
            fails="kind player bounds",
        ),
        "add_kind": effect_row(
            "number", "kind", "side?", value="its name and site", reads="names registers",
            changes="registers", fails="kind player bounds overflow",
        ),
        "set_at": effect_row(
            "number", "cells", value="its name and site", reads="registers", changes="registers",
            fails="bounds", laws="equivariant",
        ),
        "when": effect_row(
            "flag", "effect", "effect?", reads="", changes="", fails="", laws="equivariant lazy",
            role="selection",
        ),
        "block": effect_row(
            "effect*", reads="", changes="", fails="", laws="equivariant", role="sequence",
        ),
        "for": effect_row(
            "*", "effect", value="what is done, the variable, the domain and site", reads="",
            changes="", fails="", laws="equivariant binds loops", role="traversal",
        ),
        "bind": effect_row(
            "*", "effect", value="what is done and the variable", reads="", changes="", fails="",
            laws="equivariant binds",
        ),
        # no effect where a flag holds, else an error: lowering emits it to enforce limits of pieces
        "ensure": effect_row(
            "flag", value="what fails and site", reads="", changes="", fails="bounds",
            laws="equivariant", role="assertion",
        ),
        # until a flag holds, or until nothing changes
        "repeat": effect_row(
            "effect", "flag?", value="site", reads="pieces registers", changes="", fails="limit",
            laws="equivariant", role="iteration",
        ),
    }
)
# fmt: on


_BINDING = frozenset(name for name, row in OPS.items() if "binds" in row.laws)
_LOOPS = frozenset(name for name, row in OPS.items() if "loops" in row.laws)


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


def is_loop(op: Op) -> bool:
    """True if an operation evaluates its last operand once for each value of a variable."""
    return op.name in _LOOPS


def has_trait(op: Op, trait: Trait, number: int) -> bool:
    """True if the operand of this number, from 0, has a trait by the operation's row."""
    row = row_of(op.name)
    return row is not None and row.has(trait, number)


def contained_in(op: Op) -> Iterator[Op]:
    """Yield the operands that the set of an operation is a subset of."""
    return (arg for number, arg in enumerate(op.args) if has_trait(op, "contains", number))


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


def reads_parts(op: Op, *parts: Part) -> bool:
    """True if an operation or one inside reads one of these parts of a state."""
    return any(not (OPS.get(o.name) or SCRIPTED[o.name]).reads.isdisjoint(parts) for o in walk(op))


def actions(op: Op) -> frozenset[str]:
    """Return the ways in which an effect, with those inside it, may change pieces."""
    return frozenset().union(*((OPS.get(o.name) or SCRIPTED[o.name]).does for o in walk(op)))
