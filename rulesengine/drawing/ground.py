"""The board without pieces: panels, cells, lines, dots and coordinates, equal in all positions."""

from collections.abc import Collection, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Final

from rulesengine.board.geometry import bits
from rulesengine.board.topology import Topology
from rulesengine.drawing.appearance import (
    PieceStyle,
    colour_of_board,
    piece_styles,
    side_colours,
    style_of,
)
from rulesengine.drawing.counters import Counter, counters
from rulesengine.drawing.edges import coloured_edges, side_facing
from rulesengine.drawing.labels import half_width, has_names_inside, labels
from rulesengine.drawing.layout import (
    TWO_ROWS,
    Cut,
    Layout,
    has_hexagons,
    hull,
    lay_out,
    runs,
    store_outline,
)
from rulesengine.drawing.scene import CLEAR, Dot, Label, Panel, Place, Point, Scene, Stroke
from rulesengine.drawing.tray import Tray, stores_of, tray_of
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import Appearance
from rulesengine.support.frozen import replace

_MARGIN = 0.2
_NO_APPEARANCE: Final = Appearance()
# The colour of the board, unless the spec gives one.
_USUAL: Final = MappingProxyType(
    {"lines": "lines", "frame": "frame", "triangles": "green", "pits": "lines", "holes": "lines"}
)
# Styles without cell areas: the board is one panel.
_PANELS: Final = frozenset({"lines", "frame", "triangles", "blank"})
_ONE_PANEL: Final = MappingProxyType({"pits": 0.5, "holes": 1.4, "blank": 1.2, "triangles": 0.5})
_GRAPH_PANEL = 1.5
_NAMES = 2.0  # further width of a panel with names on it
_THICK = 0.1


class SharedParts:
    """The parts that all pictures of a game share, each computed on first use.

    `unseen` are the slots of registers without a value in these pictures.
    """

    def __init__(self, program: Program, unseen: Collection[int] = ()) -> None:
        self.program, self._unseen = program, unseen

    @cached_property
    def style(self) -> str:
        return style_of(self.program)

    @cached_property
    def layout(self) -> Layout:
        return laid_out(self.program.topology, self.style)

    @cached_property
    def appearances(self) -> Sequence[PieceStyle]:
        """Return the appearance of the pieces of each plane."""
        return piece_styles(self.program)

    @cached_property
    def counters(self) -> tuple[Counter, ...]:
        """Return the numbers at cells that pictures show."""
        return counters(self.program)

    @cached_property
    def tray(self) -> Tray:
        """Return the places of registers next to the board."""
        tray = tray_of(self.program, self.layout, self.style, self.board_labels)
        return tray.without(self._unseen) if self._unseen else tray

    @cached_property
    def board_labels(self) -> tuple[Label, ...]:
        board, layout, style = self.program.topology, self.layout, self.style
        drawn = labels(board, layout, style, _panel_reach(self.program, layout, style))
        if _panel_reach(self.program, layout, style) and has_names_inside(board, layout.points):
            return tuple(replace(label, ink="name") for label in drawn)
        return drawn

    @cached_property
    def board(self) -> Scene:
        return _board(self, self.board_labels)

    @cached_property
    def plain_board(self) -> Scene:
        """Return the board without coordinates."""
        return _board(self, ())


def empty_board(program: Program, *, coordinates: bool = True) -> Scene:
    """Compose the board without pieces and marks, which is the same for every state."""
    ground = SharedParts(program)
    return ground.board if coordinates else ground.plain_board


def laid_out(board: Topology, style: str) -> Layout:
    """Return the layout; only a board of lines shows joins as arcs, which would cover squares."""
    layout = lay_out(board, style)
    return layout if style == "lines" else replace(layout, arcs=())


def has_area_marks(program: Program) -> bool:
    """True if the cells of the last move are marked as areas, if they have any."""
    return style_of(program) in AREA_MARKS


AREA_MARKS: Final = frozenset({"squares", "pits"})


def _board(ground: SharedParts, around: Sequence[Label]) -> Scene:
    program, style, layout = ground.program, ground.style, ground.layout
    panels = _panels(program, layout, style)
    names = (*around, *ground.tray.labels)
    return Scene(
        title=program.rules.name,
        description="",
        box=_box(layout, panels, names, ground.tray),
        panels=panels,
        places=_places(program, layout, style),
        edges=_edges(program, layout),
        strokes=_strokes(program, layout, style),
        dots=_dots(program, layout, style),
        under=(),
        piles=(),
        figures=(),
        links=(),
        over=(),
        arrows=(),
        labels=tuple(names),
    )


def _box(
    layout: Layout, panels: Sequence[Panel], around: Sequence[Label], tray: Tray
) -> tuple[float, float, float, float]:
    """Return the bounding box with a margin."""
    every = [*layout.points, *(p for line in (*layout.outlines, *layout.arcs) for p in line)]
    spans = [(x - 0.5, y - 0.5, x + 0.5, y + 0.5) for x, y in layout.points]
    spans += [(x, y, x, y) for x, y in every]
    for panel in panels:
        half = panel.width / 2
        spans += [(x - half, y - half, x + half, y + half) for o in panel.outlines for x, y in o]
    spans += [tray.span] if tray.span else []
    for label in around:
        x, y = label.at
        wide, high = half_width(label.text, label.size), label.size / 2
        spans.append((x - wide, y - high, x + wide, y + high))
    left, top = (min(span[i] for span in spans) - _MARGIN for i in (0, 1))
    right, bottom = (max(span[i] for span in spans) + _MARGIN for i in (2, 3))
    return left, top, right - left, bottom - top


def _panels(program: Program, layout: Layout, style: str) -> tuple[Panel, ...]:
    """Return the grounds below the cells."""
    width, colour = _panel_width(program, layout, style), colour_of_board(program)
    if not width:
        return ()
    if style == "triangles":
        return _of_triangles(program, layout, colour or _USUAL[style], width)
    around = layout.points if style == "holes" or not any(layout.outlines) else ()
    corners = around or tuple(point for outline in layout.outlines for point in outline)
    stores = tuple(store_outline(one.at) for one in stores_of(program, layout, style))
    corners = (*corners, *(point for outline in stores for point in outline))
    shape = _bounds(layout.points) if program.topology.shape == "mesh" else hull(corners)
    ground = Panel((shape,), f"panel-{colour or _USUAL.get(style, 'plain')}", width)
    return (ground, Panel(stores, "cell-pit", 0.03)) if stores else (ground,)


def _of_triangles(program: Program, layout: Layout, field: str, frame: float) -> tuple[Panel, ...]:
    """Return a frame, a field, and triangles in two colours; cells with a colour have none."""
    coloured, columns = coloured_cells(program), sorted({x for x, _ in layout.points})
    by_ink: dict[str, list[tuple[Point, ...]]] = {f"panel-{field}": list(layout.outlines)}
    for cell, (x, y) in enumerate(layout.points):
        if cell in coloured:
            by_ink.setdefault(f"panel-{coloured[cell]}", []).append(layout.outlines[cell])
        else:
            is_dark = (columns.index(x) + (y < layout.points[-1][1])) % 2
            ink = f"cell-{'dark' if is_dark else 'light'}"
            by_ink.setdefault(ink, []).append(layout.triangles[cell])
    outer_outline = hull([point for outline in layout.outlines for point in outline])
    return (
        Panel((outer_outline,), "panel-brown", frame),
        *(Panel(tuple(outlines), ink, 0.03) for ink, outlines in by_ink.items()),
    )


def _panel_reach(program: Program, layout: Layout, style: str) -> float:
    """Return the distance by which a panel extends beyond the cells."""
    width = _panel_width(program, layout, style)
    return max(0.0, width / 2 - 0.35) if style not in TWO_ROWS else 0.0


def _panel_width(program: Program, layout: Layout, style: str) -> float:
    is_graph = program.topology.shape == "graph"
    if is_graph and style in ("lines", "points"):
        width = _GRAPH_PANEL if colour_of_board(program) else 0.0
    else:
        width = _ONE_PANEL.get(style, 0.0)
    is_wider = width and style not in TWO_ROWS and has_names_inside(program.topology, layout.points)
    return width + _NAMES if is_wider else width


def _bounds(points: Sequence[Point]) -> tuple[Point, ...]:
    (left, top), (right, bottom) = (
        tuple(f(p[i] for p in points) for i in (0, 1)) for f in (min, max)
    )
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _places(program: Program, layout: Layout, style: str) -> tuple[Place, ...]:
    """Return the cells; in styles without cell areas their outlines form the panel behind them."""
    board = program.topology
    inks = _inks(program, style)
    return tuple(
        Place(cell, board.names[cell], at, _outline(layout, cell, style), inks[cell])
        for cell, at in enumerate(layout.points)
    )


def _outline(layout: Layout, cell: int, style: str) -> tuple[Point, ...]:
    return () if style in ("points", "holes", "blank") else layout.outlines[cell]


def _inks(program: Program, style: str) -> list[str]:
    """Return the ink of each cell: the last colour in `draw`, else that of the style."""
    usual = _USUAL.get(style, "plain")
    kind = "panel" if style in _PANELS else "cell"
    own = colour_of_board(program) or usual
    if style == "pits":
        own = "pit"
    if style == "triangles":
        return [CLEAR] * program.topology.cells
    inks = [f"{kind}-{own}"] * program.topology.cells
    for cell, colour in coloured_cells(program).items():
        inks[cell] = f"{kind}-{colour}"
    return inks


def coloured_cells(program: Program) -> dict[int, str]:
    """Return the colour of each cell that has one in `draw`."""
    look = program.rules.look or _NO_APPEARANCE
    return {cell: colour for colour, op in look.cells for cell in cells_in(op)}


def cells_in(op: Op | None) -> list[int]:
    """Return the cells of a set that is a constant."""
    return bits(op.value) if op is not None and isinstance(op.value, int) else []


def _edges(program: Program, layout: Layout) -> tuple[Stroke, ...]:
    look = program.rules.look
    if look is None:
        return ()
    players = [player.name for player in program.rules.players]
    colours = dict(zip(players, side_colours(program), strict=False))
    masks = [(colours[player], cells_in(op)) for player, op in look.edges]
    return coloured_edges(program.topology, layout, masks)


def _strokes(program: Program, layout: Layout, style: str) -> tuple[Stroke, ...]:
    board, look = program.topology, program.rules.look or _NO_APPEARANCE
    has_lines = style == "lines" or (
        style == "holes" and (board.shape == "graph" or has_hexagons(board))
    )
    width = 0.05 if board.shape == "graph" else 0.035
    lines: list[tuple[Point, ...]] = []
    if has_lines:
        cut: Cut = frozenset((c, to) for c, _, to in steps_of(board, look.gaps))
        lines += runs(board, layout.points, cut) if cut else layout.lines
    lines += [
        (layout.points[c], layout.points[to]) for c, _, to in steps_of(board, look.lines) if to >= 0
    ]
    thick = [
        side_facing(board, layout, cell, direction)
        for cell, direction, _ in steps_of(board, look.thick)
    ]
    return (
        *(Stroke(points, "line", width) for points in (*lines, *layout.arcs)),
        *(Stroke(side, "line", _THICK) for side in thick if side),
    )


def steps_of(board: Topology, sets: Sequence[tuple[str, Op]]) -> list[tuple[int, int, int]]:
    """Return (cell, direction, target) for cells by direction or by set of directions."""
    directions: dict[str, tuple[int, ...]] = {
        direction.name: (number,) for number, direction in enumerate(board.directions)
    }
    directions |= dict(board.direction_sets)
    return [
        (cell, direction, board.directions[direction].targets[cell])
        for name, op in sets
        for direction in directions.get(name, ())
        for cell in cells_in(op)
    ]


def _dots(program: Program, layout: Layout, style: str) -> tuple[Dot, ...]:
    """Return star points, corners of faces, pits, the points of a graph, holes in a frame."""
    look, board = program.rules.look, program.topology
    dots = [Dot(at, 0.09, "star") for at in layout.corners if style != "blank"]
    if style in ("points", "frame"):
        inks = _inks(program, style) if style == "points" else ["cell-empty"] * board.cells
        dots += [
            Dot(at, 0.42, "cell-pit" if ink == "cell-plain" else ink)
            for at, ink in zip(layout.points, inks, strict=True)
        ]
    elif style == "holes":
        coloured = coloured_cells(program)
        dots += [Dot(layout.points[c], 0.4, f"cell-{colour}") for c, colour in coloured.items()]
        dots += [Dot(at, 0.17, "hole") for at in layout.points]
    elif board.shape == "graph" and style not in TWO_ROWS:
        dots += [Dot(at, 0.11, "star") for at in layout.points]
    stars = cells_in(look.stars) if look is not None else []
    return (*dots, *(Dot(layout.points[cell], 0.1, "star") for cell in stars))
