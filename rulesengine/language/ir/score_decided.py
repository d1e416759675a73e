"""Games that the score alone decides."""

from rulesengine.language.ir.rules import Rules


def points_of(rules: Rules) -> int:
    """Return 1 if every decisive end is won by the highest score, -1 if by the lowest, else 0."""
    results = {end.result for end in rules.ends} - {"draw"}
    sign = -1 if rules.misere else 1
    if results == {"highest"}:
        return sign
    return -sign if results == {"lowest"} else 0
