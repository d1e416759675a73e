"""Bits of cells: numbers with gaps that make each direction a single shift."""

from typing import Any

import pytest

from rulesengine.board.shapes import make_board
from rulesengine.board.topology import Topology
from rulesengine.engine.kernel.analysis.cell_numbering import grid, places

CROSS = [(r, c) for r in range(1, 8) for c in range(1, 8) if not (3 <= r <= 5 or 3 <= c <= 5)]
TRIANGLE = [(r, c) for r in range(1, 8) for c in range(1, 8) if r + c > 8]

GAPPED: dict[str, tuple[str, dict[str, Any]]] = {
    "a hole": ("rectangle", {"rows": 8, "columns": 8, "holes": [(3, 3)]}),
    "holes in the corners": ("rectangle", {"rows": 8, "columns": 8, "holes": [(1, 8), (8, 1)]}),
    "a cross": ("rectangle", {"rows": 7, "columns": 7, "holes": CROSS}),
    "from below": (
        "rectangle",
        {"rows": 5, "columns": 6, "holes": [(2, 2)], "origin": "bottom-right"},
    ),
    "a triangle": ("rhombus", {"rows": 7, "columns": 7, "holes": TRIANGLE}),
    "a hexagon": ("hexagon", {"size": 4}),
    "a ring of hexagons": ("hexagon", {"size": 4, "holes": [(4, 4)]}),
    "layers": ("box", {"layers": 3, "rows": 3, "columns": 4, "holes": [(2, 2), (5, 3)]}),
}
PLAIN: dict[str, tuple[str, dict[str, Any]]] = {
    "a rectangle": ("rectangle", {"rows": 7, "columns": 9}),
    "holes at both ends": ("rectangle", {"rows": 8, "columns": 8, "holes": [(1, 1), (8, 8)]}),
    "a torus": ("rectangle", {"rows": 6, "columns": 6, "wrap": "both"}),
    "a rhombus": ("rhombus", {"rows": 5, "columns": 5}),
    "whole layers": ("box", {"layers": 3, "rows": 3, "columns": 3}),
    "a graph": ("graph", {"cells": ["a", "b", "c"], "edges": [("a", "c")]}),
    "no room in a word": ("hexagon", {"size": 5}),
    "too many cells": ("rectangle", {"rows": 9, "columns": 9, "holes": [(5, 5)]}),
}


def differences(board: Topology, bits: tuple[int, ...]) -> list[set[int]]:
    """Return for each direction the set of shifts between a cell and its neighbour."""
    return [
        {bits[t] - bits[c] for c, t in enumerate(d.targets) if t >= 0} for d in board.directions
    ]


@pytest.mark.parametrize("name", GAPPED)
def test_every_direction_of_a_board_with_gaps_is_one_shift(name: str) -> None:
    board = make_board(*GAPPED[name])
    bits = places(board)
    assert bits is not None
    assert len(bits) == board.cells
    assert list(bits) == sorted(set(bits))
    assert set(bits) <= set(range(64))
    assert all(len(found) <= 1 for found in differences(board, bits))


@pytest.mark.parametrize("name", PLAIN)
def test_cells_keep_their_numbers_where_these_do_as_well_or_others_have_no_room(name: str) -> None:
    assert places(make_board(*PLAIN[name])) is None


def test_a_hole_in_a_torus_takes_no_more_shifts_than_the_torus() -> None:
    whole = make_board("rectangle", {"rows": 6, "columns": 8, "wrap": "both"})
    board = make_board("rectangle", {"rows": 6, "columns": 8, "wrap": "both", "holes": [(3, 3)]})
    bits = places(board)
    assert bits is not None
    counts = [len(found) for found in differences(board, bits)]
    assert counts == [len(found) for found in differences(whole, tuple(range(48)))]


def test_the_bits_of_a_rectangle_with_holes_are_the_numbers_of_the_rectangle() -> None:
    board = make_board("rectangle", {"rows": 3, "columns": 4, "holes": [(1, 1), (2, 3)]})
    assert places(board) == (0, 1, 2, 3, 4, 6, 7, 8, 9, 10)


LARGE: dict[str, tuple[str, dict[str, Any], tuple[int, int]]] = {
    "holes": ("rectangle", {"rows": 9, "columns": 9, "holes": [(1, 9), (5, 5)]}, (9, 9)),
    "a hexagon": ("hexagon", {"size": 6}, (11, 11)),
    "a triangle": (
        "rhombus",
        {
            "rows": 12,
            "columns": 12,
            "holes": [(r, c) for r in range(13) for c in range(14 - r, 13)],
        },
        (12, 12),
    ),
    "layers": ("box", {"layers": 5, "rows": 4, "columns": 4, "holes": [(2, 2), (5, 3)]}, (20, 4)),
}


@pytest.mark.parametrize("name", LARGE)
def test_every_direction_of_a_large_board_with_gaps_goes_by_rows_and_columns(name: str) -> None:
    shape, options, (rows, columns) = LARGE[name]
    board = make_board(shape, options)
    found = grid(board)
    assert found is not None
    assert found[0] == (rows, columns)
    bits = found[1]
    assert bits is not None
    assert list(bits) == sorted(set(bits))
    assert set(bits) <= set(range(rows * columns))
    pairs = [divmod(bit, columns) for bit in bits]
    for d in board.directions:
        steps = {
            (pairs[t][0] - pairs[c][0], pairs[t][1] - pairs[c][1])
            for c, t in enumerate(d.targets)
            if t >= 0
        }
        assert len(steps) == 1


def test_a_whole_rectangle_is_its_own_grid_and_small_boards_with_gaps_have_none() -> None:
    assert grid(make_board("rectangle", {"rows": 9, "columns": 12})) == ((9, 12), None)
    assert grid(make_board("rectangle", {"rows": 5, "columns": 6, "holes": [(2, 2)]})) is None
    assert grid(make_board("hexagon", {"size": 4})) is None
    cells = [f"c{i}" for i in range(70)]
    board = make_board(
        "graph",
        {"cells": cells, "edges": [("c0", "c9")], "screen": [(i % 7, i) for i in range(70)]},
    )
    assert grid(board) is None
