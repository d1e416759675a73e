"""What each side gets at the end of a game: whole numbers, more is better.

Without `payoffs` in the end a side gets one for each side that it leaves behind and loses one for
each that is ahead of it, so that all together get nothing.
"""

from collections.abc import Sequence

from rulesengine.language.ir.rules import End, Rules


def standing(rules: Rules, end: End, named: int, scores: Sequence[int]) -> list[int]:
    """How the sides stand at an end, which names one of them or (-1) none."""
    found = [0] * len(rules.players)
    if by_score(end):
        found = [s if end.result == "highest" else -s for s in scores]
    elif named >= 0:
        found[named] = -1 if end.result == "loses" else 1
    return [-number for number in found] if rules.misere else found


def payoffs(standing: Sequence[int], out: Sequence[int]) -> tuple[int, ...]:
    """For each side, how many are behind it less how many are ahead.

    `out` says at which move each side has left the game, 0 if it has not; it holds nothing where
    none leaves. Of two that stand alike, the one that stayed longer is ahead.
    """
    stays = [move or float("inf") for move in out] or [0] * len(standing)
    places = list(zip(standing, stays, strict=True))
    return tuple(sum((own > other) - (own < other) for other in places) for own in places)


def by_score(end: End) -> bool:
    return end.result in ("highest", "lowest")


def is_told_by_winner(rules: Rules, end: End) -> bool:
    """Whether the payoffs at an end follow from its winner and the scores."""
    two = len(rules.players) == 2
    return not end.pays and (two or by_score(end) or not (rules.misere or end.result == "loses"))
