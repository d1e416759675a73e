"""Pictures of positions: a scene composed from a program and a state, written as SVG or PNG."""

from rulesengine.drawing.composition import (
    Ground,
    Marked,
    bare,
    cells_of,
    compose,
    described,
    figures_by_cell,
    labels_by_plane,
    marks_area,
    shown_numbers,
)
from rulesengine.drawing.graphs import placed
from rulesengine.drawing.labels import as_grid
from rulesengine.drawing.png import to_png
from rulesengine.drawing.scene import Point, Scene
from rulesengine.drawing.svg import Parts, Written, to_parts, to_svg, write
from rulesengine.drawing.themes import THEMES, Theme
from rulesengine.language.ir.program import Program
from rulesengine.state import State
from rulesengine.support.validate import check_number, check_word

__all__ = [
    "THEMES",
    "Ground",
    "Marked",
    "Parts",
    "Point",
    "Scene",
    "Theme",
    "Written",
    "as_grid",
    "bare",
    "cells_of",
    "compose",
    "described",
    "figures_by_cell",
    "labels_by_plane",
    "marks_area",
    "picture",
    "placed",
    "shown_numbers",
    "to_parts",
    "to_png",
    "to_svg",
    "write",
]

_NOTHING = Marked()


def picture(
    program: Program,
    state: State,
    marked: Marked = _NOTHING,
    *,
    theme: Theme = "auto",
    size: int | None = None,
) -> str:
    """Return the SVG element of a state; `size` is its width in pixels."""
    check_word("a theme", theme, THEMES)
    if size is not None:
        check_number("size", size, 1)
    return to_svg(compose(program, state, marked), theme, size)
