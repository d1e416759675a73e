"""Monotone numbers of a game: the empty cells of games that only fill them, and the pieces of
others.
"""

from rulesengine.language.ir.ops import Op, actions, make
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import operations

_TIERS = ({"place"}, {"pass"})


def vacant(program: Program) -> Op | None:
    """Return the number of empty cells, if every move except a forced pass fills one; else None."""
    rules = program.rules
    are_plain = all({group.kind for group in tier} in _TIERS for tier in rules.tiers)
    done = frozenset().union(*map(actions, operations(rules)))
    if rules.chance or not are_plain or not done.isdisjoint(("removes", "moves")):
        return None
    return make("count", make("empty"))


def lasting(program: Program) -> Op | None:
    """Return the number of empty cells, if no move adds a piece, so that it never decreases; else
    None.
    """
    rules = program.rules
    are_added = any(group.kind == "place" for group in rules.groups)
    done = frozenset().union(*map(actions, operations((rules.groups, rules.effects))))
    if are_added or "adds" in done:
        return None
    return make("count", make("empty"))
