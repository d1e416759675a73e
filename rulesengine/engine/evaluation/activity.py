"""The activity of pieces: terms of the evaluation that king-relative tables take the place of.

These are attacks on the zone of a royal piece, and the steps of groups that select their cells by
the kind of the piece. Tables win no more games with them than without. See decisions 201 and 202.
"""

from functools import reduce

from rulesengine.engine.evaluation.heuristic import is_derived, values_pieces
from rulesengine.engine.evaluation.lone_pieces import LonePieces
from rulesengine.engine.evaluation.material import Material
from rulesengine.engine.evaluation.piece_mobility import (
    ReachedCells,
    mobility_terms,
    reached_cells,
    step_weights,
)
from rulesengine.engine.evaluation.royal_zone import attack_terms
from rulesengine.engine.interpreter import Interpreter
from rulesengine.language.ir.ops import Op, make


def derive_activity(machine: Interpreter, material: Material) -> Op | None:
    """Return the value of the activity of `player`; None if nothing is known of it."""
    if not _counts_activity(machine):
        return None
    weights = step_weights(machine, material, machine.derived(LonePieces))
    terms = [
        *mobility_terms(weights, cells_by_kind(machine, material)),
        *attack_terms(machine, material),
    ]
    return reduce(lambda left, right: make("add", left, right, value=0), terms) if terms else None


def cells_by_kind(machine: Interpreter, material: Material) -> ReachedCells:
    """Return the cells reached by groups that select them by the kind of the piece, by kind."""
    if not _counts_activity(machine):
        return {}
    weights = step_weights(machine, material, machine.derived(LonePieces))
    return reached_cells(machine, material, weights, by_kind=True)


def _counts_activity(machine: Interpreter) -> bool:
    """Return True if the evaluation is a heuristic with values of pieces."""
    return is_derived(machine.program.rules) and values_pieces(machine.program)
