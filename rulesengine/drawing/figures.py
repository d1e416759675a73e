"""The outlines of pieces: SVG paths in a square from -50 to 50, drawn for this package.

Each shape has a body, which is filled with the colour of its side, and lines on it.
"""

from types import MappingProxyType
from typing import Final

from rulesengine.support.frozen import record


@record
class Outline:
    """A body and the lines on it.

    - `drawn`: the body is a stroke in the side's colour, not filled.
    - `wooden`: the body is of light wood, its lines and texts have the side's colour.
    """

    body: str
    lines: str = ""
    drawn: bool = False
    wooden: bool = False


def _circle(radius: int, x: int = 0, y: int = 0) -> str:
    """Return a circle as two semicircles."""
    half = f"a{radius} {radius} 0 1 0"
    return f"M{x - radius} {y}{half} {2 * radius} 0{half} {-2 * radius} 0z"


_DISC = _circle(46)

OUTLINES: Final = MappingProxyType(
    {
        "none": Outline(""),  # the ground of marks that are added to a piece
        "disc": Outline(_DISC),
        "letter": Outline(_DISC),
        "crown": Outline(_DISC, "M-22 18l-6 -32l14 12l14 -22l14 22l14 -12l-6 32z"),
        "token": Outline(_DISC, _circle(38), wooden=True),
        "wedge": Outline("M0-46l30 14l10 76h-80l10-76z", wooden=True),
        "square": Outline("M-42 -42h84v84h-84z"),
        "diamond": Outline("M0 -46l40 46l-40 46l-40 -46z"),
        "bar": Outline("M-46 -9h92v18h-92z"),
        "crossbar": Outline("M-9 -46h18v92h-18z"),
        "die": Outline(
            "M-30-42h60a12 12 0 0 1 12 12v60a12 12 0 0 1 -12 12h-60"
            "a12 12 0 0 1 -12 -12v-60a12 12 0 0 1 12 -12z"
        ),
        "cross": Outline("M-30 -30l60 60m0 -60l-60 60", drawn=True),
        "ring": Outline(_circle(32), drawn=True),
        "triangle": Outline("M0 -34l34 60h-68z", drawn=True),
        "pawn": Outline(
            "M0 -38a15 15 0 0 1 11 25h8v7h-9c0 12 6 20 14 26v20h-48v-20c8 -6 14 -14 14 -26h-9v-7h8"
            "a15 15 0 0 1 11 -25z",
            "M-18 22h36",
        ),
        "rook": Outline(
            "M-28 40v-12l7 -6l3 -34l-8 -8v-20h11v8h9v-8h12v8h9v-8h11v20l-8 8l3 34l7 6v12z",
            "M-20 -12h40M-22 22h44",
        ),
        "bishop": Outline(
            "M0 -46a6 6 0 0 1 4 10c16 8 20 26 8 38l6 20h8v18h-52v-18h8l6 -20c-12 -12 -8 -30 8 -38"
            "a6 6 0 0 1 4 -10z",
            "M0 -26v18M-9 -17h18M-16 22h32",
        ),
        "knight": Outline(
            "M-24 40v-10c0 -16 18 -22 16 -36c-6 6 -14 6 -20 12l-10 -10c2 -12 12 -22 18 -32l0 -12"
            "l11 8c22 2 35 20 35 50v30z",
            "M-16 -17l3 3M-22 26h46",
        ),
        "queen": Outline(
            "M-26 40v-12l-12 -50l16 18l4 -34l14 30l4 -38l4 38l14 -30l4 34l16 -18l-12 50v12z",
            "M-24 28h48M-28 18h56",
        ),
        "king": Outline(
            "M-5 -48h10v8h9v9h-9v9c30 -14 46 16 23 36v26h-56v-26c-23 -20 -7 -50 23 -36v-9h-9v-9h9z",
            "M-26 28h52M-26 18h52M0 -22v38",
        ),
    }
)
