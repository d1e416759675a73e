"""Royal kinds of piece: those that a ban or a losing end protects."""

from rulesengine.language.ir.ops import Op, walk
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import constant, has_role, is_of_kind


def royal_kinds(program: Program) -> frozenset[int]:
    """Return the kinds that a ban or a losing end reads for one side."""
    conditions = [group.forbid for group in program.rules.groups]
    conditions += [end.when for end in program.rules.ends if end.result == "loses"]
    return frozenset(
        kind for root in conditions if root for op in walk(root) for kind in _kinds_of_side(op)
    )


def _kinds_of_side(op: Op) -> list[int]:
    """Return the kind of a set with the pieces of one kind of a side, if it is one."""
    if not has_role(op, "meet") or not any(_is_owned(arg) for arg in op.args):
        return []
    kinds = (constant(arg.args[0]) for arg in op.args if is_of_kind(arg))
    return [kind for kind in kinds if kind is not None]


def _is_owned(op: Op) -> bool:
    return has_role(op, "pieces") and op.args[0].type == "side"
