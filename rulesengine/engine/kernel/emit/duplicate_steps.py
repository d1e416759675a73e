"""Detection of groups that may list equal steps; only these need a search of the list.

Two steps are equal if their notation is: kind, cells and choice, and the direction if the notation
shows it. So steps differ if their cells differ: by contents, by complementary conditions, or by
disjoint regions. See decision 085.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import and_, or_

from rulesengine.engine.kernel.analysis.board_tables import cells_of
from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.occupancy import any_content, content_of
from rulesengine.engine.kernel.emit.state_values import Environment
from rulesengine.language.ir.ops import Op, contained_in, walk
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import (
    alternatives,
    constant,
    has_role,
    is_by_side,
    is_constant,
    is_filter,
    is_single,
    is_variable,
    role_of,
)
from rulesengine.language.ir.rules import Group, written_as
from rulesengine.language.ir.signature import Role

_PLAYER = Op("variable", "side", (), "player")
_SAME = frozenset({"player", "from"})  # variables that are the same for equal steps


def step_forms(program: Program) -> tuple[tuple[int, bool], ...]:
    """Return for each group the number of its notation, and True if that shows the direction."""
    return written_as(program.rules)


def possible_duplicates(
    ctx: Context, scene: Environment, groups: Iterable[Group]
) -> Iterator[tuple[int, list[int]]]:
    """Yield groups by number, each with the groups so far that may list an equal step."""
    before: list[int] = []
    for group in groups:
        number = ctx.rules.groups.index(group)
        alike = [other for other in before if not have_no_equal_steps(ctx, scene, other, number)]
        if not _lists_once(ctx, scene, number):
            alike.append(number)
        yield number, alike
        before.append(number)


def _lists_once(ctx: Context, scene: Environment, number: int) -> bool:
    """True if no two steps of a group are equal."""
    group = ctx.rules.groups[number]
    choices = [op.value for op in group.choice if is_constant(op)]
    if len(set(choices)) < len(group.choice):
        return False
    if group.along is None or ctx.analysis(step_forms)[number][1]:
        return True
    if group.target is None or group.origin is None:
        return False
    reaches = list(_reaches(ctx, scene, group).values())
    return all(map(_are_disjoint, zip(*reaches, strict=True)))


def _are_disjoint(sets: Iterable[int]) -> bool:
    seen = 0
    for one in sets:
        if seen & one:
            return False
        seen |= one
    return True


def have_no_equal_steps(ctx: Context, scene: Environment, a: int, b: int) -> bool:
    """True if no step of one group equals a step of the other."""
    none = ctx.b.i(-1)  # there is no current step
    scene = scene.with_(from_=none, to=none, choice=none, direction=none)
    forms, groups = ctx.analysis(step_forms), ctx.rules.groups
    first, second = groups[a], groups[b]
    if (first.kind, forms[a][0]) != (second.kind, forms[b][0]):
        return True
    ends = ((first.origin, second.origin), (first.target, second.target))
    if any(_no_cell_is_in_both(ctx, scene, *both) for both in ends):
        return True
    if first.target is None or second.target is None:
        return False
    reached = [_reaches(ctx, scene, group) for group in (first, second)]
    if forms[a][1]:
        directions = reached[0].keys() & reached[1].keys()
        pairs = [(reached[0][direction], reached[1][direction]) for direction in directions]
    else:
        pairs = [tuple(map(_together, reached))]  # type: ignore[list-item]
    return not any(
        x & y
        for reaches, other_reaches in pairs
        for x, y in zip(reaches, other_reaches, strict=True)
    )


def _no_cell_is_in_both(ctx: Context, scene: Environment, one: Op | None, other: Op | None) -> bool:
    if one is None or other is None:
        return one is not other
    if not _content(ctx, one, scene) & _content(ctx, other, scene):
        return True
    return _exclude(ctx, one, other) or _exclude(ctx, other, one)


def _content(ctx: Context, op: Op, scene: Environment) -> int:
    """Return the planes that may be on a set's cells, without emitting code."""
    owners = (of.args[0] for of in walk(op) if has_role(of, "pieces"))
    is_known = all(is_constant(of) or of == _PLAYER for of in owners)
    return content_of(ctx, op, scene) if is_known else any_content(ctx)


def _together(reaches: dict[int | None, list[int]]) -> list[int]:
    return [reduce(or_, sets, 0) for sets in zip(*reaches.values(), strict=True)]


def _exclude(ctx: Context, one: Op, other: Op) -> bool:
    """True if a set is a subset of another one that is disjoint from the second set."""
    inside, outside = _supersets(one), _excluded(other)
    return any(op in outside and ctx.facts.variables(op) <= _SAME for op in inside)


def _supersets(op: Op) -> list[Op]:
    """Return supersets of a set."""
    if is_filter(op):
        return [op, *_supersets(op.args[0])]
    if has_role(op, "meet", "difference"):
        return [op, *(one for superset in contained_in(op) for one in _supersets(superset))]
    return [op]


def _excluded(op: Op) -> list[Op]:
    """Return sets disjoint from a set."""
    if is_filter(op):
        return _excluded(op.args[0])
    match role_of(op):
        case "meet":
            return [one for arg in op.args for one in _excluded(arg)]
        case "difference":
            return [*_excluded(op.args[0]), *_subsets(op.args[1])]
        case "complement":
            return _subsets(op.args[0])
    return []


def _subsets(op: Op) -> list[Op]:
    """Return subsets of a set."""
    inner = op.args if has_role(op, "join") else ()
    return [op, *(one for arg in inner for one in _subsets(arg))]


# The possible targets of steps in any position: one set of cells for each origin


def _reaches(ctx: Context, scene: Environment, group: Group) -> dict[int | None, list[int]]:
    """Return a superset of the targets of each cell, by direction (None without directions).

    The set is empty for a cell that cannot be an origin.
    """
    assert group.target is not None
    directions: Iterable[int | None] = (None,)
    if group.along is not None:
        directions = cells_of(_directions(ctx, scene, group.along, None))
    ways_by_cell = {
        direction: _reach(ctx, scene, group.target, direction) for direction in directions
    }
    if group.origin is None:
        return ways_by_cell
    # The set of origins does not depend on the origin of a step.
    begins = {
        direction: _reach(ctx, scene, group.origin, direction)[0] for direction in ways_by_cell
    }
    return {
        direction: [
            cells if begins[direction] >> cell & 1 else 0 for cell, cells in enumerate(sets)
        ]
        for direction, sets in ways_by_cell.items()
    }


def _reach(ctx: Context, scene: Environment, op: Op, direction: int | None) -> list[int]:
    cells = ctx.shape.cells
    if is_filter(op):
        return _reach(ctx, scene, op.args[0], direction)
    match role_of(op):
        case "singleton" if is_single(op, "from"):
            return [1 << cell for cell in range(cells)]
        case "constant":
            assert isinstance(op.value, int)
            return [op.value] * cells
        case "meet" | "join" as role:
            join = and_ if role == "meet" else or_
            sets = [_reach(ctx, scene, arg, direction) for arg in op.args]
            return [reduce(join, each) for each in zip(*sets, strict=True)]
        case "difference":
            out = constant(op.args[1]) or 0
            return [each & ~out for each in _reach(ctx, scene, op.args[0], direction)]
        case "selection":
            args = _for_side(op, scene) if is_by_side(op) else alternatives(op)
            sets = [_reach(ctx, scene, arg, direction) for arg in args]
            return [reduce(or_, each) for each in zip(*sets, strict=True)]
        case "neighbourhood":
            sets_of = ctx.program.topology.adjacency
            return [_union(sets_of, each) for each in _reach(ctx, scene, op.args[0], direction)]
        case "shift" | "ray" as role:
            masks = _reach(ctx, scene, op.args[0], direction)
            for arg in op.args[1:] if role == "shift" else op.args[1:2]:
                directions = cells_of(_directions(ctx, scene, arg, direction))
                rays = [_rays(ctx, role, d) for d in directions]
                unions = {e: reduce(or_, (_union(ray, e) for ray in rays), 0) for e in set(masks)}
                masks = [unions[each] for each in masks]
            return masks
    return [ctx.b.full] * cells


def _union(sets: Sequence[int], cells: int) -> int:
    """Return the union of the sets of some cells."""
    return reduce(or_, (sets[cell] for cell in cells_of(cells)), 0)


def _rays(ctx: Context, role: Role, direction: int) -> list[int]:
    """Return the cells reached from each cell in a direction, by one step or by any number."""
    if role == "shift":
        return [1 << cell if cell >= 0 else 0 for cell in ctx.shape.targets[direction]]
    rays = (ctx.program.topology.ray(cell, direction) for cell in range(ctx.shape.cells))
    return [reduce(or_, (1 << cell for cell in ray), 0) for ray in rays]


def _directions(ctx: Context, scene: Environment, op: Op, direction: int | None) -> int:
    """Return a superset of a set of directions."""
    directions = constant(op)
    if directions is not None:
        return directions & ctx.shape.every
    if has_role(op, "singleton"):
        return _direction(ctx, scene, op.args[0], direction)
    return _of_side(ctx, scene, op, direction) if is_by_side(op) else ctx.shape.every


def _direction(ctx: Context, scene: Environment, op: Op, direction: int | None) -> int:
    """Return a superset of a single direction."""
    if is_variable(op, "direction") and direction is not None:
        return 1 << direction
    known = constant(op)
    if known is not None:
        return 1 << known
    if is_by_side(op):
        return reduce(or_, (_direction(ctx, scene, arg, direction) for arg in _for_side(op, scene)))
    return ctx.shape.every


def _of_side(ctx: Context, scene: Environment, op: Op, direction: int | None) -> int:
    return reduce(or_, (_directions(ctx, scene, arg, direction) for arg in _for_side(op, scene)))


def _for_side(op: Op, scene: Environment) -> tuple[Op, ...]:
    """Return the possible values of a choice by side: one if the side is constant, else all."""
    chooser, *each = op.args
    player: Value = scene.variables["player"]
    if is_variable(chooser, "player") and player.constant is not None:
        return (each[int(player.constant)],)
    return tuple(each)
