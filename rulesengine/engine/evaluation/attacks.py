"""Attacked cells, from the ban that protects a royal piece, and the pieces at risk on them.

A ban such as `attacked(own king)` reads the set of the royal pieces of a side. With the set of one
other cell in its place it is true if the opponent attacks that cell. So a recapture on the same
cell is detected without making the moves.
"""

from rulesengine.engine.evaluation.material import Material, follows_captures
from rulesengine.engine.evaluation.royal_kinds import royal_kinds
from rulesengine.engine.evaluation.tactics import tactics_of
from rulesengine.engine.interpreter import Interpreter
from rulesengine.language.ir.ops import Op, literal, make
from rulesengine.language.ir.roles import constant, has_role, is_of_kind, is_of_side, is_variable

_SIDES = 2


def derive_risk(machine: Interpreter, material: Material) -> Op | None:
    """Return the value of the piece on the cell `to` if an opponent of `player` attacks the cell,
    else 0; None if the rules have no ban on attacks, or moves of several steps.
    """
    program = machine.program
    ban = tactics_of(program).ban
    if ban is None or not follows_captures(material) or len(program.rules.players) != _SIDES:
        return None
    if any(group.then for group in program.rules.groups):
        return None
    royal = royal_kinds(program)
    cell = make("variable", value="to", type="cell")
    here = make("single", cell)
    attacked = _with_cells(ban, here, royal)
    if attacked == ban:
        return None
    total = literal("number", 0)
    for kind, value in enumerate(material.values):
        piece = make("count", make("and", here, make("of_kind", literal("kind", kind))))
        term = make("multiply", piece, literal("number", value), value=0)
        total = make("add", total, term, value=0)
    return make("if", attacked, total, literal("number", 0), type="number")


def _with_cells(op: Op, cells: Op, royal: frozenset[int]) -> Op:
    """Return an expression with a set in the place of the royal pieces of `player`."""
    if _is_royal(op, royal):
        return cells
    return Op(op.name, op.type, tuple(_with_cells(arg, cells, royal) for arg in op.args), op.value)


def _is_royal(op: Op, royal: frozenset[int]) -> bool:
    """Return True for the set of all royal pieces of a kind of `player`."""
    if not has_role(op, "meet"):
        return False
    is_own = any(is_of_side(arg) and is_variable(arg.args[0], "player") for arg in op.args)
    kinds = [constant(arg.args[0]) for arg in op.args if is_of_kind(arg)]
    return is_own and len(op.args) == len(kinds) + 1 and any(kind in royal for kind in kinds)
