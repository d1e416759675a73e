"""How many cells may still be filled, where moves fill cells for good: so near is the end."""

from rulesengine.ir.ops import Op, make, walk
from rulesengine.ir.program import Program
from rulesengine.ir.rules import operations

_LEAVES = frozenset({"remove", "carry", "carry_each", "push", "drop"})
_TIERS = ({"place"}, {"pass"})


def vacant(program: Program) -> Op | None:
    """The number of empty cells, where every move but a forced pass fills one; else None."""
    rules = program.rules
    are_plain = all({group.kind for group in tier} in _TIERS for tier in rules.tiers)
    ops = (op for root in operations(rules) for op in walk(root))
    if rules.chance or not are_plain or any(op.name in _LEAVES for op in ops):
        return None
    return make("count", make("empty"))
