"""Forms of tiles, counted against published numbers of polyominoes and polyhexes."""

import pytest

from rulesengine.board.lattice import HEXAGONAL, SQUARE
from rulesengine.board.tiles import TileError, forms_of, read_tile

# The neighbours of a cell by edges: on squares, and on hexagons in the rows of a rhombus.
SQUARES = ((-1, 0), (0, 1), (1, 0), (0, -1))
HEXAGONS = (*SQUARES, (-1, 1), (1, -1))
Cells = tuple[tuple[int, int], ...]


def fixed_animals(size: int, neighbours: Cells) -> set[Cells]:
    """Return the connected sets of so many cells, except for their place."""
    found: set[Cells] = {((0, 0),)}
    for _ in range(size - 1):
        grown = set()
        for cells in found:
            for row, column in cells:
                more = {(row + down, column + right) for down, right in neighbours} - {*cells}
                grown |= {at_origin((*cells, cell)) for cell in more}
        found = grown
    return found


def at_origin(cells: Cells) -> Cells:
    row, column = min(cells)
    return tuple(sorted((r - row, c - column) for r, c in cells))


@pytest.mark.parametrize(
    ("shape", "neighbours", "fixed", "free"),
    [
        # OEIS A001168 and A000105, polyominoes.
        ("rectangle", SQUARES, [1, 2, 6, 19, 63], [1, 1, 2, 5, 12]),
        # OEIS A001207 and A000228, polyhexes.
        ("hexagon", HEXAGONS, [1, 3, 11, 44, 186], [1, 1, 3, 7, 22]),
    ],
)
def test_forms_are_as_many_as_published(
    shape: str, neighbours: Cells, fixed: list[int], free: list[int]
) -> None:
    for size, (number, different) in enumerate(zip(fixed, free, strict=True), start=1):
        animals = fixed_animals(size, neighbours)
        orbits = {frozenset(f.places for f in forms_of(cells, shape)) for cells in animals}
        assert len(animals) == number
        assert len(orbits) == different
        assert sum(map(len, orbits)) == number
        assert set().union(*orbits) == animals


def test_forms_are_turned_clockwise_then_mirrored() -> None:
    forms = {form.number: form.places for form in forms_of(read_tile(["#..", "###"]), "rectangle")}
    # Turned once the short arm is at the top on the right; mirrored it is at the right end.
    assert forms[1] == ((0, 0), (1, 0), (1, 1), (1, 2))
    assert forms[2] == ((0, 0), (0, 1), (1, 0), (2, 0))
    assert forms[5] == ((0, 0), (1, -2), (1, -1), (1, 0))
    assert [*forms] == [1, 2, 3, 4, 5, 6, 7, 8]
    bar = forms_of(read_tile(["##"]), "hexagon")
    # East, then to the lower right, then to the lower left.
    assert [form.places[1] for form in bar] == [(0, 1), (1, 0), (1, -1)]


def test_steps_and_paths_lead_to_the_cells_of_the_form() -> None:
    for shape, lattice in (("rectangle", SQUARE), ("hexagon", HEXAGONAL)):
        for form in forms_of(read_tile(["##..", ".##.", "..##"]), shape):
            places = [(0, 0)]
            for start, way in form.steps:
                places.append(moved(places[start], lattice.steps[way][1]))
            assert sorted(places) == [*form.places]
            for place, path in zip(form.places, form.paths, strict=True):
                end = (0, 0)
                for way in path:
                    end = moved(end, lattice.steps[way][1])
                assert end == place


def moved(place: tuple[int, int], step: tuple[int, ...]) -> tuple[int, int]:
    return place[0] + step[0], place[1] + step[1]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["#x"], "found `x`"),
        (["..", "."], "at least one cell"),
        (["#.#"], "connected"),
    ],
)
def test_other_drawings_are_refused(rows: list[str], message: str) -> None:
    with pytest.raises(TileError, match=message):
        forms_of(read_tile(rows), "rectangle")


def test_cells_may_be_connected_by_a_corner() -> None:
    assert [form.number for form in forms_of(read_tile(["#.", ".#"]), "rectangle")] == [1, 2]
