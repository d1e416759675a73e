"""Decomposition of a position into a sum, where pieces only move onto adjacent pieces.

Components of pieces that no steps link never interact again. A move changes one of them, and the
result follows from all of them (Conway, 1976). So two positions are equivalent if their components
are equal up to translation, rotation and reflection, provided that steps lead on likewise.
Coordinates in the plane decide that: each step must be the same vector from all cells, and exist
from each cell that has a neighbour on the board by that vector. Then a component may be translated,
and transformed by each linear map that permutes the step vectors. `drivers/search/component_key.py`
computes keys of components from these coordinates.
"""

from itertools import combinations, permutations

from rulesengine.engine.drivers.search.layout import MOST_IMAGES
from rulesengine.engine.kernel.analysis.board_tables import cells_of
from rulesengine.engine.kernel.analysis.optional_results import Components
from rulesengine.engine.kernel.passes.adjacent_captures import capture_groups, captures_all_alike
from rulesengine.language.ir.ops import literal, make
from rulesengine.language.ir.program import Program

_ONE_WORD = 64  # cells of the largest supported board

Point = tuple[int, int]
Map = tuple[Point, Point]


def components_of(program: Program) -> Components | None:
    """Analyse a program; None for other rules, and for a board that is no part of a lattice."""
    groups, board = capture_groups(program), program.topology
    if not groups or board.cells > _ONE_WORD:
        return None
    if not all(captures_all_alike(program, group) for group in groups):
        return None
    directions = 0
    for group in groups:
        assert group.along is not None
        assert isinstance(group.along.value, int)
        directions |= group.along.value
    steps = [board.directions[way].targets for way in cells_of(directions)]
    vectors = vectors_of(board.coordinates, steps)
    if vectors is None:
        return None
    adjacency = [0] * board.cells
    for targets in steps:
        for cell, end in enumerate(targets):
            if end >= 0:
                adjacency[cell] |= 1 << end
                adjacency[end] |= 1 << cell
    maps = _maps(vectors)[:MOST_IMAGES]
    places = [[_apply(point, way) for point in board.coordinates] for way in maps]
    one, other = (make("owned", literal("side", side)) for side in (0, 1))
    return Components((one, other), tuple(adjacency), tuple(_number_cells(places)))


def vectors_of(places: tuple[Point, ...], steps: list[tuple[int, ...]]) -> set[Point] | None:
    """Return the vectors of steps; None if a step is not the same everywhere."""
    distinct, on_board = set(), set(places)
    for targets in steps:
        vectors = {
            _difference(places[end], places[cell]) for cell, end in enumerate(targets) if end >= 0
        }
        if len(vectors) != 1:
            if vectors:
                return None
            continue
        (vector,) = vectors
        for cell, end in enumerate(targets):
            row, column = places[cell]
            if end < 0 and (row + vector[0], column + vector[1]) in on_board:
                return None
        distinct.add(vector)
    return distinct


def _maps(vectors: set[Point]) -> list[Map]:
    """Return the linear maps that permute the step vectors, scaled alike, the identity first."""
    bases = [pair for pair in combinations(sorted(vectors), 2) if _determinant(*pair)]
    if not bases:
        return [((1, 0), (0, 1))]
    one, other = min(bases, key=lambda pair: abs(_determinant(*pair)))
    area = _determinant(one, other)
    maps = []
    for image in permutations(sorted(vectors), 2):
        # The columns of the map times `area`, from its values at both basis vectors.
        (a, b), (c, d) = one, other
        (e, f), (g, h) = image
        rows = ((e * d - g * b, g * a - e * c), (f * d - h * b, h * a - f * c))
        scaled = {(area * row, area * column) for row, column in vectors}
        if {_apply(vector, rows) for vector in vectors} == scaled:
            maps.append(rows)
    same = ((area, 0), (0, area))
    return sorted(maps, key=lambda rows: rows != same)


def _number_cells(images: list[list[Point]]) -> list[tuple[int, ...]]:
    """Number the points such that a difference of numbers determines a difference of points."""
    columns = [column for places in images for _, column in places]
    width = 2 * (max(columns) - min(columns)) + 1
    return [tuple(row * width + column for row, column in places) for places in images]


def _apply(point: Point, matrix: Map) -> Point:
    (a, b), (c, d) = matrix
    row, column = point
    return a * row + b * column, c * row + d * column


def _difference(one: Point, other: Point) -> Point:
    return one[0] - other[0], one[1] - other[1]


def _determinant(one: Point, other: Point) -> int:
    return one[0] * other[1] - one[1] * other[0]
