"""The pieces of a position: figures on cells, stacks, and pieces that cover several cells."""

import math
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from rulesengine.board.geometry import bits
from rulesengine.board.topology import Topology
from rulesengine.drawing.appearance import PieceStyle, side_colours
from rulesengine.drawing.counters import (
    MOST_STACKED,
    NUMBER,
    STACK_STEP,
    number_label,
    pips_of,
)
from rulesengine.drawing.figures import OUTLINES
from rulesengine.drawing.ground import SharedParts
from rulesengine.drawing.joining import Joint, groups, joints, pairs
from rulesengine.drawing.layout import has_levels, is_face
from rulesengine.drawing.scene import Figure, Label, Link, Pile, Point
from rulesengine.drawing.tray import tray_figure, tray_text
from rulesengine.language.ir.hiding import UNSEEN
from rulesengine.state import State
from rulesengine.support.frozen import replace

_SIZES: Final = MappingProxyType(
    {
        "squares": 0.84,
        "lines": 0.92,
        "points": 0.84,
        "frame": 0.8,
        "triangles": 0.96,
        "pits": 0.7,
        "holes": 0.8,
        "blank": 0.84,
    }
)
_ON_GRAPH = 0.76
_LINK = 0.6  # of the distance between two cells: more than the gap between their figures
HERE: Final[Point] = (0.0, 0.0)
_LINK_WIDTHS: Final = MappingProxyType({"square": 0.84, "disc": 0.92})


def figures(state: State, ground: SharedParts) -> tuple[Figure, ...]:
    """Return the pieces on the board, and the dice and pieces next to it."""
    drawn: list[Figure] = []
    for piece_style, mask in zip(ground.appearances, state.planes, strict=False):
        if is_large(piece_style):
            drawn += _large(piece_style, mask, ground)
            continue
        for cell in bits(mask):
            if state.form.stacks:
                drawn += _column(cell, state, ground)
                continue
            drawn += _stacked(figure(ground, cell, piece_style), cell, state, ground)
    registers = state.registers
    shown = [
        tray_figure(item, registers[item.slot], ground.appearances, state.form)
        for item in ground.tray.items
    ]
    return (*drawn, *(one for one in shown if one))


def backs(covered: Mapping[int, int], ground: SharedParts) -> tuple[Figure, ...]:
    """Return the pieces of known sides that lie face down on cells."""
    colours = side_colours(ground.program)
    styles = [PieceStyle("square", colour, UNSEEN) for colour in colours]
    return tuple(figure(ground, c, styles[side]) for c, side in covered.items() if side >= 0)


def figure(ground: SharedParts, cell: int, piece_style: PieceStyle) -> Figure:
    """Return the piece of an appearance on a cell."""
    board, style = ground.program.topology, ground.style
    size, turn = _SIZES[style], 0
    place = board.screen[cell]
    if board.shape == "mesh":
        size = _size_on_mesh(board, place, piece_style.shape)
        turn = 0 if is_face(place) else 90 * (place[0] % 2)
    elif board.shape == "graph" and style in ("squares", "lines", "points"):
        size = _ON_GRAPH
    return Figure(
        cell,
        ground.layout.points[cell],
        size,
        piece_style.shape,
        piece_style.colour,
        piece_style.text,
        turn,
        piece_style.marks,
        piece_style.height,
        has_levels(board),
    )


def _size_on_mesh(board: Topology, place: tuple[int, int], shape: str) -> float:
    """Return the size of a piece: a bar fills its border, others are small if there are points."""
    if shape in ("bar", "crossbar") and not is_face(place):
        return 1.0
    has_points = any(line % 2 == column % 2 == 0 for line, column in board.screen)
    return 0.4 if has_points or not is_face(place) else 0.9


def stack_step(ground: SharedParts, cell: int) -> Point:
    """Return the step from a piece of a stack on a cell to the next one."""
    return ground.layout.steps[cell] if ground.layout.steps else STACK_STEP


def stack_top(ground: SharedParts, cell: int) -> Point:
    """Return the place of the last piece that is drawn of a stack, from the first one."""
    dx, dy = stack_step(ground, cell)
    return (MOST_STACKED - 1) * dx, (MOST_STACKED - 1) * dy


def _stacked(one: Figure, cell: int, state: State, ground: SharedParts) -> Iterator[Figure]:
    """Yield the pieces on a cell: several if a number there is shown as a stack."""
    count, marks = 1, one.marks
    for counter in ground.counters:
        value = counter.number.at(cell, state.registers)
        if counter.form == "stack":
            count = value
        elif counter.form == "pips" and (mark := pips_of(value)):
            marks = (*marks, mark)
    dx, dy = stack_step(ground, cell)
    for i in range(max(1, min(count, MOST_STACKED))):
        yield replace(one, at=(one.at[0] + i * dx, one.at[1] + i * dy), marks=marks)


def _column(cell: int, state: State, ground: SharedParts) -> Iterator[Figure]:
    """Yield the upper pieces of a stack, the lowest of them first; higher stacks have a number."""
    symbols = list(state.form.symbols)
    shown = state.stack(cell)[-MOST_STACKED:]
    dx, dy = stack_step(ground, cell)
    for i, symbol in enumerate(shown):
        one = figure(ground, cell, ground.appearances[symbols.index(symbol)])
        place = i - (len(shown) - 1) / 2
        yield replace(one, at=(one.at[0] + place * dx, one.at[1] + place * dy))


def _column_number(cell: int, state: State, ground: SharedParts) -> Iterator[Label]:
    """Yield the number of pieces of a stack that is higher than it is drawn."""
    stack = state.stack(cell)
    if len(stack) > MOST_STACKED:
        dx, dy = stack_step(ground, cell)
        top = (MOST_STACKED - 1) / 2
        plane = state.form.symbols.index(stack[-1])
        ink = f"text-{ground.appearances[plane].colour}"
        yield _moved(
            Label((top * dx, top * dy), str(len(stack)), NUMBER, ink), ground.layout.points[cell]
        )


def piles(state: State, ground: SharedParts) -> tuple[Pile, ...]:
    """Return the seeds at all cells and in the stores."""
    numbers = [c.number for c in ground.counters if c.form == "seeds"]
    cells = tuple(
        Pile(at, count)
        for cell, at in enumerate(ground.layout.points if numbers else ())
        if (count := sum(n.at(cell, state.registers) for n in numbers)) > 0
    )
    stores = (item for item in ground.tray.items if item.form == "seeds")
    filled = (Pile(item.at, state.registers[item.slot]) for item in stores)
    return (*cells, *(pile for pile in filled if pile.count > 0))


def number_texts(state: State, ground: SharedParts) -> Iterator[Label]:
    """Yield the numbers at cells as texts, in the ink of the pieces there."""
    shown = ground.appearances
    for cell in range(len(ground.layout.points)) if state.form.stacks else ():
        yield from _column_number(cell, state, ground)
    for cell, at in enumerate(ground.layout.points if ground.counters else ()):
        plane = next((i for i, mask in enumerate(state.planes) if mask >> cell & 1), None)
        ink = "cell" if plane is None else f"text-{shown[plane].colour}"
        texts: list[str] = []
        for counter in ground.counters:
            value = counter.number.at(cell, state.registers)
            match counter.form:
                case "text":
                    texts += [str(value)] if value else []
                case "seeds" if value:
                    yield _moved(number_label("seeds", str(value), ink), at)
                case "stack" if value > MOST_STACKED:
                    yield _moved(Label(stack_top(ground, cell), str(value), NUMBER, ink), at)
                case "pips" if not pips_of(value) and value:
                    texts.append(str(value))
        if texts:
            yield _moved(number_label("text", " ".join(texts), ink), at)
    for item in ground.tray.items:
        value = state.registers[item.slot]
        if item.form == "seeds" and value:
            yield _moved(number_label("seeds", str(value), "cell"), item.at)
        elif label := tray_text(item, state.registers[item.slot], state.form):
            yield label


def _moved(label: Label, at: Point) -> Label:
    return replace(label, at=(label.at[0] + at[0], label.at[1] + at[1]))


# pieces over several cells


def is_large(piece_style: PieceStyle) -> bool:
    """True if one figure is drawn for a whole group of cells: the shape has no area to join."""
    return piece_style.joined == "group" and OUTLINES[piece_style.shape].drawn


def links(state: State, ground: SharedParts, known: Mapping[int, int]) -> tuple[Link, ...]:
    """Return the parts that join the figures of a piece; `known` has pairs of the same move."""
    drawn = []
    for piece_style, mask in zip(ground.appearances, state.planes, strict=False):
        if piece_style.joined and not is_large(piece_style) and mask:
            there = joints(ground.program, piece_style.joined)
            chosen = (
                [joint for joint in there if mask >> joint.a & 1 and mask >> joint.b & 1]
                if piece_style.joined == "group"
                else pairs(there, mask, known)
            )
            drawn += [link(ground, joint, piece_style) for joint in chosen]
    return tuple(drawn)


def link(ground: SharedParts, joint: Joint, piece_style: PieceStyle) -> Link:
    """Return the part of a piece between two cells."""
    (x, y), (u, v) = (ground.layout.points[cell] for cell in (joint.a, joint.b))
    width = figure(ground, joint.a, piece_style).size * _LINK_WIDTHS.get(piece_style.shape, 0.84)
    turn = math.degrees(math.atan2(v - y, u - x))
    middle = ((x + u) / 2, (y + v) / 2)
    return Link(middle, math.dist((x, y), (u, v)) * _LINK, width, turn, piece_style.colour)


def _large(piece_style: PieceStyle, mask: int, ground: SharedParts) -> Iterator[Figure]:
    """Yield a figure for each group, as large as the group."""
    for cells in groups(joints(ground.program, "group"), mask):
        points = [ground.layout.points[cell] for cell in cells]
        (left, top), (right, bottom) = (
            tuple(f(point[i] for point in points) for i in (0, 1)) for f in (min, max)
        )
        one = figure(ground, cells[0], piece_style)
        extent = min(right - left, bottom - top) + 1
        yield replace(one, at=((left + right) / 2, (top + bottom) / 2), size=one.size * extent)
