"""Properties of the ends of a game."""

from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import reads_role
from rulesengine.language.ir.rules import End


def ends_query_moves(program: Program) -> bool:
    """True if an end reads the mobility of a side.

    These moves are those of the next ply, so kernels compute them once, before the ends.
    """
    return bool(ends_by_moves(program)[1])


def ends_by_moves(program: Program) -> tuple[tuple[End, ...], tuple[End, ...]]:
    """Return the ends before the first one that queries moves, and the others.

    The former are tested after a move, when it is known what has changed.
    """
    ends = program.rules.ends
    queries = [reads_role(end.when, "mobility") for end in ends]
    first = queries.index(True) if True in queries else len(ends)
    return ends[:first], ends[first:]
