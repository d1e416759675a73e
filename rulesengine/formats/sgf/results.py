"""Results in Smart Game Format: `B+3.5`, `W+R`, `B+T`, `0`, `Void` and `?`."""

import re
from types import MappingProxyType

from rulesengine.formats.values import GameResult

_RESULT = re.compile(r"([BW])\+(.*)", re.IGNORECASE)
_SCORE = re.compile(r"[0-9]+(?:[.,][0-9]+)?")
_DRAWN = ("0", "draw", "jigo")
_REASONS = MappingProxyType({"r": "resignation", "t": "time forfeit", "f": "forfeit"})
_POINTS = " points"


def read_result(text: str, colours: tuple[str, ...], players: tuple[str, ...]) -> GameResult | None:
    """Return the result of a text; None for a void or unknown one."""
    plain = text.strip()
    if plain.lower() in _DRAWN:
        return GameResult(None)
    match = _RESULT.fullmatch(plain)
    if match is None or match[1].upper() not in colours:
        return None
    winner, reason = players[colours.index(match[1].upper())], match[2].strip().lower()
    if _SCORE.fullmatch(reason):
        return GameResult(winner, reason + _POINTS)
    return GameResult(winner, _REASONS.get(reason[:1], ""))


def result_text(
    result: GameResult | None, colours: tuple[str, ...], players: tuple[str, ...]
) -> str:
    """Return the text of a result; empty for an unfinished game."""
    if result is None:
        return ""
    if result.winner is None:
        return "0"
    letters = {reason: letter.upper() for letter, reason in _REASONS.items()}
    reason = result.reason
    score = reason.removesuffix(_POINTS)
    text = score if score != reason and _SCORE.fullmatch(score) else letters.get(reason, "")
    return f"{colours[players.index(result.winner)]}+{text}"
