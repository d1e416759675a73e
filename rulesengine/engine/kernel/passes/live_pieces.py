"""Pieces that can still move or be captured, in games where pieces only capture adjacent pieces.

A step reads only its origin and its target, and its target is an adjacent piece of the other side.
So no piece ever moves to an empty cell. A connected group without captures now stays as it is, and
the game continues in the same way without it. It is a summand of value zero (Conway, 1976). Solvers
omit such groups, which makes positions equal that differ only in them. See decision 083.
"""

from rulesengine.engine.kernel.analysis.optional_results import LivePieces
from rulesengine.engine.kernel.passes.adjacent_captures import capture_groups
from rulesengine.language.ir.ops import literal, make
from rulesengine.language.ir.program import Program


def live_pieces_of(program: Program) -> LivePieces | None:
    """Return the live pieces; None for other rules, or without a proof."""
    if capture_groups(program) is None:
        return None
    one, other = (make("owned", literal("side", side)) for side in (0, 1))
    return LivePieces(
        make("fill", make("and", one, make("neighbours", other)), make("or", one, other))
    )
