"""Chances of winning by values of searches; scales of estimates were fitted to games in advance.

See decision 125.
"""

import hashlib
from math import exp

from rulesengine.engine.drivers.search.layout import STAKE
from rulesengine.engine.drivers.search.result import Value
from rulesengine.language.ir.fingerprint import renamed, rules_text
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import Rules
from rulesengine.support.frozen import record
from rulesengine.support.resources import calibration_text

_DIGITS = 16  # of a digest
_CERTAIN = 1000  # the number of a certain chance
_STEEP = 60.0  # a larger exponent is a certain result


@record
class Calibration:
    """A logistic curve from estimates to chances, where a draw counts as half a win.

    At an estimate of `scale` the odds are e to 1. `games` is the number of games that it was fitted
    to.
    """

    scale: float
    games: int

    def chance(self, estimate: float) -> float:
        """Return the chance of the player that an estimate favours if it is positive."""
        return 1 / (1 + exp(-max(-_STEEP, min(_STEEP, estimate / self.scale))))


def calibration_of(rules: Rules, program: Program) -> Calibration | None:
    """Return the bundled calibration of a game with its default parameters; None if it has none."""
    defaults = {one.name: one.default for one in rules.parameters}
    if any(defaults.get(name) != value for name, value in program.parameters):
        return None
    rows = _rows(calibration_text())
    return rows.get(digest_of(rules)) if rows else None


def digest_of(rules: Rules) -> str:
    """Return a digest of the rules that moves and results depend on, without the name."""
    return hashlib.sha256(rules_text(renamed(rules, "")).encode()).hexdigest()[:_DIGITS]


def chance_of(
    value: Value, calibration: Calibration | None, *, is_learned: bool = False, half: int = 0
) -> float | None:
    """Return the chance to win that a value states, where a draw counts as half a win.

    A learned estimate is an expected result. If weights correct the rules, `half` is the estimate
    that is worth half a win. None for another estimate without a calibration, and
    for payoffs of a single player.
    """
    number = value.number
    match value.unit:
        case "chance":
            return (number / _CERTAIN + 1) / 2
        case "plies" | "result" | "points":
            return 0.5 * (1 + (number > 0) - (number < 0))
        case "estimate" if is_learned and half:
            return (number / (half + abs(number)) + 1) / 2
        case "estimate" if is_learned:
            return (number / STAKE + 1) / 2
        case "estimate" if calibration:
            return calibration.chance(number)
    return None


def _rows(text: str) -> dict[str, Calibration]:
    """Parse a line `name | digest | scale | games | …` for each game; `#` begins a remark."""
    lines = (line.split(" | ") for line in text.splitlines() if not line.startswith("#"))
    return {row[1]: Calibration(float(row[2]), int(row[3])) for row in lines}
