"""Detection of rules that are the same for both sides, up to a symmetry of the board.

Such rules share the weights of both sides.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from rulesengine.board.automorphisms import Automorphism
from rulesengine.engine.symmetry import is_image_of
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import is_by_side, is_constant
from rulesengine.language.ir.rules import rewrite
from rulesengine.support.frozen import replace


def exchange_of(program: Program, every: Sequence[Automorphism]) -> Automorphism | None:
    """Return the automorphism that maps the rules to those with the sides exchanged, or None."""
    rules = program.rules
    # Codes of pieces in stacks name their owners.
    if rules.stacks or any(group.kind == "swap" for group in rules.groups):
        return None
    other = replace(program, rules=rewrite(rules, _exchanged))
    candidates = (*every, *_exchanges_of_tracks(program))
    return next((a for a in candidates if is_image_of(program, other, a)), None)


def _exchanges_of_tracks(program: Program) -> Iterator[Automorphism]:
    """Yield the permutations of cells that exchange two tracks which pass through all cells.

    A board without lines and neighbours has too many automorphisms to try them all.
    """
    board = program.topology
    if board.lines or any(board.adjacency):
        return
    for one, other in combinations(program.routes, 2):
        images = dict(zip(one.cells, other.cells, strict=False))
        images |= dict(zip(other.cells, one.cells, strict=False))
        if len(one.cells) == len(other.cells) and len(images) == board.cells:
            cells = tuple(images[cell] for cell in range(board.cells))
            yield Automorphism(cells, tuple(range(len(board.directions))))


def _exchanged(op: Op) -> Op:
    """Return an operation with the two sides exchanged."""
    args = tuple(_exchanged(arg) for arg in op.args)
    if is_by_side(op):
        args = (args[0], *args[:0:-1])
    if op.type == "side" and is_constant(op, 0, 1):
        return replace(op, value=0 if op.value else 1)
    return replace(op, args=args)
