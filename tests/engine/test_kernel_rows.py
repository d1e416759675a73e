"""Large boards in native code: drawn cells, and runs on all lines at once."""

import random

import pytest

from rulesengine.engine.kernel.backends.native import build
from rulesengine.engine.kernel.code.builder import Builder
from rulesengine.engine.kernel.code.form import Module, Runs
from tests.helpers.kernel_reference import Board, Machine, grid_board

BOARDS = (grid_board(10, 10), grid_board(26, 26), grid_board(3, 50), grid_board(64, 64))
ROUNDS = 200


def drawing(board: Board) -> Module:
    """Build a module that converts the cell of an index to a number, a set, and a place of runs."""
    b = Builder(board.cells, board.grid)
    with b.function("f", ["m", "i", "m", "m", "f"], ["m", "i"], entry=True) as args:
        cells, index, over, until, flag = args
        found, number = b.let(b.m(0)), b.let(b.i(-5))

        def runs() -> None:
            cell = b.op("mnth", cells, index)
            met = b.op("mbetween", cell, over, until, b.i(1), b.i(99), detail=board.rays)
            b.set(found, b.op("mor", met, b.op("mcell", cell)))
            b.set(number, cell)

        b.when(flag, runs, lambda: b.set(found, b.op("mpick", cells, index)))
        alone = b.op("mpick", cells, index)
        b.emit_return(
            b.op("mxor", b.get(found), b.op("mmove", alone, detail=board.steps)), b.get(number)
        )
    return b.module


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_the_cell_of_an_index_is_the_same_as_a_number_and_as_a_set(board: Board) -> None:
    module = drawing(board)
    machine, native, draw = Machine(module), build.native(module), random.Random(1)
    for _ in range(ROUNDS):
        cells, over, until = (draw.getrandbits(board.cells) for _ in range(3))
        cells = draw.choice((cells, cells & over & until, 1 << draw.randrange(board.cells))) or 1
        index = draw.choice((0, cells.bit_count() - 1, draw.randrange(cells.bit_count())))
        args = (cells, index, over, until, draw.random() < 0.5)
        assert native.call("f", args) == machine.call("f", args)


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_runs_stay_on_the_board(board: Board) -> None:
    b = Builder(board.cells, board.grid)
    with b.function("f", ["m", "m"], ["m", "i"], entry=True) as (over, until):
        found = b.op("mtoward", over, until, detail=Runs(board.rays, 1, None))
        b.emit_return(found, b.op("mcount", found))
    machine, native, draw = Machine(b.module), build.native(b.module), random.Random(2)
    full = 2**board.cells - 1
    for _ in range(ROUNDS // 10 if board.cells < 1_000 else 2):  # the reference is slow
        sets = [draw.getrandbits(board.cells) for _ in range(4)]
        few = sets[0] & sets[1] & sets[2]
        for ends in (few, sets[3], full ^ few):
            args = (full ^ ends, ends & (sets[0] | sets[1]))
            assert native.call("f", args) == machine.call("f", args)
