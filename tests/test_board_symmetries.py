from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesengine.board.shapes import box, graph, hexagon, rectangle, rhombus
from rulesengine.board.symmetries import image, symmetries
from rulesengine.board.topology import Topology
from tests.board_examples import boards


@pytest.mark.parametrize(
    ("make", "count"),
    [
        (lambda: rectangle(3, 3), 8),
        (lambda: rectangle(4, 4, origin="bottom-left"), 8),
        (lambda: rectangle(2, 4), 4),
        (lambda: rectangle(1, 3), 2),
        (lambda: rectangle(1, 1), 1),
        (lambda: rectangle(3, 3, wrap="both"), 8),
        (lambda: rectangle(3, 3, wrap="columns"), 4),
        (lambda: rectangle(2, 2, wrap="columns"), 4),
        (lambda: rectangle(3, 3, holes=[(2, 2)]), 8),
        (lambda: rectangle(3, 3, holes=[(1, 1)]), 2),
        (lambda: rectangle(3, 3, holes=[(1, 2)]), 2),
        (lambda: rectangle(3, 4, holes=[(1, 2)]), 1),
        (lambda: rhombus(3, 3), 4),
        (lambda: rhombus(2, 3), 2),
        (lambda: hexagon(1), 1),
        (lambda: hexagon(2), 12),
        (lambda: hexagon(5, origin="bottom-left"), 12),
        (lambda: box(2, 2, 2), 1),
        (lambda: graph(["x", "y"], [("x", "y")]), 1),
    ],
)
def test_a_board_has_as_many_symmetries_as_its_figure(
    make: Callable[[], Topology], count: int
) -> None:
    assert len(symmetries(make())) == count


def test_the_symmetries_of_three_by_three_are_turns_then_mirrorings() -> None:
    assert symmetries(rectangle(3, 3)) == (
        (0, 1, 2, 3, 4, 5, 6, 7, 8),
        (2, 5, 8, 1, 4, 7, 0, 3, 6),
        (8, 7, 6, 5, 4, 3, 2, 1, 0),
        (6, 3, 0, 7, 4, 1, 8, 5, 2),
        (2, 1, 0, 5, 4, 3, 8, 7, 6),
        (0, 3, 6, 1, 4, 7, 2, 5, 8),
        (6, 7, 8, 3, 4, 5, 0, 1, 2),
        (8, 5, 2, 7, 4, 1, 6, 3, 0),
    )


def test_a_hexagon_turns_by_a_sixth() -> None:
    assert symmetries(hexagon(2))[1] == (1, 4, 0, 3, 6, 2, 5)


def test_a_rhombus_turns_by_a_half_and_has_two_mirrors() -> None:
    assert set(symmetries(rhombus(2, 2))) == {
        (0, 1, 2, 3),
        (3, 2, 1, 0),
        (0, 2, 1, 3),
        (3, 1, 2, 0),
    }


def test_adjacency_along_some_directions_only_leaves_fewer_symmetries() -> None:
    assert len(symmetries(rectangle(3, 3).connected_by([1, 2, 5, 6]))) == 2


def test_three_colours_on_three_by_three_give_2862_patterns() -> None:
    # Burnside: (3^9 + 3^5 + 2 * 3^3 + 4 * 3^6) / 8.
    group = symmetries(rectangle(3, 3))
    patterns = {
        min(tuple(colours[cell] for cell in permutation) for permutation in group)
        for colours in product(range(3), repeat=9)
    }
    assert len(patterns) == 2862


def test_the_image_of_a_mask_is_where_its_cells_go() -> None:
    quarter = symmetries(rectangle(3, 3))[1]
    assert image(0b000_000_011, quarter) == 0b000_100_100
    assert image(0, quarter) == 0


@given(boards())
def test_the_identity_comes_first_and_all_are_different_permutations(board: Topology) -> None:
    group = symmetries(board)
    assert group[0] == tuple(range(board.cells))
    assert len(set(group)) == len(group)
    assert all(sorted(permutation) == list(group[0]) for permutation in group)


@given(boards())
def test_symmetries_keep_adjacency_and_directions(board: Topology) -> None:
    for permutation in symmetries(board):
        for cell in range(board.cells):
            there = permutation[cell]
            assert image(board.adjacency[cell], permutation) == board.adjacency[there]
            assert sorted(len(board.ray(cell, i)) for i in range(len(board.directions))) == sorted(
                len(board.ray(there, i)) for i in range(len(board.directions))
            )


@given(boards())
def test_two_symmetries_one_after_the_other_are_a_symmetry(board: Topology) -> None:
    group = set(symmetries(board))
    for first, second in product(group, repeat=2):
        assert tuple(second[first[cell]] for cell in range(board.cells)) in group


@given(boards(), st.data())
def test_the_image_of_a_mask_has_as_many_cells(board: Topology, data: st.DataObject) -> None:
    mask = data.draw(st.integers(0, board.mask))
    for permutation in symmetries(board):
        assert image(mask, permutation).bit_count() == mask.bit_count()
