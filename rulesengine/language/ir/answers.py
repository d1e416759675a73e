"""The bans of answers: conditions of `forbid` without the mobility that they read.

A `forbid` that reads `can_move` or `can_act` depends on the answers to a move. If the bans of these
answers read such a word again, the rules would depend on themselves. See decision 141.
"""

from rulesengine.language.ir.ops import Op, literal, make
from rulesengine.language.ir.roles import has_role, is_conditional, reads_role
from rulesengine.language.ir.rules import Group, Rules


def answer_bans(rules: Rules) -> tuple[Op | None, ...]:
    """Return for each group the condition that forbids its steps as answers."""
    return tuple(map(_ban, rules.groups))


def _ban(group: Group) -> Op | None:
    return None if group.forbid is None else _bound(group.forbid, 0)


def _bound(op: Op, bound: int) -> Op:
    """Return a condition that no longer reads mobility.

    With the bound 0 it holds only if `op` holds, with the bound 1 at least then. Parts that read
    mobility count as the bound.
    """
    if not reads_role(op, "mobility", "activity"):
        return op
    if has_role(op, "complement"):
        return make("deny", _bound(op.args[0], 1 - bound))
    if has_role(op, "meet", "join"):
        return make(op.name, *(_bound(arg, bound) for arg in op.args))
    if is_conditional(op):
        test, then, otherwise = op.args
        first = make("both", _bound(test, bound), _bound(then, bound))
        failed = make("deny", _bound(test, 1 - bound))
        return make("either", first, make("both", failed, _bound(otherwise, bound)))
    return literal("flag", bound)
