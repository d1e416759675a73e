"""Rows of bounded lengths as kernel code: the existence test checks only their first cells."""

from itertools import product

import pytest

from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.engine.kernel.code.form import instructions
from rulesengine.language.ir.ops import Op, literal, make
from rulesengine.language.ir.program import Program
from rulesengine.loading import load_source
from rulesengine.support.frozen import replace
from rulesengine.support.source import Source
from tests.engine.test_emission import emitted, found_by, positions

SPEC = """
spec: 1
name: Rows
board: {board}
players: [one, two]
pieces: {{stone: {{one: x, two: o}}, empty: "."}}
rules:
  moves: {{place: stone, to: empty}}
  end: {{when: none(empty), result: draw}}
"""
BOARDS = {
    "open": "{rows: 5, columns: 6}",
    "wide": "{rows: 9, columns: 9}",
    "holes": "{rows: 5, columns: 6, holes: [b2, d3, d4, f1]}",
    "torus": "{rows: 4, columns: 5, wrap: both}",
    "cylinder": "{rows: 4, columns: 5, wrap: columns}",
    "graph": "{shape: graph, cells: a b c d e f g, edges: a-b-c-d-e b-f-g, lines: a-b-c-d-e b-f-g}",
    "hexagons": "{shape: hexagon, size: 4}",
    "torus of hexagons": "{shape: rhombus, rows: 4, columns: 5, wrap: both}",
}
LENGTHS = [(1, 1), (1, 2), (2, 2), (2, 3), (3, 3), (3, 5), (4, 4), (4, 9), (0, 2), (3, 2)]


def program_on(board: str) -> Program:
    text = SPEC.format(board=BOARDS[board])
    return load_source(Source("rows.yaml", text), engine="interpreter").program


def evaluated(low: int, high: int) -> Op:
    bounds = literal("number", low), literal("number", high)
    return make("any", make("line", make("owned", literal("side", 0)), *bounds))


@pytest.mark.parametrize("board", BOARDS)
def test_rows_of_bounded_lengths_are_found_wherever_they_are(board: str) -> None:
    program = program_on(board)
    machine, answers = Interpreter(program), set[bool]()
    for low, high in LENGTHS:
        op = evaluated(low, high)
        module, _ = emitted(program, op, 0)
        for state, cells in positions(program, 40):
            right = machine.value(op, Frame(state, {"player": 0, **cells}))
            assert found_by(module, op, program, state, cells) == right
            answers.add(bool(right))
    assert answers == {True, False}


def test_a_row_of_its_whole_ring_begins_nowhere_and_is_found() -> None:
    program = program_on("cylinder")
    machine = Interpreter(program)
    for low, high in product(range(1, 7), repeat=2):
        op = evaluated(low, high)
        module, _ = emitted(program, op, 0)
        for state, cells in positions(program, 1):
            ring = sum(
                1 << c for c, (row, _) in enumerate(program.topology.coordinates) if row == 2
            )
            full = replace(state, planes=(ring, *(0 for _ in state.planes[1:])))
            right = machine.value(op, Frame(full, {"player": 0, **cells}))
            assert found_by(module, op, program, full, cells) == right


def test_row_test_computes_only_first_cells() -> None:
    """Expect for five cells of one length per axis: three shifts for five, one for the sixth, one
    for the cell before.
    """
    module, _ = emitted(program_on("wide"), evaluated(5, 5), 0)
    moves = [i for i in instructions(module.functions["f"].body) if i.op == "mmove"]
    assert len(moves) == 4 * 5
