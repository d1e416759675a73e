"""The operations on stacks of pieces; see `ops`."""

from types import MappingProxyType

from rulesengine.language.ir.signature import Signature, by_direction, effect_row, value_row

# fmt: off
STACK_OPS: MappingProxyType[str, Signature] = MappingProxyType(
    {
        # the number of pieces on a cell: lowering replaces it by a number at a cell
        "height": value_row(
            "cell", to="number", value="site", reads="names registers", fails="cell",
            laws="equivariant",
        ),
        # a value as if so many upper pieces were taken off each stack
        "below": value_row(
            "number", "T", to="T", reads="pieces registers", fails="",
            laws="equivariant elsewhere",
        ),
        # pieces on stacks: put on top or under, remove so many upper ones, carry so many upper ones
        "lay": effect_row(
            "kind", "side", "cells", value="on or under, and site",
            reads="pieces registers", changes="pieces record registers",
            fails="piece bounds", does="adds", laws="equivariant",
        ),
        "unstack": effect_row(
            "number", "cells", value="site", reads="variables pieces registers",
            changes="pieces record registers", fails="bounds", laws="equivariant",
        ),
        "carry_stack": effect_row(
            "number", "cell", "cell", value="on or under, and site",
            reads="pieces registers", changes="pieces record registers",
            fails="cell bounds", laws="equivariant",
        ),
        # carry pieces in a direction and lay some on each cell, by the digits of a number
        "sow": effect_row(
            "number", "cell", "direction", value="site", cost=by_direction,
            reads="pieces registers", changes="pieces record registers",
            fails="cell bounds", laws="equivariant",
        ),
    }
)
# fmt: on
