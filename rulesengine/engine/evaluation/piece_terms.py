"""The value of a side's pieces as an expression: a number for each kind, and piece-square tables.

A table is expressed by sets: bit i of the gains has the set of the cells whose gain, in units, has
this bit. The cells of a kind in that set count 2 to the i.
"""

from rulesengine.engine.evaluation.lone_pieces import LonePieces
from rulesengine.engine.evaluation.material import Material
from rulesengine.engine.evaluation.piece_mobility import (
    mobility_terms,
    reached_cells,
    step_weights,
)
from rulesengine.engine.evaluation.piece_squares import Table, piece_squares
from rulesengine.engine.evaluation.reserves import reserve_terms
from rulesengine.engine.interpreter import Interpreter
from rulesengine.language.ir.ops import Op, literal, make

_UNIT = 4  # the gains of tables are rounded to multiples


def material_terms(machine: Interpreter, material: Material) -> Op:
    """Return the value of the pieces of `player`, on the board and in hand."""
    return _sum([*_by_kind(material), *reserve_terms(machine, material)])


def _by_kind(material: Material) -> list[Op]:
    player, values = make("variable", value="player", type="side"), material.values
    if len(set(values)) == 1:
        return [_times(_count(make("owned", player)), values[0])]
    return [_times(_count(_pieces(kind, player)), value) for kind, value in enumerate(values)]


def piece_terms(machine: Interpreter, material: Material) -> Op:
    """Return the value of the pieces of `player`, and of the places of neutral ones."""
    program = machine.program
    sides, kinds = len(program.rules.players), range(len(program.rules.kinds))
    player, lone = make("variable", value="player", type="side"), machine.derived(LonePieces)
    tables = piece_squares(machine, material, lone)
    total = _by_kind(material)
    for kind in kinds:
        own = [tables[kind, side][side] if (kind, side) in tables else () for side in range(sides)]
        total += _table_terms(_pieces(kind, player), own)
        neutral = _pieces(kind, literal("side", sides))
        total += _table_terms(neutral, list(tables.get((kind, sides), ())))
    total += reserve_terms(machine, material)
    weights = step_weights(machine, material, lone)
    reached = reached_cells(machine, material, weights, by_kind=False)
    total += mobility_terms(weights, reached)
    return _sum(total)


def _sum(terms: list[Op]) -> Op:
    value, *rest = terms or [literal("number", 0)]
    for term in rest:
        value = make("add", value, term, value=0)
    return value


def _pieces(kind: int, owner: Op) -> Op:
    return make("and", make("owned", owner), make("of_kind", literal("kind", kind)))


def _table_terms(cells: Op, tables: list[Table]) -> list[Op]:
    """Return the gains of the pieces on some cells, by the tables of the sides."""
    gains = [gain for table in tables for gain in table]
    if not gains or min(gains) == max(gains):
        return []
    least, terms = min(gains), []
    for bit in range(((max(gains) - least) // _UNIT).bit_length()):
        masks = [_with_bit(table, least, bit) for table in tables]
        here = make("and", cells, _by_side([literal("cells", mask) for mask in masks]))
        terms.append(_times(_count(here), _UNIT << bit))
    return terms


def _with_bit(table: Table, least: int, bit: int) -> int:
    return sum(1 << cell for cell, gain in enumerate(table) if (gain - least) // _UNIT >> bit & 1)


def _by_side(sets: list[Op]) -> Op:
    return make("by_side", make("variable", value="player", type="side"), *sets, type="cells")


def _count(cells: Op) -> Op:
    return make("count", cells)


def _times(number: Op, factor: int) -> Op:
    return make("multiply", number, literal("number", factor), value=0)
