"""Games with single-step captures of adjacent pieces only, a common case of two analyses."""

from rulesengine.engine.drivers.search.mobility import last_move_wins
from rulesengine.engine.kernel.analysis.board_tables import cells_of
from rulesengine.engine.kernel.analysis.planes import planes_of
from rulesengine.engine.kernel.passes.placements import is_disabled
from rulesengine.language.ir.ops import Op, make
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import has_role, parts_of
from rulesengine.language.ir.rules import Group

_SIDES = (0, 1)
_OWNERS = 3  # the two sides, and no side


def capture_groups(program: Program) -> list[Group] | None:
    """Return the groups of steps if all moves capture an adjacent piece of the other side.

    The player without a move must lose. The result is None if that does not hold, or cannot be
    proved.
    """
    rules = program.rules
    more = (rules.keep, rules.effects, rules.registers, rules.outs, rules.steps, rules.misere)
    if len(rules.players) != len(_SIDES) or any(more) or rules.chance or not rules.alternates:
        return None
    is_plain = all(end.side and has_role(end.side, "mover") and not end.each for end in rules.ends)
    if not is_plain or not last_move_wins(rules) or program.keeps_history:
        return None
    groups = [group for group in rules.groups if not is_disabled(group)]
    return groups if all(_captures_adjacent(program, group) for group in groups) else None


def _captures_adjacent(program: Program, group: Group) -> bool:
    """True if all steps of a group capture an adjacent piece of the other side."""
    more = (group.choice, group.choices, group.then, group.when, group.effects, group.forbid)
    if group.kind != "move" or any(more) or group.origin is None or group.target is None:
        return False
    if group.along is None or not _leads_to_adjacent(program, group.along):
        return False
    sides = [_moved_and_captured(program, group, side) for side in _SIDES]
    kinds = len(program.rules.kinds)
    owned = [frozenset(range(owner, kinds * _OWNERS, _OWNERS)) for owner in _SIDES]
    return all(
        planes is not None and planes[0] <= owned[side] and planes[1] <= owned[1 - side]
        for side, planes in enumerate(sides)
    )


def captures_all_alike(program: Program, group: Group) -> bool:
    """True if such a group moves all pieces of either side onto all pieces of the other side.

    There must be one kind of piece.
    """
    wanted = [(frozenset({side}), frozenset({1 - side})) for side in _SIDES]
    return len(program.rules.kinds) == 1 and wanted == [
        _moved_and_captured(program, group, side) for side in _SIDES
    ]


def _moved_and_captured(
    program: Program, group: Group, side: int
) -> tuple[frozenset[int], frozenset[int]] | None:
    """Return the planes that a side moves by single steps, and the planes that it captures.

    The result is None if a step has further conditions.
    """
    if group.origin is None or group.target is None:
        return None
    kinds, parts = len(program.rules.kinds), list(parts_of(group.target, "meet"))
    read = [part for part in parts if part != _ONE_STEP]
    origin = planes_of(group.origin, len(_SIDES), kinds, side)
    targets = [planes_of(part, len(_SIDES), kinds, side) for part in read]
    known = [target for target in targets if target is not None]
    if origin is None or not known or len(known) < len(targets) or len(parts) != len(read) + 1:
        return None
    return origin, frozenset.intersection(*known)


_ONE_STEP = make(
    "shift",
    make("single", Op("variable", "cell", (), "from")),
    make("just", Op("variable", "direction", (), "direction")),
)


def _leads_to_adjacent(program: Program, along: Op) -> bool:
    """True if steps in these directions lead to adjacent cells."""
    board = program.topology
    return isinstance(along.value, int) and all(
        end < 0 or board.adjacency[cell] >> end & 1
        for direction in cells_of(along.value)
        for cell, end in enumerate(board.directions[direction].targets)
    )
