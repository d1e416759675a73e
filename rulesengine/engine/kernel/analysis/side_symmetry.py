"""Detection of rules that are equal for both sides, which can share one function."""

from collections.abc import Sequence

from rulesengine.engine.kernel.analysis.state_layout import StateLayout
from rulesengine.language.ir.ops import bound, walk
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import is_by_side
from rulesengine.language.ir.rules import operations


def is_side_symmetric(program: Program) -> bool:
    """True if the rules are equal for both sides, which then share one function.

    The sides must alternate, and no rule may name one of them.
    """
    rules, layout = program.rules, StateLayout.of(program)
    planes = set(layout.planes)
    if len(rules.players) != 2 or not rules.alternates or layout.seats or layout.history:
        return False
    if any(other_side(plane) not in planes for plane in planes):
        return False
    if rules.stacks or any(register.type == "side" for register in rules.registers):
        return False
    parts = (
        rules.tiers,
        rules.steps,
        rules.keep,
        rules.effects,
        rules.next,
        rules.score,
        rules.ends,
    )
    for root in operations(parts):
        for op in walk(root):
            if is_by_side(op) or (op.type == "side" and op.value in (0, 1)):
                return False
            if bound(op) and isinstance(op.value, tuple) and op.value[2:3] == ("sides",):
                return False
    return True


def other_side(plane: int) -> int:
    """Return the plane of the same kind for the other of two sides; a neutral plane is its own."""
    kind, owner = divmod(plane, 3)
    return kind * 3 + (owner if owner == 2 else 1 - owner)


def other_sides(planes: Sequence[int]) -> list[int]:
    """Return for each plane of a state the index of its counterpart for the other side."""
    return [planes.index(other_side(plane)) for plane in planes]
