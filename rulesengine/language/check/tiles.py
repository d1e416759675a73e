"""Checking of tiles: the key `tile` of a kind of piece. See decision 170."""

from rulesengine.board.tiles import CELL, Place, TileError, can_turn, forms_of, read_tile
from rulesengine.language.check.context import Context
from rulesengine.language.check.reader import get, text
from rulesengine.language.document.nodes import Node, Scalar
from rulesengine.support.diagnostic import Suggestion
from rulesengine.support.limits import MAX_TILE_CELLS
from rulesengine.support.source import Span

# Signs that are likely meant as cells.
_SIGNS_OF_CELLS = frozenset("xo*1@")


def tile_of(tile: tuple[Span, Node] | None, context: Context) -> tuple[Place, ...]:
    """Check the drawing of a tile; empty if there is none, or a wrong one."""
    if tile is None:
        return ()
    span, node = tile
    shape = board_shape(context)
    if not can_turn(shape):
        message = (
            f"a tile is turned and mirrored, which a board of the shape `{shape}` does not define"
        )
        help = "boards of square or hexagonal cells can have tiles: rectangle, hexagon and others"
        context.report("not-here", span, message, help)
        return ()
    if not isinstance(node, Scalar):
        return ()
    rows = text(node).split()
    try:
        places = read_tile(rows)
        forms_of(places, shape)
    except TileError as error:
        context.report("not-allowed-value", _sign(node, rows, error), str(error), _fix(rows, error))
        return ()
    if len(places) > MAX_TILE_CELLS:
        message = f"a tile has at most {MAX_TILE_CELLS} cells, found {len(places)}"
        context.report("too-large", node.span, message)
        return ()
    return places


def board_shape(context: Context) -> str:
    """Return the shape of the board as declared."""
    board = context.root.get("board") if context.root else None
    return text(get(board, "shape"), "rectangle")


def _sign(node: Scalar, rows: list[str], error: TileError) -> Span:
    """Return the place of a wrong sign in a drawing on one line; else the whole drawing."""
    drawing = node.span
    if not error.row or node.style in ("literal", "folded"):
        return drawing
    before = sum(len(row) + 1 for row in rows[: error.row - 1]) + error.sign - 1
    start = drawing.start + (0 if node.style == "plain" else 1) + before
    return Span(drawing.source, start, start + 1)


def _fix(rows: list[str], error: TileError) -> str:
    if not error.row:
        if any(CELL in row for row in rows):
            return "fill the gap, or make each part a tile of its own"
        return Suggestion("draw a cell", f'"{CELL}"')
    sign = rows[error.row - 1][error.sign - 1]
    if sign.lower() in _SIGNS_OF_CELLS:
        return Suggestion(f"write `{CELL}` for a cell", CELL)
    return 'each word is a row: `"## .#"` has two'
