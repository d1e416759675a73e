"""Removal of tests for repetition that cannot hold: no earlier position had as many pieces.

Where moves only add pieces or change them, the number of occupied cells never falls. After a
placement on an empty cell it exceeds that of every earlier position. See decision 178.
"""

from collections.abc import Callable, Iterable

from rulesengine.board.topology import Topology
from rulesengine.language.ir.ops import Op, actions, literal, make
from rulesengine.language.ir.roles import has_role, is_constant
from rulesengine.language.ir.rules import Group, Rules, operations
from rulesengine.language.lower.filter_elision import is_within
from rulesengine.language.lower.simplify import simplify
from rulesengine.support.frozen import replace

# Effects that leave all occupied cells occupied.
_KEEPING = frozenset({"adds", "flips", "promotes"})


def without_vain_repetition(rules: Rules, board: Topology) -> Rules:
    """Return rules without bans on repetition after placements, if pieces are never removed."""
    if not all(map(_keeps_pieces, rules.groups)) or not _keep(_other_effects(rules)):
        return rules

    def group(original: Group) -> Group:
        return _without(original, board) if _adds_piece(original) else original

    tiers = tuple(tuple(map(group, tier)) for tier in rules.tiers)
    return replace(rules, tiers=tiers, steps=tuple(map(group, rules.steps)))


def _other_effects(rules: Rules) -> Iterable[Op]:
    """Yield the effects of all moves, and those of the script."""
    yield from rules.effects
    yield from (op for op in operations(rules.script) if op.type == "effect")


def _keep(effects: Iterable[Op]) -> bool:
    """True if effects leave all occupied cells occupied."""
    return all(actions(effect) <= _KEEPING for effect in effects)


def _keeps_pieces(group: Group) -> bool:
    """True if the steps of a group leave all occupied cells occupied, or carry a piece to an empty
    cell.
    """
    carries = group.kind in ("move", "lay", "lift")
    to_empty = group.kind == "move" and group.target is not None and _is_empty(group.target)
    return (not carries or to_empty) and _keep(group.effects)


def _adds_piece(group: Group) -> bool:
    """True if the steps of a group place a piece on an empty cell."""
    return group.kind == "place" and group.target is not None and _is_empty(group.target)


def _is_empty(cells: Op) -> bool:
    return is_within(cells, make("empty"))


def _without(group: Group, board: Topology) -> Group:
    """Return the group with 0 for the repetitions that its ban reads; without a ban if that is
    false.
    """
    if group.forbid is None:
        return group
    ban = _replaced(group.forbid, lambda op: simplify(op, board))
    return replace(group, forbid=None if is_constant(ban, 0) else ban)


def _replaced(op: Op, fold: Callable[[Op], Op]) -> Op:
    """Return an operation with 0 for each number of repetitions, and for each age."""
    if has_role(op, "repetition", "age"):
        return literal("number", 0)
    args = tuple(_replaced(arg, fold) for arg in op.args)
    same = all(a is b for a, b in zip(args, op.args, strict=True))
    return op if same else fold(replace(op, args=args))
