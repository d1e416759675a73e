"""Mobility of pieces as an expression: the cells that the pieces of a kind reach by a step.

Steps are pseudo-legal: `forbid` is not tested, since each step would have to be made. All pieces of
a kind are treated as one piece with several origins. This takes one set operation instead of one
for each piece. A cell that two pieces reach in the same direction counts once.

A group of several kinds may select its cells by the kind of the piece. See decision 202.

Only kinds that can step back count, because the others use up their steps to advance. Royal kinds
do not count either. The weight of a cell falls with the mean number of steps of the kind.
"""

from collections.abc import Iterable, Iterator, Mapping

from rulesengine.board.geometry import bits
from rulesengine.engine.drivers.search.mobility import HARMLESS
from rulesengine.engine.evaluation.lone_pieces import LonePieces
from rulesengine.engine.evaluation.material import Material
from rulesengine.engine.evaluation.royal_kinds import royal_kinds
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.language.ir.ops import OPS, Op, literal, make, walk
from rulesengine.language.ir.roles import (
    alternatives,
    constant,
    has_role,
    is_by_kind,
    is_conditional,
    is_of_kind,
    is_of_side,
    is_single,
    is_variable,
    loop_function,
    reads_variable,
)
from rulesengine.language.ir.rules import Group

_WEIGHT = 24  # the gain of a piece with twice the mean number of steps of its kind
_LEAST_STEPS = 2  # kinds with fewer steps on average do not count

ReachedCells = Mapping[int, tuple[Op, ...]]


def mobility_terms(weights: Mapping[int, int], reached: ReachedCells) -> Iterator[Op]:
    """Yield the numbers of cells that `player` reaches, times the weights of `step_weights`."""
    for kind, sets in reached.items():
        for cells in sets:
            number = literal("number", weights[kind])
            yield make("multiply", make("count", cells), number, value=0)


def reached_cells(
    machine: Interpreter,
    material: Material,
    kinds: Iterable[int],
    *,
    by_kind: bool | None = None,
) -> ReachedCells:
    """Return sets of cells that the pieces of `player` reach, by kind.

    There is a set for each group and direction. Kinds without a set are absent. If `by_kind` is
    true, only groups count that select their cells by the kind of the piece; if false, the others.
    """
    groups = [
        (number, group)
        for number, group in enumerate(machine.program.rules.groups)
        if by_kind is None or by_kind is _selects_by_kind(group)
    ]
    sets = {
        kind: tuple(
            cells
            for number, group in groups
            if material.groups[kind] >> number & 1
            for cells in _reached(machine, group, kind)
        )
        for kind in kinds
    }
    return {kind: cells for kind, cells in sets.items() if cells}


def step_weights(machine: Interpreter, material: Material, lone: LonePieces) -> dict[int, int]:
    """Return the weights of the steps, by kind; kinds that do not count are absent."""
    rules, royal, weights = machine.program.rules, royal_kinds(machine.program), dict[int, int]()
    for kind, row in enumerate(rules.kinds):
        sides = [side for side in range(len(rules.players)) if row.symbols[side]]
        steps = material.steps[kind]
        if kind in royal or steps < 100 * _LEAST_STEPS or not sides:
            continue
        if all(lone.of(kind, side, side).is_reversible for side in sides):
            weights[kind] = max(1, (100 * _WEIGHT + steps // 2) // steps)
    return weights


def _reached(machine: Interpreter, group: Group, kind: int) -> Iterator[Op]:
    """Yield the cells that the pieces of a kind reach, for each direction of a group.

    There are none if an expression for all pieces is not known.
    """
    is_plain = group.kind == "move" and group.when is None and not group.choice
    if not is_plain or group.target is None or group.origin is None:
        return
    pieces = make("and", group.origin, make("of_kind", literal("kind", kind)))
    target = _of_all(group.target, pieces, kind)
    if target is None or any(map(_may_fail, walk(target))):
        return
    ways = [literal("direction", way) for way in _directions(machine, group)]
    yield from (_with_direction(target, way) for way in ways) if group.along else (target,)


def _selects_by_kind(group: Group) -> bool:
    """True if the target of a group depends on the kind of the piece `from`."""
    return group.target is not None and any(map(_is_kind_of_piece, walk(group.target)))


def _directions(machine: Interpreter, group: Group) -> Iterator[int]:
    """Yield the directions of a group for any side."""
    start, cells = machine.initial_state(), 0
    if group.along is not None:
        for side in range(len(machine.program.rules.players)):
            cells |= machine.evaluate_in(group.along, Frame(start, {"player": side}))
    yield from bits(cells)


def _with_direction(op: Op, way: Op) -> Op:
    """Return an expression with a direction substituted for the variable."""
    if is_variable(op, "direction"):
        return way
    args = tuple(_with_direction(arg, way) for arg in op.args)
    if is_conditional(op) and has_role(args[0], "membership"):
        direction, domain = (constant(arg) for arg in args[0].args)
        is_known = args[0].args[1].type == "directions"
        if is_known and direction is not None and domain is not None:
            return args[1 if domain >> direction & 1 else 2]
    return Op(op.name, op.type, args, op.value)


def _may_fail(op: Op) -> bool:
    """True if an operation may fail for the side that is not to move; a union of sets does not."""
    is_union = bool(loop_function(op)) and op.type == "cells"
    return op.name not in OPS or not (is_union or OPS[op.name].fails <= HARMLESS)


def _of_all(op: Op, pieces: Op, kind: int) -> Op | None:
    """Return an expression of one origin for all pieces of a kind; None if it cannot be expressed.

    Conditions on the kind of the piece are decided.
    """
    if not reads_variable(op, "from"):
        return op
    if is_single(op, "from"):
        return pieces
    if is_by_kind(op) and _is_kind_of_piece(op.args[0]):
        return _of_all(alternatives(op)[kind], pieces, kind)
    if is_conditional(op):
        holds = _holds(op.args[0], kind)
        chosen = None if holds is None else alternatives(op)[0 if holds else 1]
        return None if chosen is None else _of_all(chosen, pieces, kind)
    args = [_of_all(arg, pieces, kind) for arg in op.args]
    known = tuple(arg for arg in args if arg is not None)
    is_known = bool(args) and len(known) == len(args)
    return Op(op.name, op.type, known, op.value) if is_known else None


def _holds(condition: Op, kind: int) -> bool | None:
    """Return a condition on the kind of the piece `from`, of the player; None if undecided."""
    if has_role(condition, "equality"):
        kinds = [kind if _is_kind_of_piece(arg) else constant(arg) for arg in condition.args]
        is_kind = any(map(_is_kind_of_piece, condition.args))
        return kinds[0] == kinds[1] if is_kind and None not in kinds else None
    if has_role(condition, "membership") and is_variable(condition.args[0], "from"):
        return _contains(condition.args[1], kind)
    return None


def _is_kind_of_piece(op: Op) -> bool:
    """Return True for the kind of the piece `from`."""
    is_attribute = op.type == "kind" and has_role(op, "attribute")
    return is_attribute and is_variable(op.args[0], "from")


def _contains(cells: Op, kind: int) -> bool | None:
    """Return True if a set has all pieces of a kind of the player, False for none; None if
    undecided.
    """
    if is_of_kind(cells):
        return constant(cells.args[0]) == kind
    if is_of_side(cells):
        return True if is_variable(cells.args[0], "player") else None
    answers = [_contains(arg, kind) for arg in cells.args]
    if has_role(cells, "meet"):
        return False if False in answers else None if None in answers else True
    if has_role(cells, "join"):
        return True if True in answers else None if None in answers else False
    return None
