"""Pictures of positions: a scene composed from a program and a state, written as SVG or PNG."""

from rulesengine.drawing.composition import (
    Annotations,
    cells_of,
    compose,
    describe,
    placed_together,
)
from rulesengine.drawing.graphs import place_cells
from rulesengine.drawing.ground import SharedParts, empty_board, has_area_marks
from rulesengine.drawing.labels import as_grid
from rulesengine.drawing.png import to_png
from rulesengine.drawing.scene import Point, Scene
from rulesengine.drawing.svg import BoardSvg, Parts, PlacedParts, to_parts, to_svg, write
from rulesengine.drawing.themes import THEMES, Theme
from rulesengine.language.ir.program import Program
from rulesengine.state import State
from rulesengine.support.validate import check_number, check_word

_MOST_PIXELS = 1_000_000

__all__ = [
    "THEMES",
    "Annotations",
    "BoardSvg",
    "Parts",
    "PlacedParts",
    "Point",
    "Scene",
    "SharedParts",
    "Theme",
    "as_grid",
    "cells_of",
    "compose",
    "describe",
    "empty_board",
    "has_area_marks",
    "picture",
    "place_cells",
    "placed_together",
    "to_parts",
    "to_png",
    "to_svg",
    "write",
]

_NOTHING = Annotations()


def picture(
    program: Program,
    state: State,
    marked: Annotations = _NOTHING,
    *,
    theme: Theme = "auto",
    size: int | None = None,
) -> str:
    """Return the SVG element of a state; `size` is its width in pixels."""
    check_word("a theme", theme, THEMES)
    if size is not None:
        check_number("size", size, 1, _MOST_PIXELS)
    return to_svg(compose(program, state, marked), theme, size)
