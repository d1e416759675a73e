"""The sets of all candidate cells of a placement, after it; see `placement_sets`."""

from rulesengine.language.ir.ops import Op, literal
from rulesengine.support.frozen import record

_NO_CELLS = literal("cells", 0)


class UnsupportedOperation(Exception):
    """An operation that cannot be evaluated for all candidates at once."""


@record
class CandidateSets:
    """A set for each candidate: `rest` on all other cells, and the candidate itself if in `here`.

    For candidates in `vague` only membership of the candidate is exact; the set is not empty if the
    candidate is in `some`.
    """

    rest: Op
    here: Op
    vague: Op = _NO_CELLS
    some: Op = _NO_CELLS
