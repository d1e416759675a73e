"""Detection of tiers with moves that all pass `keep` and need not be ranked.

These are mostly moves without captures. Each step carries a piece of the mover to an empty cell and
leaves the mover's other pieces in place. No two such moves lead to one position, and none captures.
Registers that live for a move must have their start values. This holds unless a position is set up
otherwise; users of the result must test it.
"""

from rulesengine.language.ir.ops import OPS, Op, contained_in, make, walk
from rulesengine.language.ir.roles import (
    alternatives,
    has_role,
    is_constant,
    is_filter,
    is_variable,
)
from rulesengine.language.ir.rules import Group, Key, Rules, written_as

_OWN = make("owned", Op("variable", "side", (), "player"))
# Changes of a move other than the cell to which a piece is carried.
_UNCHANGED = frozenset({"placed", "flipped", "removed", "captured"})


def unranked(rules: Rules) -> tuple[int, ...]:
    """Return the numbers of these tiers; none if the rules have no `keep`."""
    if not all(_is_one_for_all(key.value) for key in rules.keep if isinstance(key, Key)):
        return ()
    tiers = range(len(rules.tiers)) if rules.keep else ()
    return tuple(number for number in tiers if _are_apart(rules, rules.tiers[number]))


def _is_one_for_all(value: Op) -> bool:
    """True if a value is equal for all moves of such a tier, and cannot fail."""
    return not any(
        OPS[op.name].fails
        or "future" in OPS[op.name].reads
        or ("record" in OPS[op.name].reads and op.value not in _UNCHANGED)
        or is_variable(op, "from", "to")
        for op in walk(value)
    )


def _are_apart(rules: Rules, tier: tuple[Group, ...]) -> bool:
    """True if all steps are moves that carry a piece of the mover to an empty cell."""
    groups = rules.groups
    forms = {written_as(rules)[groups.index(group)] for group in tier}
    effects = (*(effect for group in tier for effect in group.effects), *rules.effects)
    resting = _resting(rules, effects)
    return (
        len(forms) == 1
        and not any(shows_direction for _, shows_direction in forms)
        and all(map(_carries_own, tier))
        and all(_leaves_cells(effect, resting) for effect in effects)
    )


def _carries_own(group: Group) -> bool:
    plain = group.kind == "move" and not group.then and not group.choice
    return (
        plain
        and group.origin is not None
        and group.target is not None
        and is_within(group.origin, _OWN)
        and is_within(group.target, make("empty"))
    )


def is_within(cells: Op, superset: Op) -> bool:
    """True if a set is a subset of another by its form."""
    inner = cells.args if has_role(cells, "join") else alternatives(cells)
    if inner:
        return all(is_within(arg, superset) for arg in inner)
    if is_filter(cells):
        return is_within(cells.args[0], superset)
    return cells == superset or any(is_within(arg, superset) for arg in contained_in(cells))


def _resting(rules: Rules, effects: tuple[Op, ...]) -> frozenset[str]:
    """Return the registers that are empty sets of cells throughout such a move."""
    changed = {str(op.value[0]) for e in effects for op in walk(e) if isinstance(op.value, tuple)}
    return frozenset(
        register.name
        for register in rules.registers
        if register.lives == "move" and register.name not in changed and _is_nothing(register.start)
    )


def _is_nothing(start: Op) -> bool:
    return start.type == "cells" and is_constant(start, 0)


def _leaves_cells(effect: Op, resting: frozenset[str]) -> bool:
    """True if an effect leaves each side's pieces, of whatever kind, on their cells."""
    if has_role(effect, "selection", "sequence"):
        inner = alternatives(effect) or effect.args
        return all(_leaves_cells(branch, resting) for branch in inner)
    if has_role(effect, "removal"):
        return has_role(effect.args[0], "register") and effect.args[0].value in resting
    return has_role(effect, "assignment", "promotion")
