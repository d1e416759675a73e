"""Compose a scene from a state: the board, its pieces, and the marks on it."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Final

from rulesengine.board.geometry import bits
from rulesengine.board.topology import Topology
from rulesengine.drawing.appearance import (
    PieceStyle,
    colour_of_board,
    looks,
    side_colours,
    style_of,
)
from rulesengine.drawing.edges import coloured_edges
from rulesengine.drawing.labels import half_width, labels
from rulesengine.drawing.layout import Layout, is_face, lay_out
from rulesengine.drawing.scene import Dot, Figure, Label, Mark, Place, Point, Scene, Stroke
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.program import Program
from rulesengine.state import CellNumbers, Move, State
from rulesengine.support.frozen import field, record, replace

_SIZES: Final = MappingProxyType({"squares": 0.84, "lines": 0.92, "points": 0.84, "frame": 0.8})
_MARGIN = 0.2
_NUMBER = 0.42  # the height of a number on a cell
_HERE: Final = (0.0, 0.0)


@record
class Annotations:
    """The marks of a picture in addition to the position.

    - `last`: the move that led to the position.
    - `legal`: moves that may follow.
    - `heat`: a number from 0 to 1 for some cells.
    - `numbers`: a text for some cells.
    - `arrows`: pairs of cells.
    - `coordinates`: True to label rows and columns.
    """

    last: Move | None = None
    legal: Sequence[Move] = ()
    heat: Mapping[int, float] = field(default_factory=dict)
    numbers: Mapping[int, str] = field(default_factory=dict)
    arrows: Sequence[tuple[int, int]] = ()
    coordinates: bool = True


class SharedParts:
    """The parts that all pictures of a game share, each computed on first use."""

    def __init__(self, program: Program) -> None:
        self._program = program

    @cached_property
    def style(self) -> str:
        return style_of(self._program)

    @cached_property
    def layout(self) -> Layout:
        return _laid_out(self._program.topology, self.style)

    @cached_property
    def appearances(self) -> Sequence[PieceStyle]:
        """Return the appearance of the pieces of each plane."""
        return looks(self._program)

    @cached_property
    def board(self) -> Scene:
        return empty_board(self._program)

    @cached_property
    def plain_board(self) -> Scene:
        """Return the board without coordinates."""
        return empty_board(self._program, coordinates=False)


def compose(
    program: Program, state: State, marked: Annotations, ground: SharedParts | None = None
) -> Scene:
    """Compose the picture of a state; callers with many pictures of a game share a `ground`."""
    ground = ground or SharedParts(program)
    style, layout = ground.style, ground.layout
    board = ground.board if marked.coordinates else ground.plain_board
    return replace(
        board,
        title=f"{program.rules.name}: {state.mover} to move",
        description=describe(state),
        under=(*_heat(layout, marked), *_last(layout, marked.last, style)),
        figures=_figures(program, state, ground),
        over=(*_points_of(layout, marked.last, style), *_legal(state, layout, marked.legal)),
        arrows=tuple((layout.points[a], layout.points[b]) for a, b in marked.arrows),
        texts=(*_numbers(program, state, ground), *_number_labels(layout, marked.numbers)),
    )


def empty_board(program: Program, *, coordinates: bool = True) -> Scene:
    """Compose the board without pieces and marks, which is the same for every state."""
    board, style = program.topology, style_of(program)
    layout = _laid_out(board, style)
    beside = labels(board, layout) if coordinates else ()
    return Scene(
        title=program.rules.name,
        description="",
        box=_box(layout, beside),
        places=_places(program, layout, style),
        edges=_edges(program, layout),
        strokes=_strokes(board, layout, style),
        dots=_dots(program, layout, style),
        under=(),
        figures=(),
        over=(),
        arrows=(),
        labels=tuple(beside),
    )


def figures_by_cell(program: Program) -> tuple[tuple[Figure, ...], ...]:
    """Return, for each cell, the figure of each plane's piece on it, around (0, 0)."""
    layout, style, shown = lay_out(program.topology), style_of(program), looks(program)
    return tuple(
        tuple(
            replace(_figure(program.topology, layout, cell, looking, style), cell=-1, at=_HERE)
            for looking in shown
        )
        for cell in range(program.topology.cells)
    )


def labels_by_plane(program: Program, text: str) -> tuple[Label, ...]:
    """Return a number around (0, 0) on the piece of each plane, and last on an empty cell."""
    inks = (*(f"text-{looking.colour}" for looking in looks(program)), "cell")
    return tuple(Label(_HERE, text, _NUMBER, ink) for ink in inks)


def shown_numbers(program: Program) -> tuple[CellNumbers, ...]:
    """Return the cell numbers that a picture shows: those of the printed board."""
    template = program.rules.drawing.cell
    return tuple(n for n in program.form.numbers if f"{{{n.name}" in template)


def has_area_marks(program: Program) -> bool:
    """True if the cells of the last move are marked as areas, if they have any."""
    return style_of(program) == "squares"


def describe(state: State) -> str:
    """Describe a state in words, for accessibility: the side to move and its pieces by cell."""
    parts = [f"{state.mover} to move"]
    form = state.form
    for plane, symbol in enumerate(form.symbols):
        if cells := [form.cells[cell] for cell in bits(state.planes[plane])]:
            kind, side = divmod(plane, len(form.players) + 1)
            owner = form.players[side] if side < len(form.players) else "nobody"
            parts.append(f"{form.kinds[kind]} {symbol} of {owner} on {', '.join(cells)}")
    return "; ".join(parts)


def _laid_out(board: Topology, style: str) -> Layout:
    """Return the layout; only a board of lines shows joins as arcs, which would cover squares."""
    layout = lay_out(board)
    return layout if style == "lines" else replace(layout, arcs=())


def _box(layout: Layout, beside: Sequence[Label]) -> tuple[float, float, float, float]:
    """Return the bounding box with a margin."""
    every = [*layout.points, *(p for line in (*layout.outlines, *layout.arcs) for p in line)]
    spans = [(x - 0.5, y - 0.5, x + 0.5, y + 0.5) for x, y in layout.points]
    spans += [(x, y, x, y) for x, y in every]
    for label in beside:
        x, y = label.at
        wide, high = half_width(label.text, label.size), label.size / 2
        spans.append((x - wide, y - high, x + wide, y + high))
    left, top = (min(span[i] for span in spans) - _MARGIN for i in (0, 1))
    right, bottom = (max(span[i] for span in spans) + _MARGIN for i in (2, 3))
    return left, top, right - left, bottom - top


def _places(program: Program, layout: Layout, style: str) -> tuple[Place, ...]:
    """Return the cells; in styles without cell areas their outlines form the panel behind them."""
    board = program.topology
    inks = _inks(program, style)
    return tuple(
        Place(cell, board.names[cell], at, _outline(layout, cell, style), inks[cell])
        for cell, at in enumerate(layout.points)
    )


def _outline(layout: Layout, cell: int, style: str) -> tuple[Point, ...]:
    return () if style == "points" else layout.outlines[cell]


def _inks(program: Program, style: str) -> list[str]:
    """Return the ink of each cell: the last colour in `draw`, else that of the style."""
    usual = {"lines": "lines", "frame": "frame"}.get(style, "plain")
    kind = "panel" if style in ("lines", "frame") else "cell"
    own = colour_of_board(program) or usual
    found = [f"{kind}-{own}"] * program.topology.cells
    for colour, op in program.rules.look.cells if program.rules.look else ():
        for cell in _cells(op):
            found[cell] = f"{kind}-{colour}"
    return found


def _cells(op: Op | None) -> list[int]:
    """Return the cells of a set that is a constant."""
    return bits(op.value) if op is not None and isinstance(op.value, int) else []


def _edges(program: Program, layout: Layout) -> tuple[Stroke, ...]:
    look = program.rules.look
    if look is None:
        return ()
    players = [player.name for player in program.rules.players]
    colours = dict(zip(players, side_colours(program), strict=False))
    masks = [(colours[player], _cells(op)) for player, op in look.edges]
    return coloured_edges(program.topology, layout, masks)


def _strokes(board: Topology, layout: Layout, style: str) -> tuple[Stroke, ...]:
    lines = layout.lines if style == "lines" else ()
    width = 0.05 if board.shape == "graph" else 0.035
    return tuple(Stroke(points, "line", width) for points in (*lines, *layout.arcs))


def _dots(program: Program, layout: Layout, style: str) -> tuple[Dot, ...]:
    """Return star points, corners of faces, pits, the points of a graph, holes in a frame."""
    look, board = program.rules.look, program.topology
    found = [Dot(at, 0.09, "star") for at in layout.corners]
    if style in ("points", "frame"):
        inks = _inks(program, style) if style == "points" else ["cell-empty"] * board.cells
        found += [
            Dot(at, 0.42, "cell-pit" if ink == "cell-plain" else ink)
            for at, ink in zip(layout.points, inks, strict=True)
        ]
    elif board.shape == "graph":
        found += [Dot(at, 0.11, "star") for at in layout.points]
    stars = _cells(look.stars) if look is not None else []
    return (*found, *(Dot(layout.points[cell], 0.1, "star") for cell in stars))


def _figures(program: Program, state: State, ground: SharedParts) -> tuple[Figure, ...]:
    return tuple(
        _figure(program.topology, ground.layout, cell, looking, ground.style)
        for looking, mask in zip(ground.appearances, state.planes, strict=False)
        for cell in bits(mask)
    )


def _figure(board: Topology, layout: Layout, cell: int, looking: PieceStyle, style: str) -> Figure:
    size, turn = _SIZES[style], 0
    place = board.screen[cell]
    if board.shape == "mesh":
        size = _size_on_mesh(board, place, looking.shape)
        turn = 0 if is_face(place) else 90 * (place[0] % 2)
    elif board.shape == "graph":
        size = 0.76
    at = layout.points[cell]
    return Figure(cell, at, size, looking.shape, looking.colour, looking.text, turn)


def _size_on_mesh(board: Topology, place: tuple[int, int], shape: str) -> float:
    """Return the size of a piece: a bar fills its border, others are small if there are points."""
    if shape == "bar" and not is_face(place):
        return 1.0
    has_points = any(line % 2 == column % 2 == 0 for line, column in board.screen)
    return 0.4 if has_points or not is_face(place) else 0.9


def _numbers(program: Program, state: State, ground: SharedParts) -> tuple[Label, ...]:
    """Return the numbers that the printed board shows at cells, in the ink of the pieces there."""
    numbers, shown = shown_numbers(program), ground.appearances
    found: list[Label] = []
    for cell, at in enumerate(ground.layout.points if numbers else ()):
        plane = next((i for i, mask in enumerate(state.planes) if mask >> cell & 1), None)
        ink = "label" if plane is None else f"text-{shown[plane].colour}"
        text = " ".join(str(v) for n in numbers if (v := n.at(cell, state.registers)))
        found += [Label(at, text, _NUMBER, "cell" if plane is None else ink)] if text else []
    return tuple(found)


def _number_labels(layout: Layout, numbers: Mapping[int, str]) -> tuple[Label, ...]:
    return tuple(
        Label(layout.points[cell], text, min(_NUMBER, 1.4 / max(1, len(text))), "cell")
        for cell, text in numbers.items()
    )


def _heat(layout: Layout, marked: Annotations) -> tuple[Mark, ...]:
    return tuple(
        Mark("heat", layout.points[cell], layout.outlines[cell], max(0.0, min(1.0, strength)))
        for cell, strength in marked.heat.items()
    )


def cells_of(move: Move | None) -> list[int]:
    """Return the cells of a move, each once."""
    steps = move.steps if move is not None else ()
    return list(dict.fromkeys(c for s in steps for c in (s.origin, s.target) if c >= 0))


def _last(layout: Layout, move: Move | None, style: str) -> tuple[Mark, ...]:
    """Return the cells of the last move that have an area, as areas."""
    if style != "squares":
        return ()
    return tuple(
        Mark("last", layout.points[cell], layout.outlines[cell])
        for cell in cells_of(move)
        if layout.outlines[cell]
    )


def _points_of(layout: Layout, move: Move | None, style: str) -> tuple[Mark, ...]:
    """Return the cells of the last move that have no area, as points."""
    return tuple(
        Mark("last", layout.points[cell], ())
        for cell in cells_of(move)
        if style != "squares" or not layout.outlines[cell]
    )


def _legal(state: State, layout: Layout, moves: Sequence[Move]) -> tuple[Mark, ...]:
    """Return marks for first steps: a dot on an empty target, a ring on an origin or a piece."""
    firsts = [move.steps[0] for move in moves if move.steps]
    cells = dict.fromkeys(c for step in firsts for c in (step.origin, step.target) if c >= 0)
    origins = {step.origin for step in firsts}
    return tuple(
        Mark("ring" if c in origins or not _is_bare(state, c) else "legal", layout.points[c], ())
        for c in cells
    )


def _is_bare(state: State, cell: int) -> bool:
    """True if a cell has no piece and no number."""
    has_number = any(number.at(cell, state.registers) for number in state.form.numbers)
    return not has_number and not any(mask >> cell & 1 for mask in state.planes)
