"""Values of searches in hundredths of a pawn, as user interfaces show them."""

from math import tan

from rulesengine.engine.drivers.search.result import SearchResult

_SURE = 10_000
_POINT = 100
# The constants of Leela Chess Zero for the conversion of an expected result.
_SCALE, _ANGLE = 111.714640912, 1.5620688421


def centipawns(found: SearchResult) -> int:
    """Return a value in hundredths of a pawn: points and estimates count in pawns of 100.

    An expected result is converted as by Leela Chess Zero.
    """
    match found.unit:
        case "estimate" | "mean":
            return max(-_SURE, min(_SURE, found.value))
        case "chance":
            return round(_SCALE * tan(_ANGLE * found.value / 1000))
        case "result":
            return _SURE * found.value
        case "points" | "payoff":
            return _POINT * found.value
    return 0
