"""Properties of the ends of a game."""

from rulesengine.language.ir.ops import reads
from rulesengine.language.ir.program import Program


def ends_query_moves(program: Program) -> bool:
    """True if an end queries whether a side can move.

    These moves are those of the next ply, so kernels compute them once, before the ends.
    """
    return any(reads(end.when, "can_move") for end in program.rules.ends)
