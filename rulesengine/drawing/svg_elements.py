"""Parts of SVG elements: numbers, paths, circles, and marks on pieces, as text."""

import re
from collections.abc import Iterator, Sequence
from html import escape

from rulesengine.drawing.glyphs import EMBLEMS
from rulesengine.drawing.scene import Point

UNIT = 40  # SVG units per step from cell to cell
# XML allows no other characters, even escaped.
_NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def plain(text: str) -> str:
    """Escape a text for XML."""
    return escape(_NO_XML.sub("�", text))


def polyline(points: Sequence[Point]) -> str:
    first, *others = [f"{length(x)} {length(y)}" for x, y in points]
    return f"M{first}" + "".join(f"L{other}" for other in others)


def length(part: float) -> str:
    """Return a length in SVG units, rounded to a tenth."""
    return f"{round(part * UNIT, 1) + 0.0:g}"


def circle_element(at: Point, radius: float, paint: str) -> str:
    x, y = at
    return f'<circle cx="{length(x)}" cy="{length(y)}" r="{length(radius)}"{paint}/>'


def opacity(strength: float) -> str:
    return f' opacity="{strength:.3g}"'


def stroke_width(width: float) -> str:
    return f' stroke-width="{width * UNIT:g}"'


def arrow_path(start: Point, end: Point) -> str:
    (x, y), (u, v) = start, end
    length = max(((u - x) ** 2 + (v - y) ** 2) ** 0.5, 1e-9)
    a, b = (u - x) / length, (v - y) / length
    tip = u - 0.15 * a, v - 0.15 * b
    heads = [
        (tip[0] - 0.28 * a + side * 0.18 * b, tip[1] - 0.28 * b - side * 0.18 * a)
        for side in (1, -1)
    ]
    return f"{polyline((start, tip))} {polyline((heads[0], tip, heads[1]))}"


def strokes(path: str, colour: str, width: float) -> str:
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}"/>'


def emblems(marks: Sequence[str], colour: str) -> Iterator[str]:
    """Yield the marks on a piece: one in its middle, several next to each other."""
    for i, mark in enumerate(marks):
        emblem, lines = EMBLEMS[mark], ""
        if emblem.lines:
            lines = strokes(emblem.lines, colour, 5)
        area = f'<path d="{emblem.areas}" fill="{colour}"/>' if emblem.areas else ""
        if len(marks) == 1:
            yield area + lines
        else:
            x = (i - (len(marks) - 1) / 2) * 84 / len(marks)
            yield f'<g transform="translate({x:g}) scale({1.1 / len(marks):.3g})">{area}{lines}</g>'
