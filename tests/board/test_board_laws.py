from itertools import pairwise

import pytest
from hypothesis import given

from rulesengine.board.topology import Topology
from tests.helpers.board_examples import boards, rectangles, regular, unwrapped


@pytest.mark.slow
@given(boards())
def test_cells_are_numbered_in_reading_order(board: Topology) -> None:
    assert list(board.screen) == sorted(set(board.screen))


@pytest.mark.slow
@given(boards())
def test_names_and_coordinates_are_unique_and_read_back(board: Topology) -> None:
    everyone = list(range(board.cells))
    assert [board.cell(name) for name in board.names] == everyone
    assert [board.cell_at(row, column) for row, column in board.coordinates] == everyone


@pytest.mark.slow
@given(boards())
def test_adjacency_is_symmetric_and_excludes_the_cell_itself(board: Topology) -> None:
    for a in range(board.cells):
        assert not board.adjacency[a] >> a & 1
        assert not board.adjacency[a] & ~board.mask
        for b in range(board.cells):
            assert board.adjacency[a] >> b & 1 == board.adjacency[b] >> a & 1


@pytest.mark.slow
@given(regular())
def test_adjacency_is_the_union_of_the_directions(board: Topology) -> None:
    for cell in range(board.cells):
        reached = {direction.targets[cell] for direction in board.directions} - {-1, cell}
        assert board.adjacency[cell] == sum(1 << target for target in reached)


@pytest.mark.slow
@given(regular())
def test_opposite_directions_invert_each_other(board: Topology) -> None:
    for index, direction in enumerate(board.directions):
        back = board.directions[direction.opposite]
        assert back.opposite == index
        for cell, target in enumerate(direction.targets):
            assert target == -1 or back.targets[target] == cell


@pytest.mark.slow
@given(unwrapped())
def test_rays_are_symmetric_where_the_board_has_ends(board: Topology) -> None:
    for index, direction in enumerate(board.directions):
        for a in range(board.cells):
            for b in board.ray(a, index):
                assert a in board.ray(b, direction.opposite)


@pytest.mark.slow
@given(regular())
def test_a_ray_follows_its_direction_and_meets_no_cell_twice(board: Topology) -> None:
    for index, direction in enumerate(board.directions):
        for start in range(board.cells):
            path = (start, *board.ray(start, index))
            assert len(set(path)) == len(path)
            assert all(direction.targets[a] == b for a, b in pairwise(path))
            assert direction.targets[path[-1]] in (-1, start)


@pytest.mark.slow
@given(rectangles(wraps=("both",)))
def test_a_ray_on_a_torus_never_contains_its_start(board: Topology) -> None:
    for index in range(len(board.directions)):
        assert all(cell not in board.ray(cell, index) for cell in range(board.cells))


@pytest.mark.slow
@given(regular())
def test_lines_cover_every_cell_once_per_axis(board: Topology) -> None:
    axes = len(board.directions) // 2
    covered = sorted(cell for line in board.lines for cell in line)
    assert covered == sorted(axes * list(range(board.cells)))


@pytest.mark.slow
@given(regular())
def test_a_line_is_all_that_can_be_reached_both_ways_along_one_axis(board: Topology) -> None:
    axes = [(index, direction.opposite) for index, direction in enumerate(board.directions)]
    for line in board.lines:
        assert any(
            all({cell, *board.ray(cell, a), *board.ray(cell, b)} == set(line) for cell in line)
            for a, b in axes
        )


@pytest.mark.slow
@given(regular())
def test_a_line_is_cyclic_when_its_last_cell_leads_to_its_first(board: Topology) -> None:
    for line, cyclic in zip(board.lines, board.cyclic, strict=True):
        leads = [
            direction
            for direction in board.directions
            if all(direction.targets[a] == b for a, b in pairwise(line))
        ]
        assert leads
        if len(line) > 1:
            assert cyclic == any(d.targets[line[-1]] == line[0] for d in leads)
        else:
            assert not cyclic


@pytest.mark.slow
@given(regular())
def test_regions_are_sets_of_cells_and_corners_lie_on_the_edge(board: Topology) -> None:
    assert all(mask & ~board.mask == 0 for _, mask in board.regions)
    regions = dict(board.regions)
    corners, edge = regions.get("corners"), regions.get("edge")
    assert corners is None or (edge is not None and corners & ~edge == 0)
