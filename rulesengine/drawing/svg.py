"""Write a scene as SVG: one element without external references and scripts."""

import math
from collections.abc import Iterator, Sequence

from rulesengine.drawing.counters import MOST_SEEDS
from rulesengine.drawing.figures import OUTLINES, Outline
from rulesengine.drawing.glyphs import GLYPHS
from rulesengine.drawing.layout import DEPTH, SLANT
from rulesengine.drawing.scene import CLEAR, Dot, Figure, Label, Link, Mark, Pile, Point, Scene
from rulesengine.drawing.svg_elements import (
    UNIT,
    arrow_path,
    circle_element,
    emblems,
    length,
    opacity,
    plain,
    polyline,
    stroke_width,
    strokes,
)
from rulesengine.drawing.themes import Paint, Theme, paints
from rulesengine.support.frozen import record

_WIDEST, _NARROWEST = 640, 240
_LAST = 0.6  # the opacity of the mark of the last move
_SHADE = 0.4  # the opacity of the shade of a cell that is not seen
_CLASS = "re-"
_RAISED = 0.8  # of the size of a piece that shows its side
_HALF = 42  # of the width of a raised piece
_GOLDEN = math.pi * (3 - math.sqrt(5))
_SEEDS, _SEED_GAP, _SEEDS_UP = 0.24, 0.12, 0.1  # radius of a pile, distance of seeds, its shift


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
    - `figures`, `labels_there`, `links`, `piles`: the given ones as elements around (0, 0).
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
    links: tuple[str, ...]
    piles: tuple[str, ...]
    last_area: str
    last_point: str
    style: str


@record
class PlacedParts:
    """Everything that may be placed on a board, around (0, 0)."""

    figures: Sequence[Figure] = ()
    labels: Sequence[Label] = ()
    links: Sequence[Link] = ()
    piles: Sequence[Pile] = ()


def to_parts(board: Scene, placed: PlacedParts) -> Parts:
    """Return the parts of a board and of everything that may be placed on it, for a web page."""
    return _Writer("auto").parts(board, placed)


class _Writer:
    """A writer of elements that records the inks in use."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._paints = paints(theme)
        self._used: dict[str, None] = {}

    def lines(self, scene: Scene, size: int | None, written: BoardSvg | None) -> list[str]:
        """Return the lines of the element, without its end tag."""
        body = [*filter(None, self._all(scene, written))]
        style = self._style()
        title = f"<title>{plain(scene.title)}</title>"
        described = f"<desc>{plain(scene.description)}</desc>"
        styled = [f"<style>{style}</style>"] if style else []
        return [f"<svg {_head(scene, size)}>", title, described, *styled, *body]

    def written(self, board: Scene) -> BoardSvg:
        ground, dots, labels = self._ground(board), self._dots(board), self._labels(board)
        return BoardSvg("\n".join(ground), "\n".join(dots), "\n".join(labels), tuple(self._used))

    def parts(self, board: Scene, placed: PlacedParts) -> Parts:
        return Parts(
            head=_head(board, None),
            ground="".join(self._ground(board)),
            dots="".join(self._dots(board)),
            labels="".join(self._labels(board)),
            figures=tuple("".join(self._figure(figure)) for figure in placed.figures),
            labels_there=tuple(map(self._label, placed.labels)),
            links=tuple(map(self._link, placed.links)),
            piles=tuple(map(self._pile, placed.piles)),
            last_area=self._paint("last", stroke=False) + opacity(_LAST),
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

    def _all(self, scene: Scene, written: BoardSvg | None) -> Iterator[str]:
        written = written or self.written(scene)
        self._used |= dict.fromkeys(written.inks)
        yield written.ground
        yield from (self._mark(mark) for mark in scene.under)
        yield written.dots
        yield from map(self._pile, scene.piles)
        yield from (line for figure in scene.figures for line in self._figure(figure))
        yield from map(self._link, scene.links)
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
        for panel in scene.panels:
            path = "".join(f"{polyline(o)}z" for o in panel.outlines)
            yield self._path(path, panel.ink, panel.width)
        yield from self._areas(scene)
        for edge in scene.edges:
            yield self._line(edge.points, edge.ink, edge.width)
        for width in sorted({stroke.width for stroke in scene.strokes}):
            lines = [s.points for s in scene.strokes if s.width == width]
            yield self._path(" ".join(map(polyline, lines)), "line", width)

    def _areas(self, scene: Scene) -> Iterator[str]:
        """Yield the cells, those of one ink as one path."""
        by_ink: dict[str, list[tuple[Point, ...]]] = {}
        for place in scene.places:
            if place.outline and place.ink != CLEAR:
                by_ink.setdefault(place.ink, []).append(place.outline)
        for ink, outlines in by_ink.items():
            yield self._path("".join(f"{polyline(o)}z" for o in outlines), ink, 0.03)

    def _paint(self, ink: str, *, stroke: bool = True) -> str:
        """Return the attributes of an ink, with its class if the theme may change."""
        self._used[ink] = None
        paint = self._paints[ink]
        attribute = f' class="{_CLASS}{ink}"' if self._theme == "auto" else ""
        attribute += f' fill="{paint.fill}"'
        return attribute + (f' stroke="{paint.stroke}"' if paint.stroke and stroke else "")

    def _path(self, path: str, ink: str, width: float, more: str = "") -> str:
        return f'<path d="{path}"{self._paint(ink)}{stroke_width(width)}{more}/>'

    def _line(self, points: Sequence[Point], ink: str, width: float) -> str:
        return self._path(polyline(points), ink, width)

    def _dot(self, dot: Dot) -> str:
        return circle_element(
            dot.at, dot.radius, self._paint(dot.ink) + f' stroke-width="{0.02 * UNIT:g}"'
        )

    def _mark(self, mark: Mark) -> str:
        match mark.kind, bool(mark.outline):
            case "heat", False:
                return circle_element(mark.at, 0.48, self._paint("heat") + opacity(mark.strength))
            case "heat" | "last" | "unseen", True:
                strength = {"last": _LAST, "unseen": _SHADE}.get(mark.kind, mark.strength)
                paint = self._paint(mark.kind, stroke=False) + opacity(strength)
                return f'<path d="{polyline(mark.outline)}z"{paint}/>'
            case "ring", _:
                return circle_element(mark.at, 0.45, self._paint("ring") + stroke_width(0.06))
            case "legal", _:
                return circle_element(mark.at, 0.13, self._paint("legal") + stroke_width(0.03))
        return circle_element(mark.at, 0.15, self._paint("last") + stroke_width(0.03))

    def _figure(self, figure: Figure) -> Iterator[str]:
        outline = OUTLINES[figure.shape]
        x, y = map(length, figure.at)
        scale = figure.size * UNIT / 100 * (_RAISED if figure.height else 1)
        turn = f" rotate({figure.turn})" if figure.turn else ""
        flat = f" matrix(1 0 {-SLANT:g} {DEPTH:g} 0 0)" if figure.flat else ""
        yield f'<g transform="translate({x} {y}){turn}{flat} scale({scale:.4g})">'
        if figure.height:
            yield from self._side(outline, figure)
        yield from self._body(outline, figure)
        if figure.height:
            yield "</g>"
        yield "</g>"
        if figure.text and figure.text not in GLYPHS:
            ink = f"text-{figure.colour}" if not outline.drawn else "cell"
            ink = f"token-{figure.colour}" if outline.wooden else ink
            yield self._label(Label(figure.at, figure.text, figure.size * 0.6, ink))

    def _body(self, outline: Outline, figure: Figure) -> Iterator[str]:
        """Yield the top of a piece with the lines, marks and characters on it."""
        kind = "edge" if outline.drawn else "token" if outline.wooden else "piece"
        ink = f"{kind}-{figure.colour}"
        text = self._paints[
            f"token-{figure.colour}" if outline.wooden else f"piece-{figure.colour}"
        ].text
        if outline.body:
            yield self._path(outline.body, ink, (14 if outline.drawn else 3.4) / UNIT)
        if outline.lines:
            yield strokes(outline.lines, text, 3.6)
        if figure.text in GLYPHS:
            yield f'<g transform="scale(.64)">{strokes(GLYPHS[figure.text], text, 8)}</g>'
        yield from emblems(figure.marks, text)

    def _side(self, outline: Outline, figure: Figure) -> Iterator[str]:
        """Yield the side of a raised piece, and begin the group of its top."""
        up = round(figure.height * 100)
        paint = f'fill="{self._paints[f"piece-{figure.colour}"].stroke}"'
        body = f'<path d="{outline.body}" {paint}'
        yield f'{body} transform="translate(0 {up // 2})"/>'
        yield f'<path d="M-{_HALF} {-up // 2}h{2 * _HALF}v{up}h{-2 * _HALF}z" {paint}/>'
        yield f'<g transform="translate(0 {-up // 2})">'

    def _link(self, link: Link) -> str:
        """Return the part of a piece between two cells."""
        x, y = map(length, link.at)
        long, wide = link.length * UNIT / 2, link.width * UNIT / 2
        turn = f" rotate({link.turn:g})" if round(link.turn) else ""
        ink = f"piece-{link.colour}"
        area = f'<path d="M{-long:g} {-wide:g}h{2 * long:g}v{2 * wide:g}h{-2 * long:g}z"'
        area += f"{self._paint(ink, stroke=False)}/>"
        sides = f"M{-long:g} {-wide:g}h{2 * long:g}M{-long:g} {wide:g}h{2 * long:g}"
        lines = self._path(sides, ink, 1.2 / UNIT)
        return f'<g transform="translate({x} {y}){turn}">{area}{lines}</g>'

    def _pile(self, pile: Pile) -> str:
        """Return seeds in the pattern of a sunflower (Vogel, Mathematical Biosciences 44, 1979)."""
        count = min(pile.count, MOST_SEEDS)
        apart = min(_SEED_GAP, _SEEDS / math.sqrt(count))
        half = f"a{length(apart * 0.62)} {length(apart * 0.62)} 0 1 0"
        long = length(apart * 1.24)
        path = ""
        for i in range(count):
            away, angle = apart * math.sqrt(i + 0.5), i * _GOLDEN
            x = away * math.cos(angle) - apart * 0.62
            y = away * math.sin(angle) - _SEEDS_UP
            path += f"M{length(x)} {length(y)}{half} {long} 0{half} -{long} 0z"
        place = " ".join(map(length, pile.at))
        return self._path(path, "seed", 0.02, f' transform="translate({place})"')

    def _arrow(self, start: Point, end: Point) -> str:
        """Return an arrow with a head that ends short of the centre of a cell."""
        return self._path(arrow_path(start, end), "arrow", 0.1, opacity(0.85))

    def _label(self, label: Label) -> str:
        x, y = label.at[0], label.at[1] + label.size * 0.35
        place = f'x="{length(x)}" y="{length(y)}" font-size="{length(label.size)}"'
        if label.ink in ("label", "name"):
            paint = self._paint(label.ink)
        elif label.ink == "unseen":
            paint = self._paint("unseen", stroke=False) + ' font-weight="600"'
        elif label.ink == "value":
            paint = self._paint("label") + ' font-weight="600"'
        elif label.ink.startswith("token-"):
            paint = f' fill="{self._paints[label.ink].text}" font-weight="600"'
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
    box = " ".join(map(length, scene.box))
    return (
        f'xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{pixels}"'
        f' height="{round(pixels * height / width)}" role="img"'
        ' font-family="system-ui,Helvetica,Arial,DejaVu Sans,Liberation Sans,sans-serif"'
        ' text-anchor="middle"'
        ' stroke-linejoin="round" stroke-linecap="round"'
    )


def _rule(ink: str, light: Paint, dark: Paint) -> str:
    """Return the CSS rule of an ink in the dark colour scheme; empty if it does not differ."""
    fill = f"fill:{dark.fill}" if dark.fill != light.fill else ""
    stroke = f"stroke:{dark.stroke}" if dark.stroke != light.stroke and dark.stroke else ""
    style = ";".join(filter(None, (fill, stroke)))
    return f".{_CLASS}{ink}{{{style}}}" if style else ""
