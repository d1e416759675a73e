"""Groups of which each step is a whole move that places a piece: where they may."""

from rulesengine.engine.kernel.passes.lift import Lifting
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.rules import Group


def is_never(group: Group) -> bool:
    """Whether a group has no step, since parameters leave it out."""
    return group.when is not None and group.when.name == "literal" and not group.when.value


def cells_of_placements(group: Group, sets: Lifting) -> Op | None:
    """The cells where a group may place, as `player` reads them; None of any other group."""
    more = (group.along, group.origin, group.forbid, group.then, *group.choice, *group.choices)
    if group.kind != "place" or any(more) or group.target is None:
        return None
    asked = sets.cells_where(group.when, "to") if group.when else sets.all
    if asked is None or sets.facts.may_fail(group.target):
        return None
    return sets.made("and", group.target, asked)
