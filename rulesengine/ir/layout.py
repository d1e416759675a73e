"""The board of a spec for one choice of parameters."""

from collections.abc import Mapping
from typing import Any

from rulesengine.board.coordinates import CellNames
from rulesengine.board.shapes import SHAPES, make_board
from rulesengine.board.topology import BoardError, Topology
from rulesengine.ir.constants import NotConstant, number
from rulesengine.ir.ops import Op
from rulesengine.ir.rules import BoardForm, Notation


def lay_out(form: BoardForm, notation: Notation, parameters: Mapping[str, int | str]) -> Topology:
    """The topology; raises BoardError for an impossible board."""
    options = _options(form, notation, parameters)
    board = _with_holes(form, options)
    if form.adjacency is None:
        return board
    return board.connected_by(sorted(_directions(form.adjacency, board)))


def _with_holes(form: BoardForm, options: dict[str, Any]) -> Topology:
    board = make_board(form.shape, options)
    if not form.holes:
        return board
    holes = []
    for name in form.holes:
        cell = board.cell(name)
        if cell is None:
            raise BoardError(f"no cell `{name}` to be a hole", "holes", name)
        holes.append(board.coordinates[cell])
    return make_board(form.shape, {**options, "holes": tuple(holes)})


def _directions(op: Op, board: Topology) -> frozenset[int]:
    """The indices of the directions that an operation names."""
    match op:
        case Op(name="named_direction", value=str(name)):
            index = board.direction(name)
            return (
                frozenset(board.direction_set(name) or ()) if index is None else frozenset((index,))
            )
        case Op(name="just" | "all_directions", args=args):
            return frozenset().union(*(_directions(a, board) for a in args))
        case Op(name="opposite", args=(a,)):
            return frozenset(board.directions[i].opposite for i in _directions(a, board)) - {-1}
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
