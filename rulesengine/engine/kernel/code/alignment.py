"""Alignment of similar blocks: rows of corresponding instructions."""

from collections.abc import Iterable, Sequence

from rulesengine.engine.kernel.code.form import Instr

Row = tuple[Instr | None, ...]

_WINDOW = 24  # instructions of one block without a counterpart, at most
# Instructions that may be executed speculatively: they have no effects, and have results for all
# operands.
SPECULATED = frozenset(
    "mand mor mxor mless mnot many meq mcount pick iadd isub imin imax iand ior ieq ilt ile"
    " fand for fnot fint".split()
)


def align(blocks: Sequence[list[Instr]]) -> Iterable[Row] | None:
    """Return the rows of some blocks in order; None if they do not correspond.

    The instructions of a row have equal names. None is in place of an instruction that a block does
    not have; such a row may be executed speculatively.
    """
    plain = [[instr for instr in block if instr.op != "note"] for block in blocks]
    names = [[instr.op for instr in block] for block in plain]
    if all(other == names[0] for other in names[1:]):
        return zip(*plain, strict=True)
    rows: list[Row] | None = [(instr,) for instr in plain[0]]
    for block in plain[1:]:
        rows = _extended(rows, block) if rows is not None else None
    return rows


def _extended(rows: list[Row], block: list[Instr]) -> list[Row] | None:
    """Return the rows with a further block, by the next equal names within a window."""
    names, others = [_name_of(row) for row in rows], [instr.op for instr in block]
    extended: list[Row] = []
    none = (None,) * len(rows[0]) if rows else ()
    i = j = 0
    while i < len(rows) or j < len(block):
        left, right = _next_equal(names[i : i + _WINDOW], others[j : j + _WINDOW])
        if not SPECULATED.issuperset((*names[i : i + left], *others[j : j + right])):
            return None
        extended += [(*row, None) for row in rows[i : i + left]]
        extended += [(*none, instr) for instr in block[j : j + right]]
        i, j = i + left, j + right
        if i < len(rows) and j < len(block):
            extended.append((*rows[i], block[j]))
            i, j = i + 1, j + 1
    return extended


def _name_of(row: Row) -> str:
    return next(instr.op for instr in row if instr is not None)


def _next_equal(one: Sequence[str], other: Sequence[str]) -> tuple[int, int]:
    """Return the indices of the next equal names, by the fewest in between."""
    for total in range(len(one) + len(other) - 1):
        for i in range(max(0, total - len(other) + 1), min(total + 1, len(one))):
            if one[i] == other[total - i]:
                return i, total - i
    return len(one), len(other)
