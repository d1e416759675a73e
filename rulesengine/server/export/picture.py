"""The picture of an exported page: its parts, from which the page composes that of any position.

The page places figures, seeds, numbers, links and dice as `drawing.pieces` does.
"""

from collections.abc import Iterator, Sequence

from rulesengine.drawing import SharedParts, has_area_marks, to_parts
from rulesengine.drawing.appearance import PieceStyle
from rulesengine.drawing.counters import MOST_SEEDS, MOST_STACKED, number_label
from rulesengine.drawing.glyphs import MOST_PIPS
from rulesengine.drawing.joining import joints
from rulesengine.drawing.pieces import HERE, figure, is_large, link, stack_step
from rulesengine.drawing.scene import Figure, Label, Link, Pile, Point
from rulesengine.drawing.svg import Parts, PlacedParts
from rulesengine.drawing.svg_elements import UNIT
from rulesengine.drawing.tray import TrayItem, tray_figure
from rulesengine.game import Game
from rulesengine.server.web.board_payload import BoardView
from rulesengine.support.frozen import record, replace

Table = dict[str, object]
_NUMBER = "|"  # placeholder for a number that the page fills in
# The figures of all planes on a cell, and the step to the next piece of a stack.
CellForm = tuple[tuple[Figure, ...], Point]


@record
class PictureParts:
    """The parts of a picture as JSON, and the style sheet of a dark colour scheme."""

    table: Table
    style: str


def picture_parts(game: Game) -> PictureParts:
    """Return the picture of a game in parts."""
    program = game.program
    ground = SharedParts(program)
    by_cell = [_form(ground, cell) for cell in range(program.topology.cells)]
    forms = list(dict.fromkeys(by_cell))
    planes = ground.appearances
    sets = [
        [one for figures, _ in forms for one in figures],
        [
            _pips(forms[0], plane, n)
            for plane in range(len(planes))
            for n in range(1, MOST_PIPS + 1)
        ],
        [one for item in ground.tray.items for one in _tray_figures(item, ground)],
    ]
    links = [one for piece_style in planes for one in _links(ground, piece_style)]
    piles = [Pile(HERE, count) for count in range(1, MOST_SEEDS + 1)]
    written = to_parts(
        ground.board,
        PlacedParts([one for part in sets for one in part], _labels(planes), links, piles),
    )
    lengths = [len(part) for part in sets]
    table = {
        **_board(game, ground, written),
        "forms": [forms.index(form) for form in by_cell],
        "figures": _rows(written.figures[: lengths[0]], len(planes)),
        "stack_steps": [[_scaled(part) for part in step] for _, step in forms],
        "counters": [
            {"first": counter.number.first, "form": counter.form} for counter in ground.counters
        ],
        "max_stacked": MOST_STACKED,
        "piles": written.piles if _has_seeds(ground) else [],
        "pips": _rows(written.figures[lengths[0] : lengths[0] + lengths[1]], MOST_PIPS)
        if _has(ground, "pips")
        else [],
        "joined": _joined(ground, links, written.links),
        "tray": _tray(ground, written.figures[lengths[0] + lengths[1] :], written.labels_there),
    }
    return PictureParts(table, written.style)


def _board(game: Game, ground: SharedParts, written: Parts) -> Table:
    *numbers, seed_label, _ = written.labels_there
    return {
        "head": written.head,
        "box": [_scaled(part) for part in ground.board.box],
        "background": written.ground,
        "dots": written.dots,
        "labels": written.labels,
        "number_labels": [label.split(_NUMBER) for label in numbers],
        "seed_label": seed_label.split(_NUMBER),
        "last_area": written.last_area if has_area_marks(game.program) else "",
        "last_point": written.last_point,
        "cells": [shown for _, shown in BoardView(game).cells],
    }


def _has_seeds(ground: SharedParts) -> bool:
    return _has(ground, "seeds") or any(item.form == "seeds" for item in ground.tray.items)


def _has(ground: SharedParts, form: str) -> bool:
    return any(counter.form == form for counter in ground.counters)


def _form(ground: SharedParts, cell: int) -> CellForm:
    """Return the figures of a cell around (0, 0); cells with equal forms share them."""
    figures = (figure(ground, cell, piece_style) for piece_style in ground.appearances)
    return tuple(replace(one, cell=-1, at=HERE) for one in figures), stack_step(ground, cell)


def _pips(form: CellForm, plane: int, count: int) -> Figure:
    return replace(form[0][plane], shape="none", text="", height=0.0, marks=(f"pips{count}",))


def _labels(planes: Sequence[PieceStyle]) -> list[Label]:
    """Return a number on the piece of each plane, on an empty cell, below seeds and in the tray."""
    inks = (*(f"text-{piece_style.colour}" for piece_style in planes), "cell")
    return [
        *(number_label("text", _NUMBER, ink) for ink in inks),
        number_label("seeds", _NUMBER, "cell"),
        replace(number_label("text", _NUMBER, "value"), ink="value"),
    ]


def _links(ground: SharedParts, piece_style: PieceStyle) -> Iterator[Link]:
    """Yield the different links of a plane, around (0, 0)."""
    if piece_style.joined and not is_large(piece_style):
        there = joints(ground.program, piece_style.joined)
        yield from dict.fromkeys(replace(link(ground, one, piece_style), at=HERE) for one in there)


def _joined(ground: SharedParts, links: Sequence[Link], written: Sequence[str]) -> list[Table]:
    """Return the planes with joined pieces: pairs of cells with the number of their link."""
    rows = list[Table]()
    for plane, piece_style in enumerate(ground.appearances):
        if piece_style.joined:
            form = "large" if is_large(piece_style) else piece_style.joined
            there = joints(ground.program, piece_style.joined)
            numbers = [
                -1
                if form == "large"
                else links.index(replace(link(ground, one, piece_style), at=HERE))
                for one in there
            ]
            pairs = [[one.a, one.b, number] for one, number in zip(there, numbers, strict=True)]
            rows.append(
                {"plane": plane, "form": form, "joints": pairs, "links": written, "unit": UNIT}
            )
    return rows


def _tray_figures(item: TrayItem, ground: SharedParts) -> Iterator[Figure]:
    """Yield the figures of the values of a register from 0, an invisible one for those without."""
    if item.form in ("text", "seeds"):
        return
    form = ground.program.form
    count = MOST_PIPS + 1 if item.form == "die" else len(form.kinds)
    for value in range(count):
        shapes = tray_figure(item, value, ground.appearances, form)
        none = Figure(-1, HERE, 0.8, "none", "white", "", 0)
        yield replace(shapes, at=HERE) if shapes else none


def _tray(ground: SharedParts, figures: Sequence[str], labels: Sequence[str]) -> list[Table]:
    """Return the registers next to the board, with an element for each value or a text."""
    form, rows, used = ground.program.form, list[Table](), 0
    for item in ground.tray.items:
        count = len([*_tray_figures(item, ground)])
        names = form.names_of(item.type) or (("no", "yes") if item.type == "flag" else ())
        rows.append(
            {
                "slot": item.slot,
                "form": item.form,
                "at": [_scaled(part) for part in item.at],
                "figures": figures[used : used + count],
                "names": list(names) if item.form == "text" else [],
                "text": labels[-1].split(_NUMBER) if item.form == "text" else [],
            }
        )
        used += count
    return rows


def _rows(elements: Sequence[str], wide: int) -> list[Sequence[str]]:
    return [elements[at : at + wide] for at in range(0, len(elements), wide or 1)]


def _scaled(part: float) -> float:
    """Scale a length to picture coordinates."""
    return round(part * UNIT, 1)
