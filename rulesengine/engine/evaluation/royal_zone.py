"""King safety as an expression: attacks on the zone of an opposing royal piece.

The zone has the royal pieces and the cells next to them. Each of its cells that the pieces of a
kind reach counts units by the value of the kind. The term grows with the square of the units, so
that two attackers count more than twice one (attack units). See decision 201.
"""

from collections.abc import Iterable, Iterator
from functools import reduce

from rulesengine.engine.evaluation.heuristic import is_derived, values_pieces
from rulesengine.engine.evaluation.lone_pieces import LonePieces
from rulesengine.engine.evaluation.material import Material
from rulesengine.engine.evaluation.piece_mobility import ReachedCells, reached_cells, step_weights
from rulesengine.engine.evaluation.royal_kinds import royal_kinds
from rulesengine.engine.interpreter import Interpreter
from rulesengine.language.ir.ops import Op, literal, make
from rulesengine.language.ir.program import Program

_UNIT = 170  # the value of a kind for each unit
DIVISOR = 20  # of the square of the units


def attack_terms(machine: Interpreter, material: Material) -> Iterator[Op]:
    """Yield the value of the attacks of `player`, if there are royal pieces and known steps."""
    reached = _attacking(machine, material)
    if not reached:
        return
    zone, units = _zone(machine.program), attack_units(machine, material)
    total = _sum(
        make("multiply", _cells_in(zone, sets), literal("number", units[kind]), value=0)
        for kind, sets in reached.items()
    )
    square = make("multiply", total, total, value=0)
    yield make("divide", square, literal("number", DIVISOR), value=0)


def attack_units(machine: Interpreter, material: Material) -> dict[int, int]:
    """Return the units of an attacked cell, by the kind of the attacking pieces."""
    kinds, half = _attacking(machine, material), _UNIT // 2
    return {kind: max(1, (material.values[kind] + half) // _UNIT) for kind in kinds}


def _attacking(machine: Interpreter, material: Material) -> ReachedCells:
    """Return the cells that attacking pieces reach, by kind; empty without royal pieces.

    It is empty under misère rules too, where the side that loses its royal piece wins.
    """
    program = machine.program
    counts = is_derived(program.rules) and values_pieces(program) and not program.rules.misere
    if not counts or not royal_kinds(program):
        return {}
    return reached_cells(
        machine, material, step_weights(machine, material, machine.derived(LonePieces))
    )


def _zone(program: Program) -> Op:
    """Return the opposing royal pieces of `player`, and the cells next to them."""
    sides, royal = range(len(program.rules.players)), sorted(royal_kinds(program))
    pieces = [
        _union(_pieces(kind, other) for other in sides if other != side for kind in royal)
        for side in sides
    ]
    player = make("variable", value="player", type="side")
    zones = [make("or", cells, make("neighbours", cells)) for cells in pieces]
    return make("by_side", player, *zones, type="cells")


def _pieces(kind: int, side: int) -> Op:
    owned = make("owned", literal("side", side))
    return make("and", owned, make("of_kind", literal("kind", kind)))


def _cells_in(zone: Op, sets: Iterable[Op]) -> Op:
    return make("count", make("and", _union(sets), zone))


def _union(sets: Iterable[Op]) -> Op:
    return reduce(lambda left, right: make("or", left, right), sets)


def _sum(numbers: Iterable[Op]) -> Op:
    return reduce(lambda left, right: make("add", left, right, value=0), numbers)
