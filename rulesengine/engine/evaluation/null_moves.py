"""Null moves: passes, even in games without them, that a search makes to test a position.

A null move changes the side to move alone. Registers that every move sets without reading them
describe the last move; they get their initial values.

Searches use null moves where a ban protects a royal piece, since there a side that may move is
rarely worse off (zugzwang). The side must have a piece that can step back, other than the royal
ones. Forced captures make zugzwang frequent; such games have no null moves.
"""

from rulesengine.engine.evaluation.lone_pieces import LonePieces
from rulesengine.engine.evaluation.material import Material, follows_captures
from rulesengine.engine.evaluation.royal_kinds import royal_kinds
from rulesengine.engine.evaluation.tactics import tactics_of
from rulesengine.engine.interpreter import Interpreter
from rulesengine.language.ir.ops import Op, literal, make, walk
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import has_role
from rulesengine.support.frozen import record

_SIDES = 2


@record
class NullMoves:
    """The null moves of a game.

    - `pieces` are the pieces of `player` that make zugzwang unlikely.
    - `resets` are the slots of the registers that describe the last move, with their new values.
    """

    pieces: Op
    resets: tuple[tuple[int, int], ...]


def derive_null_moves(machine: Interpreter, material: Material) -> NullMoves | None:
    """Return the null moves of a game; see `null_moves`."""
    rules, tactics = machine.program.rules, tactics_of(machine.program)
    if not follows_captures(material) or tactics.ban is None or tactics.forces:
        return None
    is_plain = rules.alternates and not rules.chance and not rules.outs
    if len(rules.players) != _SIDES or not is_plain or machine.program.form.swaps:
        return None
    kinds = _free_kinds(machine)
    if not kinds:
        return None
    free = make("or", *(make("of_kind", literal("kind", kind)) for kind in kinds))
    own = make("owned", make("variable", value="player", type="side"))
    return NullMoves(make("and", own, free), resets_of_null_moves(machine.program))


def _free_kinds(machine: Interpreter) -> list[int]:
    """Return the kinds that can step back, other than the royal ones."""
    rules, royal, lone = (
        machine.program.rules,
        royal_kinds(machine.program),
        machine.derived(LonePieces),
    )
    sides = range(len(rules.players))
    return [
        kind
        for kind, row in enumerate(rules.kinds)
        if kind not in royal
        and any(lone.of(kind, side, side).is_reversible for side in sides if row.symbols[side])
    ]


def resets_of_null_moves(program: Program) -> tuple[tuple[int, int], ...]:
    """Return the slots of the registers that every move sets without reading them, with values."""
    form = program.form
    resets = []
    for op in program.rules.effects:
        if has_role(op, "assignment") and isinstance(op.value, tuple) and len(op.args) == 1:
            name = op.value[0]
            is_read = any(
                has_role(inner, "register") and inner.value == name for inner in walk(op.args[0])
            )
            if not is_read and name in form.registers:
                slot = form.registers.index(name)
                if form.types[slot] != "cells":
                    resets.append((slot, form.starts[slot]))
    return tuple(resets)
