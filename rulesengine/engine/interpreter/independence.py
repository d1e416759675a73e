"""An analysis of rules: tests if each legal move can be generated without the others."""

from collections.abc import Mapping

from rulesengine.language.ir.ops import OPS, Op, walk
from rulesengine.language.ir.roles import loop_function, reads_variable
from rulesengine.language.ir.rules import Group, Rules, operations, written_as
from rulesengine.support.limits import MAX_MOVES
from rulesengine.support.words import DIRECTIONS

# Folds of `each` that neither compare nor add.
_FOLDS = frozenset({"where", "any", "every", "none", "count", "union", "reach"})
_MOVER = Op("variable", "side", (), "player")


def are_apart(rules: Rules, cells: int) -> bool:
    """True if each legal move can be generated independently, on a board of `cells` cells.

    This holds under three conditions. Moves are single steps, none is preferred to others, and no
    other move can fail, have two meanings or exceed the limit of moves. These can be decided only
    from the whole list.
    """
    groups = [group for tier in rules.tiers for group in tier]
    if rules.keep or any(group.then for group in groups):
        return False
    forms = dict(zip(map(id, rules.groups), written_as(rules), strict=True))
    few = all(_most(tier, forms, cells) <= MAX_MOVES for tier in rules.tiers)
    return (
        few and all(_is_sure(rules, g) for g in groups) and all(map(_has_one_meaning, rules.tiers))
    )


def _most(tier: tuple[Group, ...], forms: Mapping[int, tuple[int, bool]], cells: int) -> int:
    """Return an upper bound of the number of distinct steps of a tier."""
    most: dict[tuple[str, int], int] = {}
    for group in tier:
        form, shows_direction = forms[id(group)]
        kind = group.kind, form
        places = cells ** sum(op is not None for op in (group.origin, group.target))
        places *= DIRECTIONS if shows_direction else 1
        if group.choice:
            places = places * len(group.choice) + most.get(kind, 0)
        most[kind] = max(most.get(kind, 0), places)
    return sum(most.values())


def _is_sure(rules: Rules, group: Group) -> bool:
    """True if no operation fails that decides if a step is legal, effects for `forbid` included."""
    ops = operations((group.along, group.origin, group.target, group.choice, group.when))
    if group.forbid is not None:
        if not rules.alternates or any("" in kind.symbols[:-1] for kind in rules.kinds):
            return False
        clauses = (group.piece, group.side, group.effects, rules.effects, rules.next)
        ops += operations((group.forbid, clauses))
    return not any(_may_fail(inner) for op in ops for inner in walk(op))


def _may_fail(op: Op) -> bool:
    """True if an operation may fail, or reads moves and ends, which may fail."""
    fails = OPS[op.name].fails - {"unset"}
    if op.args and op.args[0] == _MOVER:
        fails -= {"player"}
    if loop_function(op) in _FOLDS:
        fails = frozenset()
    return bool(fails) or not OPS[op.name].reads.isdisjoint({"moves", "outcome", "future"})


def _has_one_meaning(tier: tuple[Group, ...]) -> bool:
    """True if equal steps of a tier have equal effects, whatever their rule and direction."""
    for kind in {group.kind for group in tier}:
        alike = [group for group in tier if group.kind == kind]
        consequences = {(g.piece, g.side, g.effects) for g in alike}
        turns = any(reads_variable(op, "direction") for op in operations(tuple(consequences)))
        if len(consequences) > 1 or (turns and any(group.along for group in alike)):
            return False
    return True
