"""Bits for cells: numbers with gaps by which a direction is one shift."""

from typing import Any

import pytest

from rulesengine.board.shapes import make_board
from rulesengine.board.topology import Topology
from rulesengine.kernel.numbering import places

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
    """By which numbers each direction moves."""
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
