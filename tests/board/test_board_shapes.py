import pytest

from rulesengine.board.shapes import (
    SHAPES,
    box,
    graph,
    hexagon,
    make_board,
    rectangle,
    rhombus,
    staggered,
    triangle,
)
from rulesengine.board.topology import BoardError, Topology
from rulesengine.support.limits import MAX_CELLS


def cells(mask: int | None) -> set[int]:
    assert mask is not None
    return {i for i in range(mask.bit_length()) if mask >> i & 1}


def toward(board: Topology, cell: int) -> dict[str, int]:
    """Return the neighbours of a cell by the name of the direction."""
    return {d.name: d.targets[cell] for d in board.directions if d.targets[cell] >= 0}


def ray(board: Topology, cell: int, name: str) -> tuple[int, ...]:
    direction = board.direction(name)
    assert direction is not None
    return board.ray(cell, direction)


def windows(board: Topology, length: int) -> int:
    """Return the number of places for a row of that length."""
    return sum(max(0, len(line) - length + 1) for line in board.lines)


def test_the_directions_of_a_rectangle_go_clockwise_from_north() -> None:
    board = rectangle(3, 3)
    assert toward(board, 4) == {
        "north": 1,
        "northeast": 2,
        "east": 5,
        "southeast": 8,
        "south": 7,
        "southwest": 6,
        "west": 3,
        "northwest": 0,
    }
    assert list(toward(board, 4)) == [d.name for d in board.directions]
    assert toward(board, 0) == {"east": 1, "southeast": 4, "south": 3}


def test_a_rectangle_of_three_by_three_has_these_lines() -> None:
    board = rectangle(3, 3)
    across = ((0, 1, 2), (3, 4, 5), (6, 7, 8))
    falling = ((0, 4, 8), (1, 5), (2,), (3, 7), (6,))
    down = ((0, 3, 6), (1, 4, 7), (2, 5, 8))
    rising = ((0,), (1, 3), (2, 4, 6), (5, 7), (8,))
    assert board.lines == across + falling + down + rising
    assert not any(board.cyclic)


def test_a_rectangle_of_three_by_three_has_these_regions() -> None:
    board = rectangle(3, 3, origin="bottom-right")
    assert cells(dict(board.regions)["top"]) == {0, 1, 2}
    assert cells(dict(board.regions)["bottom"]) == {6, 7, 8}
    assert cells(dict(board.regions)["left"]) == {0, 3, 6}
    assert cells(dict(board.regions)["right"]) == {2, 5, 8}
    assert cells(dict(board.regions)["edge"]) == {0, 1, 2, 3, 5, 6, 7, 8}
    assert cells(dict(board.regions)["corners"]) == {0, 2, 6, 8}
    assert "middle" not in dict(board.regions)


def test_groups_of_directions_have_names() -> None:
    board = rectangle(2, 2)
    orthogonal = board.direction_set("orthogonal")
    diagonal = board.direction_set("diagonal")
    assert orthogonal is not None
    assert diagonal is not None
    assert [board.directions[i].name for i in orthogonal] == ["north", "east", "south", "west"]
    assert {board.directions[i].name for i in diagonal} == {
        "northeast",
        "southeast",
        "southwest",
        "northwest",
    }
    assert board.direction_set("all") == tuple(range(8))
    assert board.direction_set("forwards") is None
    assert board.direction("up") is None


@pytest.mark.parametrize(
    ("origin", "names"),
    [
        ("top-left", "a1 b1 c1 d1 a2 b2 c2 d2"),
        ("top-right", "d1 c1 b1 a1 d2 c2 b2 a2"),
        ("bottom-left", "a2 b2 c2 d2 a1 b1 c1 d1"),
        ("bottom-right", "d2 c2 b2 a2 d1 c1 b1 a1"),
    ],
)
def test_names_count_from_the_origin_while_north_stays_up(origin: str, names: str) -> None:
    board = rectangle(2, 4, origin=origin)
    assert " ".join(board.names) == names
    assert toward(board, 5)["north"] == 1
    assert board.cell_at(1, 1) == names.split().index("a1")
    assert board.cell("a3") is None
    assert board.cell_at(3, 1) is None


def test_labels_are_next_to_the_lines_and_columns_of_the_screen() -> None:
    board = rectangle(2, 4, origin="bottom-left")
    assert board.row_labels == ("2", "1")
    assert board.column_labels == ("a", "b", "c", "d")


def test_a_torus_of_three_by_three_joins_all_cells() -> None:
    board = rectangle(3, 3, wrap="both")
    assert [cells(near) for near in board.adjacency] == [set(range(9)) - {i} for i in range(9)]
    assert ray(board, 0, "north") == (6, 3)
    assert ray(board, 0, "west") == (2, 1)
    assert ray(board, 0, "northeast") == (7, 5)
    assert board.regions == ()


def test_the_lines_of_a_torus_of_three_by_three_all_close() -> None:
    board = rectangle(3, 3, wrap="both")
    across = ((0, 1, 2), (3, 4, 5), (6, 7, 8))
    falling = ((0, 4, 8), (1, 5, 6), (2, 3, 7))
    down = ((0, 3, 6), (1, 4, 7), (2, 5, 8))
    rising = ((0, 5, 7), (1, 3, 8), (2, 4, 6))
    assert board.lines == across + falling + down + rising
    assert board.cyclic == (True,) * 12


def test_a_diagonal_of_a_torus_goes_round_until_it_meets_its_start() -> None:
    board = rectangle(2, 4, wrap="both")
    assert ray(board, 0, "southeast") == (5, 2, 7)
    assert (0, 5, 2, 7) in board.lines


def test_wrapped_columns_make_a_cylinder() -> None:
    board = rectangle(2, 3, wrap="columns")
    assert ray(board, 0, "east") == (1, 2)
    assert ray(board, 0, "north") == ()
    assert ray(board, 3, "northwest") == (2,)
    assert [name for name, _ in board.regions] == ["top", "bottom", "edge"]
    assert dict(zip(board.lines, board.cyclic, strict=True))[0, 1, 2]
    assert not dict(zip(board.lines, board.cyclic, strict=True))[0, 3]


def test_wrapped_rows_join_top_and_bottom() -> None:
    board = rectangle(3, 2, wrap="rows")
    assert ray(board, 0, "north") == (4, 2)
    assert ray(board, 0, "west") == ()
    assert [name for name, _ in board.regions] == ["left", "right", "edge"]


def test_a_cell_that_wraps_onto_itself_has_no_ray_and_is_no_neighbour() -> None:
    board = rectangle(1, 3, wrap="rows")
    assert toward(board, 1)["north"] == 1
    assert ray(board, 1, "north") == ()
    assert cells(board.adjacency[1]) == {0, 2}
    assert (1,) in board.lines
    assert not any(board.cyclic)


def test_a_hole_has_no_number_and_stops_rays() -> None:
    board = rectangle(3, 3, holes=[(2, 2)])
    assert board.cells == 8
    assert board.names == ("a1", "b1", "c1", "a2", "c2", "a3", "b3", "c3")
    assert ray(board, 0, "southeast") == ()
    assert ray(board, 3, "east") == ()
    assert ray(board, 0, "east") == (1, 2)
    assert board.mask == 0b11111111


def test_holes_are_counted_from_the_origin() -> None:
    board = rectangle(2, 2, origin="bottom-left", holes=[(1, 1)])
    assert board.screen == ((0, 0), (0, 1), (1, 1))
    assert board.row_labels == ("2", "1")


def test_a_hole_opens_a_closed_line() -> None:
    board = rectangle(1, 4, wrap="columns", holes=[(1, 3)])
    assert board.names == ("a1", "b1", "d1")
    assert ray(board, 2, "east") == (0, 1)
    assert (2, 0, 1) in board.lines
    assert not any(board.cyclic)


@pytest.mark.parametrize(("rows", "columns", "length", "count"), [(6, 7, 4, 69), (15, 15, 5, 572)])
def test_rows_of_a_length_fit_as_often_as_counting_says(
    rows: int, columns: int, length: int, count: int
) -> None:
    # 69 fours on 6 by 7: 6 * 4 across, 3 * 7 down and 2 * 3 * 4 oblique.
    # 572 fives on 15 by 15: 2 * 15 * 11 straight and 2 * 11 * 11 oblique.
    assert windows(rectangle(rows, columns), length) == count


def test_cells_may_be_adjacent_along_some_directions_only() -> None:
    board = rectangle(3, 3)
    orthogonal = board.direction_set("orthogonal")
    assert orthogonal is not None
    assert cells(board.connected_by(orthogonal).adjacency[4]) == {1, 3, 5, 7}
    one_way = board.connected_by([2])
    assert cells(one_way.adjacency[4]) == {3, 5}
    assert one_way.lines == board.lines


def test_a_rhombus_of_two_by_three_leans_to_the_right() -> None:
    board = rhombus(2, 3)
    assert board.indents == (0, 1)
    assert toward(board, 1) == {"east": 2, "southeast": 4, "southwest": 3, "west": 0}
    assert toward(board, 4) == {"northeast": 2, "east": 5, "west": 3, "northwest": 1}
    across, falling = ((0, 1, 2), (3, 4, 5)), ((0, 3), (1, 4), (2, 5))
    assert board.lines == (*across, *falling, (0,), (1, 3), (2, 4), (5,))
    assert cells(dict(board.regions)["left"]) == {0, 3}
    assert cells(dict(board.regions)["right"]) == {2, 5}
    assert rhombus(2, 3, origin="bottom-left").names == ("a2", "b2", "c2", "a1", "b1", "c1")


def test_a_rhombus_has_two_sharp_and_two_blunt_corners() -> None:
    board = rhombus(11, 11)
    corners = sorted(cells(dict(board.regions)["corners"]))
    assert [board.adjacency[cell].bit_count() for cell in corners] == [2, 3, 3, 2]
    assert board.adjacency[60].bit_count() == 6


def test_every_cell_of_a_wrapped_rhombus_has_six_neighbours() -> None:
    board = rhombus(3, 4, wrap="both")
    assert {mask.bit_count() for mask in board.adjacency} == {6}
    assert toward(board, 0) == {
        "northeast": 9,
        "east": 1,
        "southeast": 4,
        "southwest": 7,
        "west": 3,
        "northwest": 8,
    }
    assert ray(board, 0, "northeast") == (9, 6, 3, 8, 5, 2, 11, 4, 1, 10, 7)
    assert board.regions == ()
    assert all(board.cyclic)


def test_wrapped_columns_of_a_rhombus_leave_its_upper_and_lower_sides() -> None:
    board = rhombus(2, 3, wrap="columns")
    assert toward(board, 0) == {"east": 1, "southeast": 3, "southwest": 5, "west": 2}
    assert [name for name, _ in board.regions] == ["top", "bottom", "edge"]


def test_a_hexagon_of_size_two_is_a_ring_around_a_cell() -> None:
    board = hexagon(2)
    assert board.screen == ((0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1))
    assert board.indents == (1, 0, 1)
    assert toward(board, 3) == {
        "northeast": 1,
        "east": 4,
        "southeast": 6,
        "southwest": 5,
        "west": 2,
        "northwest": 0,
    }
    assert toward(board, 0) == {"east": 1, "southeast": 3, "southwest": 2}
    assert ray(board, 5, "northeast") == (3, 1)
    across, falling = ((0, 1), (2, 3, 4), (5, 6)), ((0, 3, 6), (1, 4), (2, 5))
    assert board.lines == (*across, *falling, (0, 2), (1, 3, 5), (4, 6))


def test_a_hexagon_has_six_sides() -> None:
    board = hexagon(2)
    assert {name: cells(mask) for name, mask in board.regions} == {
        "top": {0, 1},
        "bottom": {5, 6},
        "lower_left": {2, 5},
        "upper_right": {1, 4},
        "upper_left": {0, 2},
        "lower_right": {4, 6},
        "edge": {0, 1, 2, 4, 5, 6},
        "corners": {0, 1, 2, 4, 5, 6},
    }
    assert cells(dict(hexagon(3).regions)["corners"]) == {0, 2, 7, 11, 16, 18}


def test_a_triangle_of_size_three_has_its_longest_row_at_the_bottom() -> None:
    board = triangle(3)
    assert board.indents == (2, 1, 0)
    assert [cell for cell, (line, _) in enumerate(board.screen) if line == 2] == [3, 4, 5]
    assert toward(board, 0) == {"southeast": 2, "southwest": 1}
    assert toward(board, 4) == {"northeast": 2, "east": 5, "west": 3, "northwest": 1}
    assert ray(board, 3, "northeast") == (1, 0)
    assert ray(board, 5, "northwest") == (2, 0)
    assert board.adjacency[2] == 0b110011


def test_a_triangle_has_three_sides_and_three_corners() -> None:
    regions = {name: cells(mask) for name, mask in triangle(3).regions}
    assert regions["left"] == {0, 1, 3}
    assert regions["right"] == {0, 2, 5}
    assert regions["bottom"] == {3, 4, 5}
    assert regions["edge"] == {0, 1, 2, 3, 4, 5}
    assert regions["corners"] == {0, 3, 5}
    assert list(regions) == ["left", "right", "bottom", "edge", "corners"]
    assert cells(dict(triangle(4).regions)["edge"]) == set(range(10)) - {4}


@pytest.mark.parametrize(
    ("origin", "names"),
    [
        ("top-left", "a1 a2 b2 a3 b3 c3"),
        ("top-right", "a1 b2 a2 c3 b3 a3"),
        ("bottom-left", "a3 a2 b2 a1 b1 c1"),
        ("bottom-right", "a3 b2 a2 c1 b1 a1"),
    ],
)
def test_columns_of_a_triangle_lie_along_the_side_of_the_origin(origin: str, names: str) -> None:
    board = triangle(3, origin=origin)
    assert " ".join(board.names) == names
    side = "left" if origin.endswith("left") else "right"
    first = [cell for cell, name in enumerate(board.names) if name[0] == "a"]
    assert set(first) == cells(dict(board.regions)[side])


def test_staggered_rows_stand_half_a_cell_to_the_right_by_turns() -> None:
    even, odd = staggered(3, 3), staggered(3, 3, stagger="odd")
    assert (even.indents, odd.indents) == ((0, 1, 0), (1, 0, 1))
    everywhere = dict(zip("northeast east southeast southwest west northwest".split(),
                          (2, 5, 8, 7, 3, 1), strict=True))  # fmt: skip
    assert toward(even, 4) == everywhere
    assert toward(odd, 4) == everywhere | {
        "northeast": 1, "southeast": 7, "southwest": 6, "northwest": 0
    }  # fmt: skip
    assert toward(even, 0) == {"east": 1, "southeast": 3}
    assert toward(odd, 0) == {"east": 1, "southeast": 4, "southwest": 3}


def test_lines_of_a_staggered_board_go_on_from_row_to_row() -> None:
    board = staggered(4, 3)
    assert ray(board, 0, "southeast") == (3, 7, 10)
    assert ray(board, 2, "southwest") == (4, 7, 9)
    # Four rows; down to the right from the top row and the third, to the left from three rows.
    assert len(board.lines) == 4 + 4 + 5
    assert cells(dict(board.regions)["left"]) == {0, 3, 6, 9}
    assert cells(dict(board.regions)["corners"]) == {0, 2, 9, 11}


@pytest.mark.parametrize(
    ("origin", "names"),
    [
        ("top-left", "a1 b1 a2 b2 c2 b3 c3"),
        ("bottom-left", "b3 c3 a2 b2 c2 a1 b1"),
        ("top-right", "b1 a1 c2 b2 a2 c3 b3"),
        ("bottom-right", "c3 b3 c2 b2 a2 b1 a1"),
    ],
)
def test_columns_of_a_hexagon_start_in_the_row_of_the_origin(origin: str, names: str) -> None:
    assert " ".join(hexagon(2, origin=origin).names) == names


def test_a_column_of_a_hexagon_is_a_straight_line() -> None:
    board = hexagon(4, origin="bottom-left")
    column = tuple(i for i, (_, c) in enumerate(board.coordinates) if c == 3)
    assert column in board.lines


def test_a_box_of_two_in_each_way_joins_all_cells() -> None:
    board = box(2, 2, 2)
    assert [near.bit_count() for near in board.adjacency] == [7] * 8
    assert board.screen == ((0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (3, 1))
    assert toward(board, 4) == {
        "east": 5,
        "southeast": 7,
        "south": 6,
        "up": 0,
        "up_east": 1,
        "up_southeast": 3,
        "up_south": 2,
    }
    assert len({direction.name for direction in board.directions}) == 26


def test_the_sides_of_a_box_are_regions() -> None:
    board = box(2, 2, 3)
    assert cells(dict(board.regions)["top"]) == {0, 1, 2, 3, 4, 5}
    assert cells(dict(board.regions)["front"]) == {3, 4, 5, 9, 10, 11}
    assert cells(dict(board.regions)["left"]) == {0, 3, 6, 9}
    assert cells(dict(board.regions)["corners"]) == {0, 2, 3, 5, 6, 8, 9, 11}
    assert dict(board.regions)["edge"] == board.mask


def test_a_box_names_its_groups_by_the_number_of_axes() -> None:
    sets = {name: len(indices) for name, indices in box(1, 1, 1).direction_sets}
    assert sets == {"orthogonal": 6, "diagonal": 20, "all": 26}


@pytest.mark.parametrize(("size", "count"), [(3, 49), (4, 76)])
def test_full_lines_of_a_cube_are_as_many_as_the_formula_says(size: int, count: int) -> None:
    # ((n + 2)^3 - n^3) / 2: a line goes on to two cells of the shell around the cube.
    assert windows(box(size, size, size), size) == count


def test_a_graph_keeps_its_cells_and_lines_as_listed() -> None:
    board = graph(["hub", "x", "y", "z"], [("x", "hub"), ("hub", "y")], [("y", "hub", "x")])
    assert [cells(near) for near in board.adjacency] == [{1, 2}, {0}, {0}, set()]
    assert board.lines == ((2, 0, 1),)
    assert board.cyclic == (False,)
    assert board.coordinates == ((1, 1), (1, 2), (1, 3), (1, 4))
    assert board.cell("y") == 2
    assert board.directions == ()


def test_a_listed_line_that_comes_back_is_cyclic() -> None:
    board = graph(["x", "y", "z"], [], [("x", "y", "z", "x"), ("x", "y")])
    assert board.lines == ((0, 1, 2), (0, 1))
    assert board.cyclic == (True, False)


def test_a_graph_may_be_placed_on_the_screen() -> None:
    board = graph(["x", "y"], [("x", "y")], screen=[(0, 3), (2, 0)])
    assert board.screen == ((0, 3), (2, 0))
    assert len(board.row_labels) == 3
    assert len(board.column_labels) == 4


@pytest.mark.parametrize(
    ("shape", "options", "message"),
    [
        ("rectangle", {"rows": 0, "columns": 3}, "`rows` must be at least 1, found 0"),
        ("rectangle", {"rows": 3, "columns": -1}, "`columns` must be at least 1, found -1"),
        ("rectangle", {"rows": 65, "columns": 64}, "at most 4096 cells, found 4160"),
        ("rectangle", {"rows": 2, "columns": 2, "wrap": "all"}, "`wrap` must be one of none"),
        ("rectangle", {"rows": 2, "columns": 2, "origin": "centre"}, "`origin` must be one of"),
        ("rectangle", {"rows": 1, "columns": 1, "holes": [(1, 2)]}, "row 1, column 2 is off"),
        ("rectangle", {"rows": 1, "columns": 1, "holes": [(1, 1)]}, "has no cells"),
        ("rectangle", {"rows": 2}, "a rectangle needs `columns`"),
        ("rhombus", {"rows": 10**9, "columns": 10**9}, "at most 4096 cells"),
        ("hexagon", {"size": 0}, "`size` must be at least 1"),
        ("hexagon", {"size": 38}, "at most 4096 cells, found 4219"),
        ("hexagon", {"size": 2, "rows": 3}, "a hexagon takes no `rows`"),
        ("triangle", {"size": 0}, "`size` must be at least 1"),
        ("triangle", {"size": 91}, "at most 4096 cells, found 4186"),
        ("triangle", {"size": 3, "stagger": "odd"}, "a triangle takes no `stagger`"),
        ("mesh", {"rows": 2, "columns": 0}, "`columns` must be at least 1"),
        ("staggered", {"rows": 0, "columns": 3}, "`rows` must be at least 1"),
        ("staggered", {"rows": 2, "columns": 3, "stagger": "left"}, "must be one of even, odd"),
        ("box", {"layers": 17, "rows": 16, "columns": 16}, "at most 4096 cells, found 4352"),
        ("box", {"layers": 0, "rows": 1, "columns": 1}, "`layers` must be at least 1"),
        ("sphere", {}, "found `sphere`"),
        ("graph", {"cells": [], "edges": []}, "has no cells"),
        ("graph", {"cells": ["x", "x"], "edges": []}, "two cells are named `x`"),
        ("graph", {"cells": ["x y"], "edges": []}, "one word"),
        ("graph", {"cells": ["x"], "edges": [("x", "y")]}, "no cell is named `y`"),
        ("graph", {"cells": ["x"], "edges": [("x", "x")]}, "joins two cells, found `x-x`"),
        ("graph", {"cells": ["x"], "edges": [("x",)]}, "joins two cells, found `x`"),
        (
            "graph",
            {"cells": ["x", "y"], "edges": [], "lines": [("x", "x")]},
            "line `x-x` meets a cell twice",
        ),
        ("graph", {"cells": ["x"], "edges": [], "lines": [()]}, "a line has no cells"),
        ("graph", {"cells": ["x", "y"], "edges": [], "screen": [(0, 0)]}, "place of its own"),
    ],
)
def test_an_impossible_board_says_why(shape: str, options: dict[str, object], message: str) -> None:
    with pytest.raises(BoardError) as caught:
        make_board(shape, options)
    assert message in str(caught.value)


@pytest.mark.slow
def test_the_largest_boards_can_be_made() -> None:
    assert rectangle(64, 64).cells == MAX_CELLS
    assert rectangle(63, 65).cells == MAX_CELLS - 1
    assert hexagon(37).cells == 3997


def test_every_shape_is_made_by_its_word() -> None:
    sizes = {"rows": 2, "columns": 3, "layers": 2, "size": 2, "cells": ["x", "y"], "edges": ["xy"]}
    for word, shape in SHAPES.items():
        board = make_board(word, {option: sizes[option] for option in shape.needs})
        assert board.shape == word
