"""A position as a picture in SVG: cells, edges of a graph, pieces with their symbols."""

import math
import re
from html import escape

from rulesengine.board.topology import Topology
from rulesengine.game import Game
from rulesengine.state import State

_STEP = 32
_MARGIN = 28
_FILLS = ("#fff", "#333", "#c33", "#36c", "#2a2", "#c82", "#828", "#088")
_GREY = "#999"
_NAME = re.compile(r"([a-z])([0-9]{1,2})")

Point = tuple[float, float]


def board_svg(game: Game, state: State) -> str:
    """The board of a state, an SVG element without a reference to anything outside it."""
    board = game.program.topology
    places = _places(board)
    shapes = _lines(board, places) if board.shape == "graph" else _squares(board, places)
    shapes += [s for cell, at in enumerate(places) for s in _piece(state, cell, at)]
    shapes += _labels(board, places)
    width = max(x for x, _ in places) + 2 * _MARGIN
    height = max(y for _, y in places) + 2 * _MARGIN
    title = escape(f"{game.name}: the board")
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}"'
        f' viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" font-size="14"'
        f' text-anchor="middle" role="img" aria-label="{title}">'
    )
    return "\n".join([head, *shapes, "</svg>"])


def _places(board: Topology) -> list[Point]:
    """Where the middle of each cell is, margins left out."""
    if board.shape == "graph":
        return _points(board)
    return [
        (_MARGIN + _STEP * (column + board.indents[line] / 2), _MARGIN + _STEP * line)
        for line, column in board.screen
    ]


def _points(board: Topology) -> list[Point]:
    """The points of a graph: as drawn, by names such as `a1`, or else in a circle."""
    if len({line for line, _ in board.screen}) > 1:
        return [(_MARGIN + _STEP * 2 * c, _MARGIN + _STEP * 2 * line) for line, c in board.screen]
    named = [_NAME.fullmatch(name) for name in board.names]
    found = [(ord(m[1]) - 97, int(m[2])) for m in named if m]
    if len(found) == board.cells and len({x for x, _ in found}) > 1:
        top = max(y for _, y in found)
        return [(_MARGIN + _STEP * x, _MARGIN + _STEP * (top - y)) for x, y in found]
    return _circle(board)


def _circle(board: Topology) -> list[Point]:
    """Points in a circle; one that is next to all others is its middle."""
    hubs = [c for c, near in enumerate(board.adjacency) if near.bit_count() == board.cells - 1]
    hub = hubs[0] if len(hubs) == 1 else -1
    rim = [cell for cell in range(board.cells) if cell != hub]
    radius = max(_STEP * len(rim) / math.pi, _STEP)
    centre = _MARGIN + radius
    places = {hub: (centre, centre)}
    for i, cell in enumerate(rim):
        angle = 2 * math.pi * i / len(rim)
        places[cell] = centre + radius * math.sin(angle), centre - radius * math.cos(angle)
    return [places[cell] for cell in range(board.cells)]


def _squares(board: Topology, places: list[Point]) -> list[str]:
    form = 'fill="#eed" stroke="#776"'
    if any(board.indents):
        return [f'<circle cx="{x:g}" cy="{y:g}" r="{_STEP / 2:g}" {form}/>' for x, y in places]
    half = _STEP / 2
    size = f'width="{_STEP}" height="{_STEP}"'
    return [f'<rect x="{x - half:g}" y="{y - half:g}" {size} {form}/>' for x, y in places]


def _lines(board: Topology, places: list[Point]) -> list[str]:
    """The edges of a graph, and a dot for each point."""
    found = []
    for a, near in enumerate(board.adjacency):
        for b in range(a + 1, board.cells):
            if near >> b & 1:
                (x, y), (u, v) = places[a], places[b]
                ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{u:.1f}" y2="{v:.1f}"'
                found.append(f'<line {ends} stroke="#776"/>')
    return found + [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="#776"/>' for x, y in places]


def _piece(state: State, cell: int, at: Point) -> list[str]:
    """A piece as a disc with its symbol, in the colour of its side."""
    sides = len(state.form.players)
    for plane, mask in enumerate(state.planes):
        if mask >> cell & 1:
            side = plane % (sides + 1)
            fill = _FILLS[side] if side < sides else _GREY
            text = "#000" if side == 0 or side == sides else "#fff"
            x, y = at
            return [
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="12" fill="{fill}" stroke="#000"/>',
                f'<text x="{x:.1f}" y="{y + 5:.1f}" fill="{text}">'
                f"{escape(state.form.symbols[plane])}</text>",
            ]
    return []


def _labels(board: Topology, places: list[Point]) -> list[str]:
    """Names of rows at the left and of columns below; of points beside them."""
    if board.shape == "graph":
        return [
            f'<text x="{x + 14:.1f}" y="{y - 8:.1f}" font-size="10">{escape(name)}</text>'
            for name, (x, y) in zip(board.names, places, strict=True)
        ]
    bottom = max(y for _, y in places) + _STEP
    rows = [
        f'<text x="9" y="{_MARGIN + _STEP * i + 5}">{escape(label)}</text>'
        for i, label in enumerate(board.row_labels)
        if label
    ]
    shift = board.indents[-1] / 2
    return rows + [
        f'<text x="{_MARGIN + _STEP * (i + shift):g}" y="{bottom - 4:g}">{escape(label)}</text>'
        for i, label in enumerate(board.column_labels)
        if label
    ]
