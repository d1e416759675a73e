"""The board of a spec for one set of parameter values."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from rulesengine.board.coordinates import CellNames
from rulesengine.board.geometry import bits
from rulesengine.board.joins import with_joins
from rulesengine.board.shapes import SHAPES, make_board
from rulesengine.board.topology import BoardError, Topology
from rulesengine.language.ir.constants import NotConstant, number
from rulesengine.language.ir.drawn_sets import drawn_cells
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.roles import has_role
from rulesengine.language.ir.rules import BoardForm, Notation
from rulesengine.language.ir.static_values import StaticEvaluator
from rulesengine.support.frozen import replace

# boards: a check lays a spec out more than once, and an editor repeats it after each change
_KEPT = 4


def lay_out(form: BoardForm, notation: Notation, parameters: Mapping[str, int | str]) -> Topology:
    """Build the topology; raises BoardError for an impossible board."""
    options = _options(form, notation, parameters)
    board = _connected(form, _board(form.shape, options))
    missing = _missing(form, board, parameters)
    if len(missing) == board.cells:
        raise BoardError("the board has no cells, all of them are holes", "holes")
    if missing:
        holes = tuple(board.coordinates[cell] for cell in missing)
        board = _connected(form, _board(form.shape, {**options, "holes": holes}))
    drawn = ((name, drawn_cells(board, rows, "regions", name)) for name, rows in form.regions)
    board = replace(board, regions=(*board.regions, *drawn))
    return with_joins(board, form.joins) if form.joins else board


def with_named_holes(
    form: BoardForm, notation: Notation, parameters: Mapping[str, int | str]
) -> BoardForm:
    """Return the same board form with each missing cell named; raises as `lay_out` does."""
    if form.missing is None and not form.hole_map:
        return form
    full_board = _connected(form, _board(form.shape, _options(form, notation, parameters)))
    names = tuple(full_board.names[cell] for cell in _missing(form, full_board, parameters))
    return replace(form, holes=names, hole_map=(), missing=None)


def _board(shape: str, options: Mapping[str, Any]) -> Topology:
    return _kept_board(shape, tuple(options.items()))


@lru_cache(_KEPT)
def _kept_board(shape: str, options: tuple[tuple[str, Any], ...]) -> Topology:
    return make_board(shape, dict(options))


def _connected(form: BoardForm, board: Topology) -> Topology:
    """Return the board with the adjacency of the form."""
    if form.adjacency is None:
        return board
    return board.connected_by(sorted(_directions(form.adjacency, board)))


def _missing(form: BoardForm, board: Topology, parameters: Mapping[str, int | str]) -> list[int]:
    """Return the cells of the whole board that are missing. See decision 030."""
    if form.hole_map:
        return bits(drawn_cells(board, form.hole_map, "holes"))
    if form.missing is not None:
        try:
            return bits(StaticEvaluator(board, parameters).value(form.missing))
        except NotConstant as reason:
            raise BoardError(f"`holes`: {reason}", "holes") from None
    cells = {name: board.cell(name) for name in form.holes}
    for name, cell in cells.items():
        if cell is None:
            raise BoardError(f"no cell `{name}` to be a hole", "holes", name)
    return [cell for cell in cells.values() if cell is not None]


def _directions(op: Op, board: Topology) -> frozenset[int]:
    """Return the indices of the directions that an operation names."""
    if has_role(op, "name"):
        index = board.direction(str(op.value))
        members = board.direction_set(str(op.value)) or ()
        return frozenset(members) if index is None else frozenset((index,))
    if has_role(op, "singleton", "join"):
        return frozenset().union(*(_directions(a, board) for a in op.args))
    if has_role(op, "opposite"):
        directions = _directions(op.args[0], board)
        return frozenset(board.directions[direction].opposite for direction in directions) - {-1}
    raise BoardError("`adjacency` must be directions of the board", "adjacency")


def _options(
    form: BoardForm, notation: Notation, parameters: Mapping[str, int | str]
) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for key, op in form.numbers:
        try:
            options[key] = number(op, parameters)
        except NotConstant as reason:
            raise BoardError(f"`{key}`: {reason}", key) from None
    if form.cells:
        options["cells"] = form.cells
    if form.screen:
        options["screen"] = form.screen
    if form.edges:
        options["edges"] = form.edges
    if form.lines:
        options["lines"] = form.lines
    if form.wrap != "none":
        options["wrap"] = form.wrap
    if form.stagger:
        options["stagger"] = form.stagger
    if form.shape in SHAPES and "names" in SHAPES[form.shape].takes:
        options["names"] = CellNames(notation.rows, notation.columns, notation.cell)
        options["origin"] = form.origin
    return options
