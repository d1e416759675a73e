"""What a picture shows, in the plane: cells, lines, pieces, texts and marks, without any format.

The distance between two neighbouring places is about 1; x grows to the right, y downwards. Inks
are names, which a theme gives colours.
"""

from rulesengine.support.frozen import record

Point = tuple[float, float]


@record
class Place:
    """A cell and the middle of it; `outline` is empty where the board is lines or points."""

    cell: int
    name: str
    at: Point
    outline: tuple[Point, ...]
    ink: str


@record
class Stroke:
    """A line from point to point."""

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
    """A piece: `size` is how wide it may be, `turn` by how many degrees it lies turned."""

    cell: int
    at: Point
    size: float
    shape: str
    colour: str
    text: str
    turn: int


@record
class Label:
    """A text with its middle at a point, so high."""

    at: Point
    text: str
    size: float
    ink: str


@record
class Mark:
    """What is to be seen at a place: `last`, `legal`, `ring` or `heat` of a strength to 1."""

    kind: str
    at: Point
    outline: tuple[Point, ...]
    strength: float = 1.0


@record
class Scene:
    """A picture: who prints it goes through these from first to last.

    `box` is left, top, width and height; `labels` stand beside the board and `texts` on it.
    """

    title: str
    description: str
    box: tuple[float, float, float, float]
    places: tuple[Place, ...]
    edges: tuple[Stroke, ...]
    strokes: tuple[Stroke, ...]
    dots: tuple[Dot, ...]
    under: tuple[Mark, ...]
    figures: tuple[Figure, ...]
    over: tuple[Mark, ...]
    arrows: tuple[tuple[Point, Point], ...]
    labels: tuple[Label, ...]
    texts: tuple[Label, ...] = ()
