"""The elements of a picture in the plane: cells, lines, pieces, texts and marks, in no format.

Adjacent places are about 1 apart; x grows to the right, y downwards. Inks are names, which a theme
maps to colours. See decision 046.
"""

from typing import Final

from rulesengine.support.frozen import record

CLEAR: Final = "clear"  # the ink of an area that is not drawn
Point = tuple[float, float]
# Left, top, width and height.
Box = tuple[float, float, float, float]


@record
class Place:
    """A cell and its centre; `outline` is empty if the board consists of lines or points."""

    cell: int
    name: str
    at: Point
    outline: tuple[Point, ...]
    ink: str


@record
class Panel:
    """A ground below the cells: areas of one ink, enlarged by half of `width`."""

    outlines: tuple[tuple[Point, ...], ...]
    ink: str
    width: float


@record
class Stroke:
    """A polyline."""

    points: tuple[Point, ...]
    ink: str
    width: float


@record
class Dot:
    """A disc of the board: a star point, a pit, the corner of a face."""

    at: Point
    radius: float
    ink: str


@record
class Figure:
    """A piece.

    - `cell`: its cell, -1 if it is next to the board.
    - `size`: its greatest width.
    - `text`: a text on it; empty for none.
    - `turn`: its rotation in degrees.
    - `marks`: the marks on it.
    - `height`: the height of its side, as a part of its size; 0 if only its top is shown.
    - `flat`: True if it lies on a level that is seen from the side.
    """

    cell: int
    at: Point
    size: float
    shape: str
    colour: str
    text: str
    turn: int
    marks: tuple[str, ...] = ()
    height: float = 0.0
    flat: bool = False


@record
class Link:
    """A part of a piece on two cells: it covers the border between the parts on them."""

    at: Point
    length: float
    width: float
    turn: float
    colour: str


@record
class Pile:
    """Seeds in a pit."""

    at: Point
    count: int


@record
class Label:
    """A text centred at a point; `size` is its height."""

    at: Point
    text: str
    size: float
    ink: str


@record
class Mark:
    """A mark at a place: `last`, `legal`, `ring`, `unseen`, or `heat` of a strength from 0 to 1."""

    kind: str
    at: Point
    outline: tuple[Point, ...]
    strength: float = 1.0


@record
class Scene:
    """A picture; its fields are in drawing order.

    `box` is left, top, width and height; `labels` are next to the board and `texts` on it.
    """

    title: str
    description: str
    box: Box
    panels: tuple[Panel, ...]
    places: tuple[Place, ...]
    edges: tuple[Stroke, ...]
    strokes: tuple[Stroke, ...]
    dots: tuple[Dot, ...]
    under: tuple[Mark, ...]
    piles: tuple[Pile, ...]
    figures: tuple[Figure, ...]
    links: tuple[Link, ...]
    over: tuple[Mark, ...]
    arrows: tuple[tuple[Point, Point], ...]
    labels: tuple[Label, ...]
    texts: tuple[Label, ...] = ()
