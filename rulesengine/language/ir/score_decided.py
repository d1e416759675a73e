"""Games that points decide: scores, or the payoff of a single player."""

from rulesengine.language.ir.rules import End, Rules

SCALE = 1000  # points of a single player are thousandths where chance averages them


def points_of(rules: Rules) -> int:
    """Return 1 if every decisive end is won by the highest score, -1 if by the lowest, else 0.

    With one player, return the unit of the payoff that is maximised, 1 or `SCALE`; 0 if no end has
    a payoff or score.
    """
    if len(rules.players) == 1:
        return (SCALE if rules.chance else 1) * int(has_payoff(rules))
    results = {end.result for end in rules.ends} - {"draw"}
    sign = -1 if rules.misere else 1
    if results == {"highest"}:
        return sign
    return -sign if results == {"lowest"} else 0


def has_payoff(rules: Rules) -> bool:
    """True if some end has a payoff or is decided by the score."""
    return any(end.pays is not None or by_score(end) for end in rules.ends)


def by_score(end: End) -> bool:
    return end.result in ("highest", "lowest")
