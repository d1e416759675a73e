"""Which games the score alone decides."""

from rulesengine.language.ir.rules import Rules


def points_of(rules: Rules) -> int:
    """1 if every end that has a winner goes by the highest score, -1 by the lowest, else 0."""
    results = {end.result for end in rules.ends} - {"draw"}
    sign = -1 if rules.misere else 1
    if results == {"highest"}:
        return sign
    return -sign if results == {"lowest"} else 0
