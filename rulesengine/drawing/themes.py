"""Colours of inks in light and dark themes."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, Literal, get_args

from rulesengine.support.frozen import record

Theme = Literal["auto", "light", "dark"]
THEMES: Final[tuple[Theme, ...]] = get_args(Theme)


@record
class Paint:
    """The colours of an area, its outline and the text on it; empty for none."""

    fill: str
    stroke: str = ""
    text: str = ""


# Pieces: fill, outline, and the text or lines on them. Red and blue differ in grey print.
_PIECES: Final = MappingProxyType(
    {
        "black": Paint("#26262a", "#000000", "#f2f2f2"),
        "white": Paint("#fbfaf5", "#2b2b2b", "#1c1c1c"),
        "grey": Paint("#8f9296", "#3d4043", "#0d0d0d"),
        "red": Paint("#de4a38", "#6d170e", "#ffffff"),
        "orange": Paint("#f0892a", "#7c3f06", "#1c1c1c"),
        "yellow": Paint("#f7cf3c", "#7c6100", "#1c1c1c"),
        "green": Paint("#3a9a52", "#14461f", "#ffffff"),
        "blue": Paint("#1c4587", "#0a1a3b", "#ffffff"),
        "purple": Paint("#8149a8", "#3a1a52", "#ffffff"),
        "brown": Paint("#7d4a24", "#3b1f0a", "#ffffff"),
        "pink": Paint("#ee9fc4", "#7d2c55", "#1c1c1c"),
        "dark": Paint("#4c3d33", "#221a15", "#f2f2f2"),
        "light": Paint("#f1e2c0", "#6d5c3a", "#1c1c1c"),
    }
)
# Cells by colour: in the light and the dark theme.
_CELLS: Final = MappingProxyType(
    {
        "plain": ("#f3e5c9", "#a3937a"),
        "light": ("#f3e5c9", "#a3937a"),
        "dark": ("#bb8f62", "#6c5440"),
        "lines": ("#e8c582", "#9a7c4d"),
        "frame": ("#2f65b8", "#274d86"),
        "pit": ("#d9b878", "#866a40"),
        "empty": ("#f6f8fc", "#1d222b"),
        "black": ("#55524f", "#2c2b2a"),
        "white": ("#fdfcf8", "#c9c6bf"),
        "grey": ("#cfcdc8", "#77756f"),
        "red": ("#efb1a6", "#8c4b42"),
        "orange": ("#f6cd9d", "#99683a"),
        "yellow": ("#f7e48f", "#9c8a3a"),
        "green": ("#8fc288", "#3d7044"),
        "blue": ("#abc6ea", "#48638c"),
        "purple": ("#d2b9e4", "#6c5285"),
        "brown": ("#c8a384", "#70553f"),
        "pink": ("#f5cfdf", "#93637a"),
    }
)
_OTHERS: Final = MappingProxyType(
    {
        "label": (Paint("#3d3d3d"), Paint("#d6d6d6")),
        "name": (Paint("#3d3d3d"), Paint("#17130c")),
        "line": (Paint("none", "#5d4826"), Paint("none", "#e2d3b4")),
        "hole": (Paint("#5d4826"), Paint("#2a2014")),
        "seed": (Paint("#5b3a1c", "#f0dcb4"), Paint("#f0dcb4", "#3b2611")),
        "star": (Paint("#5d4826"), Paint("#e2d3b4")),
        "arrow": (Paint("none", "#c2410c"), Paint("none", "#fb923c")),
        "last": (Paint("#ff9a1f", "#b45309"), Paint("#ffb347", "#ffd089")),
        "legal": (Paint("#15803d", "#ffffff"), Paint("#4ade80", "#0b2e17")),
        "ring": (Paint("none", "#15803d"), Paint("none", "#4ade80")),
        "heat": (Paint("#c2185b"), Paint("#ff5c93")),
        "unseen": (Paint("#4a4f58"), Paint("#14171c")),
    }
)
_CELL_LINES: Final = ("#9c8058", "#54442f")


@cache
def paints(theme: Theme) -> Mapping[str, Paint]:
    """Return the paint of each ink.

    Inks of pieces begin with `piece-`, those of cells with `cell-`. Inks of cells with invisible
    outlines, which together form a panel, begin with `panel-`.
    """
    dark = theme == "dark"
    by_name = {name: pair[dark] for name, pair in _OTHERS.items()}
    edge = _CELL_LINES[dark]
    by_name |= {f"cell-{name}": Paint(pair[dark], edge) for name, pair in _CELLS.items()}
    by_name |= {f"panel-{name}": Paint(pair[dark], pair[dark]) for name, pair in _CELLS.items()}
    by_name |= {f"piece-{name}": _visible_on_dark(paint, dark) for name, paint in _PIECES.items()}
    by_name |= {f"token-{name}": _on_wood(paint) for name, paint in _PIECES.items()}
    by_name |= {f"edge-{name}": Paint("none", paint.fill) for name, paint in _PIECES.items()}
    return MappingProxyType(by_name)


def _visible_on_dark(paint: Paint, dark: bool) -> Paint:
    """Return a paint with an outline that is visible on a dark background."""
    return Paint(
        paint.fill, "#c9c9c9" if dark and paint.text == "#f2f2f2" else paint.stroke, paint.text
    )


def _on_wood(paint: Paint) -> Paint:
    """Return the paint of a wooden piece with lines and texts in the colour of its side."""
    is_light = paint.text == "#1c1c1c"
    colour = paint.stroke if is_light else paint.fill
    return Paint("#f6e6bf", colour, colour)
