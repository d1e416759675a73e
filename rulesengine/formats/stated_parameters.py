"""Values of parameters that the text of a game states, such as the size of the board and the komi.

A spec names these parameters in `formats: gtp`. See decision 133.
"""

import re
from collections.abc import Mapping
from typing import Any

from rulesengine.errors import UsageError
from rulesengine.formats.options import option
from rulesengine.formats.protocol import FormatGame
from rulesengine.language.ir.program import Program

Values = dict[str, int | str]
_NAME = "gtp"
_WHOLE = re.compile(r"[0-9]{1,4}")
_POINTS = re.compile(r"-?[0-9]{1,5}(?:\.[0-9]{1,6})?")


def size_values(program: Program, size: str) -> Values:
    """Return the parameter for the size of a square board; empty without such a parameter."""
    name = _parameter(program, "size")
    return {name: int(size)} if name and _WHOLE.fullmatch(size.strip()) else {}


def komi_values(program: Program, points: str) -> Values:
    """Return the parameters for a komi in points; empty if they cannot have it."""
    integer_part, half = _parameter(program, "komi"), _parameter(program, "half")
    if not integer_part or not _POINTS.fullmatch(points.strip()):
        return {}
    doubled = 2 * float(points)
    full, half_points = divmod(round(doubled), 2)
    if doubled != round(doubled) or (half_points and not half):
        return {}
    values: Values = {integer_part: full}
    return values | {half: half_points} if half else values


def bound_game(game: FormatGame, values: Mapping[str, Any]) -> FormatGame:
    """Return a game with values of parameters, or the same game if it cannot have them."""
    try:
        return game.bind(**values) if values else game
    except UsageError:
        return game


def _parameter(program: Program, key: str) -> str:
    """Return the name of a declared parameter; empty if the spec declares none."""
    names: tuple[str, ...] = option(program, _NAME, key, ())
    return names[0] if names else ""
