"""Properties of the ends of a game."""

from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import reads_role


def ends_query_moves(program: Program) -> bool:
    """True if an end queries whether a side can move.

    These moves are those of the next ply, so kernels compute them once, before the ends.
    """
    return any(reads_role(end.when, "mobility") for end in program.rules.ends)
