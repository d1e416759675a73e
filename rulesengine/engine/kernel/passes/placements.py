"""Groups of steps that are complete moves and place a piece."""

from rulesengine.engine.kernel.passes.lift import Vectoriser
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.roles import is_constant
from rulesengine.language.ir.rules import Group


def is_disabled(group: Group) -> bool:
    """True if parameters disable a group."""
    return group.when is not None and is_constant(group.when, 0)


def placement_cells(group: Group, sets: Vectoriser) -> Op | None:
    """Return the legal cells of a placement group, as `player` reads them;
    None for other groups.
    """
    more = (group.along, group.origin, group.forbid, group.then, *group.choice, *group.choices)
    if group.kind != "place" or any(more) or group.target is None:
        return None
    allowed = sets.satisfying_cells(group.when, "to") if group.when else sets.all
    if allowed is None or sets.facts.may_fail(group.target):
        return None
    return sets.build("and", group.target, allowed)
