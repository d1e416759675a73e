"""Chinese characters of pieces, and marks on pieces, as strokes in a square from -50 to 50.

Fonts with these characters are absent from many systems. They are drawn for this package.
"""

from types import MappingProxyType
from typing import Final

from rulesengine.support.frozen import record

_PERSON = "M-24-43q-6 20-18 32M-32-20v62"
_WRAP = "M9-43q-4 14-13 24M4-29h34q0 36-6 46l-9-3M2-12h23v18h-23M2-12v42q0 8 8 8h24q6 0 6-14"

GLYPHS: Final = MappingProxyType(
    {
        "車": "M-29-31h58M-22-18h44v32h-44zM-22-2h44M-38 26h76M0-43v86",
        "俥": _PERSON + "M-10-31h46M-6-18h38v32h-38zM-6-2h38M-16 26h58M13-43v86",
        "馬": "M-22-39h46M-22-39v48M2-39v48M-22-23h42M-22-7h42M-22 9h54q0 22-7 32l-10-4"
        "M-37 20l-4 17M-21 22l2 13M-7 22l3 12M8 21l4 11",
        "傌": _PERSON + "M-10-39h46M-10-39v48M13-39v48M-10-23h42M-10-7h42M-10 9h50q0 22-6 32l-9-4"
        "M-20 20l-3 17M-6 22l1 13M6 22l2 12M18 21l4 11",
        "炮": "M-38-20l4 14M-8-24q-4 12-10 16M-23-42q2 44-20 76M-21-2q4 20 14 34" + _WRAP,
        "砲": "M-43-35h36M-26-35q-3 22-18 38M-34-3h22v36h-22z" + _WRAP,
        "兵": "M18-42q-16 8-38 10M-20-32v46M-20-10h48M12-10v24M-42 14h84M-13 22q-7 12-22 20M13 22"
        "l24 20",
        "卒": "M0-44v11M-34-32h68M-16-28q-2 16-17 26M-16-14l10 12M16-28q-2 16-15 26M16-14l16 13"
        "M-38 14h76M0 4v40",
        "士": "M0-41v71M-38-12h76M-26 31h52",
        "仕": _PERSON + "M14-41v71M-14-12h56M-7 31h42",
        "相": "M-42-20h38M-22-43v86M-22-16q-6 22-21 36M-20-12q6 14 16 24M8-36h28v72h-28zM8-12h28"
        "M8 12h28",
        "象": "M-6-45q-8 12-22 19M-10-36h26l-9 12M-27-23h54v18h-54zM0-23v18M2-5q-14 14-36 19"
        "M-7 5q18 11 13 31q-3 7-15 3M3 13q-12 12-37 18M6 26q-12 10-32 16"
        "M32 0l-20 12M9 9q12 20 30 30",
        "將": "M-22-43v86M-40-38v26h18M-42 4h20q0 22-16 34M14-45q-8 15-21 22M7-33h28q-5 22-38 33"
        "M3-20l10 9M-14 8h56M25-4v42l-12-4M-4 19l11 11",
        "帥": "M-26-45l-9 11M-38-33v72M-38-33h26v24h-26M-38 8h27v30h-27M-2-22v48M-2-22h42v42l-9-2"
        "M19-45v90",
        "后": "M34-40q-30 8-62 9M-28-31q0 48-14 70M-28-8h68M-14 10h44v30h-44z",
    }
)


@record
class Emblem:
    """A mark on a piece: areas and lines in the colour of its text."""

    areas: str = ""
    lines: str = ""


def _circle(radius: int, x: int = 0, y: int = 0) -> str:
    half = f"a{radius} {radius} 0 1 0"
    return f"M{x - radius} {y}{half} {2 * radius} 0{half} {-2 * radius} 0z"


def _pips(*places: tuple[int, int]) -> str:
    return "".join(_circle(9, x, y) for x, y in places)


_A, _B, _C, _D, _E, _F = (-25, -25), (25, -25), (-25, 25), (25, 25), (-25, 0), (25, 0)

EMBLEMS: Final = MappingProxyType(
    {
        "hole": Emblem(_circle(20)),
        "dot": Emblem(_circle(12)),
        "ring": Emblem(lines=_circle(24)),
        "bar": Emblem("M-30-7h60v14h-60z"),
        "star": Emblem("M0-36l10 24l26 2l-20 17l7 26l-23-14l-23 14l7-26l-20-17l26-2z"),
        "sun": Emblem(
            _circle(15),
            "M0-38v12M0 38v-12M-38 0h12M38 0h-12M-27-27l9 9M27-27l-9 9M-27 27l9-9M27 27l-9-9",
        ),
        "bird": Emblem(
            "M-38-14q22-10 34 8q10-26 40-24q-14 8-12 20q-4 24-34 24q-10 0-16 6"
            "q0-10 6-14q-16-4-18-20z"
        ),
        "drops": Emblem(
            "M-22-34q14 22 0 26q-14-4 0-26zM16-34q14 22 0 26q-14-4 0-26z"
            "M-3 2q16 26 0 32q-16-6 0-32z"
        ),
        "scroll": Emblem(lines="M-22-34h44v68h-44zM-12-20h24M-12-7h24M-12 6h24M-12 19h14"),
        "leaf": Emblem(
            "M0-40l8 16l14-6l-2 16l18-2l-12 14l10 8l-24 12l-9-2v24h-6v-24l-9 2l-24-12l10-8l-12-14"
            "l18 2l-2-16l14 6z"
        ),
        "blossom": Emblem(
            "".join(
                _circle(13, x, y) for x, y in ((0, -22), (21, -7), (13, 18), (-13, 18), (-21, -7))
            )
        ),
        "tree": Emblem("M0-42l20 26h-10l18 24h-12l18 22h-28v14h-12v-14h-28l18-22h-12l18-24h-10z"),
        "flower": Emblem(
            "M0-40q14 16 6 30q20-14 30 0q-14 16-30 8q0 14-6 18q-6-4-6-18"
            "q-16 8-30-8q10-14 30 0q-8-14 6-30z",
            "M0 16v26M0 36q12 0 18-12M0 36q-12 0-18-12",
        ),
        # The faces of a die; a spec gets them by `dice` and by `numbers`.
        "pips1": Emblem(_pips((0, 0))),
        "pips2": Emblem(_pips(_A, _D)),
        "pips3": Emblem(_pips(_A, (0, 0), _D)),
        "pips4": Emblem(_pips(_A, _B, _C, _D)),
        "pips5": Emblem(_pips(_A, _B, (0, 0), _C, _D)),
        "pips6": Emblem(_pips(_A, _B, _C, _D, _E, _F)),
    }
)
MOST_PIPS: Final = 6
