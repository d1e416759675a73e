"""Values of searches in hundredths of a pawn, as user interfaces show them."""

from math import tan

from rulesengine.engine.drivers.search.result import WIN, SearchResult, Unit, Variation

_CERTAIN = 10_000
_POINT = 100
# The constants of Leela Chess Zero for the conversion of an expected result.
_SCALE, _ANGLE = 111.714640912, 1.5620688421

Scored = SearchResult | Variation  # a value with its unit


def centipawns(result: Scored) -> int:
    """Return the value of a search in hundredths of a pawn."""
    return to_centipawns(result.value, result.unit)


def plies_to_end(result: Scored) -> int | None:
    """Return the plies to a forced end, negative for the loser; None without one."""
    if result.unit != "plies" or result.value == 0:
        return None
    plies = WIN - abs(result.value)
    return plies if result.value > 0 else -plies


def moves_to_end(plies: int) -> int:
    """Return the moves of the winner in plies to a forced end, negative for the loser."""
    moves = (abs(plies) + 1) // 2
    return moves if plies > 0 else -moves


def to_centipawns(number: int, unit: Unit) -> int:
    """Return a value in hundredths of a pawn: points and estimates count in pawns of 100.

    An expected result is converted as by Leela Chess Zero. A forced end is a sure win or loss.
    """
    match unit:
        case "estimate" | "mean":
            return max(-_CERTAIN, min(_CERTAIN, number))
        case "chance":
            return round(_SCALE * tan(_ANGLE * number / 1000))
        case "result":
            return _CERTAIN * number
        case "points" | "payoff":
            return _POINT * number
        case "plies" if number:
            return _CERTAIN if number > 0 else -_CERTAIN
    return 0
