"""Write a scene as SVG: one element without external references and scripts."""

import re
from collections.abc import Iterator, Sequence
from html import escape

from rulesengine.drawing.figures import OUTLINES
from rulesengine.drawing.scene import Dot, Figure, Label, Mark, Point, Scene
from rulesengine.drawing.themes import Paint, Theme, paints
from rulesengine.support.frozen import record

UNIT = 40  # SVG units per step from cell to cell
_WIDEST, _NARROWEST = 640, 240
_LAST = 0.6  # the opacity of the mark of the last move
_CLASS = "re-"
# XML allows no other characters, even escaped.
_NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@record
class BoardSvg:
    """The SVG of a board without pieces, the same in every picture of a game in one theme.

    `ground` is below all marks, `dots` below the pieces, `labels` above them; `inks` are those that
    they use.
    """

    ground: str
    dots: str
    labels: str
    inks: tuple[str, ...]


def to_svg(
    scene: Scene, theme: Theme = "auto", size: int | None = None, written: BoardSvg | None = None
) -> str:
    """Return the picture; `size` is its width in pixels, `auto` follows the system's colour scheme.

    Callers with many pictures of a game pass its board, which they `write` once for each theme.
    """
    return "\n".join([*_Writer(theme).lines(scene, size, written), "</svg>"])


def write(board: Scene, theme: Theme) -> BoardSvg:
    """Return the SVG of a board without pieces, for many pictures of its game."""
    return _Writer(theme).written(board)


@record
class Parts:
    """A picture in parts, for a client that assembles the picture of any position.

    - `head`: the attributes of the element.
    - `ground`, `dots`, `labels`: elements below all marks, below the pieces, above the pieces.
    - `figures`, `labels_there`: the given figures and labels as elements around (0, 0).
    - `last_area`: the attributes of a path that marks a cell of the last move.
    - `last_point`: an element around (0, 0) that marks a cell without an area.
    - `style`: the rules of a dark colour scheme.
    """

    head: str
    ground: str
    dots: str
    labels: str
    figures: tuple[str, ...]
    labels_there: tuple[str, ...]
    last_area: str
    last_point: str
    style: str


def to_parts(board: Scene, figures: Sequence[Figure], labels: Sequence[Label]) -> Parts:
    """Return the parts of a board and of everything that may be placed on it, for a web page."""
    return _Writer("auto").parts(board, figures, labels)


class _Writer:
    """A writer of elements that records the inks in use."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._paints = paints(theme)
        self._used: dict[str, None] = {}

    def lines(self, scene: Scene, size: int | None, written: BoardSvg | None) -> list[str]:
        """Return the lines of the element, without its end tag."""
        body = [*filter(None, self._body(scene, written))]
        style = self._style()
        title = f"<title>{plain(scene.title)}</title>"
        described = f"<desc>{plain(scene.description)}</desc>"
        styled = [f"<style>{style}</style>"] if style else []
        return [f"<svg {_head(scene, size)}>", title, described, *styled, *body]

    def written(self, board: Scene) -> BoardSvg:
        ground, dots, labels = self._ground(board), self._dots(board), self._labels(board)
        return BoardSvg("\n".join(ground), "\n".join(dots), "\n".join(labels), tuple(self._used))

    def parts(self, board: Scene, figures: Sequence[Figure], labels: Sequence[Label]) -> Parts:
        return Parts(
            head=_head(board, None),
            ground="".join(self._ground(board)),
            dots="".join(self._dots(board)),
            labels="".join(self._labels(board)),
            figures=tuple("".join(self._figure(figure)) for figure in figures),
            labels_there=tuple(map(self._label, labels)),
            last_area=self._paint("last", stroke=False) + _opacity(_LAST),
            last_point=self._mark(Mark("last", (0.0, 0.0), ())),
            style=self._style(),
        )

    def _style(self) -> str:
        """Return the CSS rules of the dark colour scheme."""
        if self._theme != "auto":
            return ""
        dark = paints("dark")
        rules = "".join(_rule(ink, self._paints[ink], dark[ink]) for ink in sorted(self._used))
        return f"@media (prefers-color-scheme:dark){{{rules}}}" if rules else ""

    def _body(self, scene: Scene, written: BoardSvg | None) -> Iterator[str]:
        written = written or self.written(scene)
        self._used |= dict.fromkeys(written.inks)
        yield written.ground
        yield from (self._mark(mark) for mark in scene.under)
        yield written.dots
        yield from (line for figure in scene.figures for line in self._figure(figure))
        yield from (self._mark(mark) for mark in scene.over)
        yield from (self._arrow(*ends) for ends in scene.arrows)
        yield written.labels
        yield from map(self._label, scene.texts)

    def _dots(self, board: Scene) -> Iterator[str]:
        return map(self._dot, board.dots)

    def _labels(self, board: Scene) -> Iterator[str]:
        return map(self._label, board.labels)

    def _ground(self, scene: Scene) -> Iterator[str]:
        """Yield the cells, their borders and the lines."""
        yield from self._areas(scene)
        for edge in scene.edges:
            yield self._line(edge.points, edge.ink, edge.width)
        for width in sorted({stroke.width for stroke in scene.strokes}):
            lines = [s.points for s in scene.strokes if s.width == width]
            yield self._path(" ".join(map(_open, lines)), "line", width)

    def _areas(self, scene: Scene) -> Iterator[str]:
        """Yield the cells, those of one ink as one path."""
        by_ink: dict[str, list[tuple[Point, ...]]] = {}
        for place in scene.places:
            if place.outline:
                by_ink.setdefault(place.ink, []).append(place.outline)
        for ink, outlines in by_ink.items():
            yield self._path("".join(f"{_open(o)}z" for o in outlines), ink, 0.03)

    def _paint(self, ink: str, *, stroke: bool = True) -> str:
        """Return the attributes of an ink, with its class if the theme may change."""
        self._used[ink] = None
        paint = self._paints[ink]
        found = f' class="{_CLASS}{ink}"' if self._theme == "auto" else ""
        found += f' fill="{paint.fill}"'
        return found + (f' stroke="{paint.stroke}"' if paint.stroke and stroke else "")

    def _path(self, path: str, ink: str, width: float, more: str = "") -> str:
        return f'<path d="{path}"{self._paint(ink)}{_width(width)}{more}/>'

    def _line(self, points: Sequence[Point], ink: str, width: float) -> str:
        return self._path(_open(points), ink, width)

    def _dot(self, dot: Dot) -> str:
        return _circle(
            dot.at, dot.radius, self._paint(dot.ink) + f' stroke-width="{0.02 * UNIT:g}"'
        )

    def _mark(self, mark: Mark) -> str:
        match mark.kind, bool(mark.outline):
            case "heat", False:
                return _circle(mark.at, 0.48, self._paint("heat") + _opacity(mark.strength))
            case "heat" | "last", True:
                strength = mark.strength if mark.kind == "heat" else _LAST
                paint = self._paint(mark.kind, stroke=False) + _opacity(strength)
                return f'<path d="{_open(mark.outline)}z"{paint}/>'
            case "ring", _:
                return _circle(mark.at, 0.45, self._paint("ring") + _width(0.06))
            case "legal", _:
                return _circle(mark.at, 0.13, self._paint("legal") + _width(0.03))
        return _circle(mark.at, 0.15, self._paint("last") + _width(0.03))

    def _figure(self, figure: Figure) -> Iterator[str]:
        outline = OUTLINES[figure.shape]
        x, y = map(_length, figure.at)
        scale = figure.size * UNIT / 100
        turn = f" rotate({figure.turn})" if figure.turn else ""
        yield f'<g transform="translate({x} {y}){turn} scale({scale:.4g})">'
        paint = self._paints[f"piece-{figure.colour}"]
        if outline.drawn:
            yield self._path(outline.body, f"edge-{figure.colour}", 14 / UNIT)
        else:
            yield self._path(outline.body, f"piece-{figure.colour}", 3.4 / UNIT)
        if outline.lines:
            line = f'stroke="{paint.text}" stroke-width="3.6"'
            yield f'<path d="{outline.lines}" fill="none" {line}/>'
        yield "</g>"
        if figure.text:
            ink = f"text-{figure.colour}" if not outline.drawn else "cell"
            yield self._label(Label(figure.at, figure.text, figure.size * 0.6, ink))

    def _arrow(self, start: Point, end: Point) -> str:
        """Return an arrow with a head that ends short of the centre of a cell."""
        return self._path(_arrow_path(start, end), "arrow", 0.1, _opacity(0.85))

    def _label(self, label: Label) -> str:
        x, y = label.at[0], label.at[1] + label.size * 0.35
        place = f'x="{_length(x)}" y="{_length(y)}" font-size="{_length(label.size)}"'
        if label.ink == "label":
            paint = self._paint("label")
        elif label.ink == "cell":
            paint = ' fill="#1c1c1c" font-weight="600"'
        else:
            text = self._paints[f"piece-{label.ink.removeprefix('text-')}"].text
            paint = f' fill="{text}" font-weight="600"'
        return f"<text {place}{paint}>{plain(label.text)}</text>"


def _head(scene: Scene, size: int | None) -> str:
    """Return the attributes of the element; `size` is its width in pixels."""
    _, _, width, height = scene.box
    pixels = size or max(_NARROWEST, min(_WIDEST, round(width * UNIT)))
    box = " ".join(map(_length, scene.box))
    return (
        f'xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{pixels}"'
        f' height="{round(pixels * height / width)}" role="img"'
        ' font-family="system-ui,Helvetica,Arial,DejaVu Sans,Liberation Sans,sans-serif"'
        ' text-anchor="middle"'
        ' stroke-linejoin="round" stroke-linecap="round"'
    )


def plain(text: str) -> str:
    """Escape a text for XML."""
    return escape(_NO_XML.sub("�", text))


def _rule(ink: str, light: Paint, dark: Paint) -> str:
    """Return the CSS rule of an ink in the dark colour scheme; empty if it does not differ."""
    fill = f"fill:{dark.fill}" if dark.fill != light.fill else ""
    stroke = f"stroke:{dark.stroke}" if dark.stroke != light.stroke and dark.stroke else ""
    said = ";".join(filter(None, (fill, stroke)))
    return f".{_CLASS}{ink}{{{said}}}" if said else ""


def _open(points: Sequence[Point]) -> str:
    first, *others = [f"{_length(x)} {_length(y)}" for x, y in points]
    return f"M{first}" + "".join(f"L{other}" for other in others)


def _length(part: float) -> str:
    """Return a length in SVG units, rounded to a tenth."""
    return f"{round(part * UNIT, 1) + 0.0:g}"


def _circle(at: Point, radius: float, paint: str) -> str:
    x, y = at
    return f'<circle cx="{_length(x)}" cy="{_length(y)}" r="{_length(radius)}"{paint}/>'


def _opacity(strength: float) -> str:
    return f' opacity="{strength:.3g}"'


def _width(width: float) -> str:
    return f' stroke-width="{width * UNIT:g}"'


def _arrow_path(start: Point, end: Point) -> str:
    (x, y), (u, v) = start, end
    length = max(((u - x) ** 2 + (v - y) ** 2) ** 0.5, 1e-9)
    a, b = (u - x) / length, (v - y) / length
    tip = u - 0.15 * a, v - 0.15 * b
    heads = [
        (tip[0] - 0.28 * a + side * 0.18 * b, tip[1] - 0.28 * b - side * 0.18 * a)
        for side in (1, -1)
    ]
    return f"{_open((start, tip))} {_open((heads[0], tip, heads[1]))}"
