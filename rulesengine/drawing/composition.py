"""Compose a scene from a state: the board, its pieces, and the marks on it."""

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from rulesengine.board.geometry import bits
from rulesengine.drawing.counters import NUMBER
from rulesengine.drawing.ground import AREA_MARKS, SharedParts
from rulesengine.drawing.layout import Layout
from rulesengine.drawing.pieces import backs, figures, links, number_texts, piles
from rulesengine.drawing.scene import Box, Label, Mark, Scene
from rulesengine.language.ir.hiding import UNSEEN
from rulesengine.language.ir.program import Program
from rulesengine.state import Move, State
from rulesengine.support.frozen import field, record, replace


@record
class Annotations:
    """The marks of a picture in addition to the position.

    - `last`: the move that led to the position.
    - `legal`: moves that may follow.
    - `heat`: a number from 0 to 1 for some cells.
    - `numbers`: a text for some cells.
    - `arrows`: pairs of cells.
    - `pairs`: cells with pieces placed by the same move, each with the other one.
    - `coordinates`: True to label rows and columns.
    - `covered`: cells that are not seen, each with the side of the piece there, -1 if that is not
      seen either. They are shaded, and a piece of a known side is face down.
    - `unseen`: the slots of registers that show `?` instead of a value.
    - `whole`: True to show the whole board where the spec crops pictures.
    """

    last: Move | None = None
    legal: Sequence[Move] = ()
    heat: Mapping[int, float] = field(default_factory=dict)
    numbers: Mapping[int, str] = field(default_factory=dict)
    arrows: Sequence[tuple[int, int]] = ()
    pairs: Mapping[int, int] = field(default_factory=dict)
    coordinates: bool = True
    covered: Mapping[int, int] = field(default_factory=dict)
    unseen: Collection[int] = ()
    whole: bool = False


def compose(
    program: Program, state: State, marked: Annotations, ground: SharedParts | None = None
) -> Scene:
    """Compose the picture of a state; callers with many pictures of a game share a `ground`."""
    if marked.unseen or ground is None:
        ground = SharedParts(program, marked.unseen)
    style, layout = ground.style, ground.layout
    board = ground.board if marked.coordinates else ground.plain_board
    return replace(
        board,
        title=f"{program.rules.name}: {state.mover} to move",
        box=board.box if marked.whole else _cropped(board.box, program, state, layout),
        description=describe(state),
        under=(*_shades(layout, marked), *_last(layout, marked.last, style)),
        piles=piles(state, ground),
        figures=(*figures(state, ground), *backs(marked.covered, ground)),
        links=links(state, ground, marked.pairs),
        over=(*_points_of(layout, marked.last, style), *_legal(state, layout, marked.legal)),
        arrows=tuple((layout.points[a], layout.points[b]) for a, b in marked.arrows),
        texts=(
            *number_texts(state, ground),
            *_number_labels(layout, marked.numbers),
            *_signs(layout, marked),
        ),
    )


def placed_together(states: Sequence[State]) -> dict[int, int]:
    """Return each cell of a pair on which one move placed two pieces of a plane, with the other
    cell.
    """
    partners: dict[int, int] = {}
    for before, after in pairwise(states):
        for old, new in zip(before.planes, after.planes, strict=True):
            if len(cells := bits(new & ~old)) == 2:
                partners |= {cells[0]: cells[1], cells[1]: cells[0]}
    return partners


def describe(state: State) -> str:
    """Describe a state in words, for accessibility: the side to move and its pieces by cell."""
    parts = [f"{state.mover} to move"]
    form = state.form
    for plane, symbol in enumerate(form.symbols):
        if cells := [form.cells[cell] for cell in bits(state.planes[plane])]:
            kind, side = divmod(plane, len(form.players) + 1)
            piece = f"{form.kinds[kind]} {symbol}"
            is_owned = side < len(form.players)
            piece = f"{piece} of {form.players[side]}" if is_owned else f"neutral {piece}"
            parts.append(f"{piece} on {', '.join(cells)}")
    if form.stacks:
        for cell, name in enumerate(form.cells):
            if len(stack := state.stack(cell)) > 1:
                parts.append(f"stack on {name}, from the bottom: {' '.join(stack)}")
    return "; ".join(parts)


def _cropped(box: Box, program: Program, state: State, layout: Layout) -> Box:
    """Return the part of a box around the occupied cells, with the margin of `draw: crop`."""
    margin = program.rules.look.crop if program.rules.look else 0
    occupied = [layout.points[cell] for plane in state.planes for cell in bits(plane)]
    if not margin or not occupied:
        return box
    reach, (left, top, width, height) = margin + 0.5, box
    columns, rows = zip(*occupied, strict=True)
    begin_x, begin_y = max(left, min(columns) - reach), max(top, min(rows) - reach)
    end_x, end_y = min(left + width, max(columns) + reach), min(top + height, max(rows) + reach)
    return begin_x, begin_y, end_x - begin_x, end_y - begin_y


def _number_labels(layout: Layout, numbers: Mapping[int, str]) -> tuple[Label, ...]:
    return tuple(
        Label(layout.points[cell], text, min(NUMBER, 1.4 / max(1, len(text))), "cell")
        for cell, text in numbers.items()
    )


def _shades(layout: Layout, marked: Annotations) -> tuple[Mark, ...]:
    """Return the shades of the cells that are not seen and have an area, and the heat."""
    cells = (cell for cell in marked.covered if layout.outlines[cell])
    shades = (Mark("unseen", layout.points[cell], layout.outlines[cell]) for cell in cells)
    return (*shades, *_heat(layout, marked))


def _signs(layout: Layout, marked: Annotations) -> tuple[Label, ...]:
    """Return the signs of the cells on which neither a piece nor its absence is seen."""
    cells = (cell for cell, side in marked.covered.items() if side < 0)
    return tuple(Label(layout.points[cell], UNSEEN, NUMBER, "unseen") for cell in cells)


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
    if style not in AREA_MARKS:
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
        if style not in AREA_MARKS or not layout.outlines[cell]
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
