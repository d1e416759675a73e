"""Payoffs of the sides at the end of a game: whole numbers, more is better.

Without `payoffs` in the end, a side gets one for each side that it beats and loses one for each
side ahead of it; the sum is 0. A single player gets the score where the score decides, negated
where the lowest score wins. Otherwise it gets 1 for a win, -1 for a loss and 0 for a draw. See
decisions 027 and 098.
"""

from collections.abc import Sequence

from rulesengine.language.ir.rules import End, Rules
from rulesengine.language.ir.score_decided import by_score


def ranks(rules: Rules, end: End, named: int, scores: Sequence[int]) -> list[int]:
    """Return the rank values of the sides at an end that names one of them or (-1) none."""
    values = [0] * len(rules.players)
    if by_score(end):
        values = [s if end.result == "highest" else -s for s in scores]
    elif named >= 0:
        values[named] = -1 if end.result == "loses" else 1
    return [-number for number in values] if rules.misere else values


def payoffs(ranks: Sequence[int], out: Sequence[int]) -> tuple[int, ...]:
    """Return the payoff of each side: sides behind it minus sides ahead.

    `out` has the ply at which each side left the game, 0 if it did not; () if no side ever leaves.
    Of two sides with equal rank values, the side that stayed longer is ahead. The payoff of a
    single side is its rank value.
    """
    if len(ranks) == 1:
        return tuple(ranks)
    stays = [move or float("inf") for move in out] or [0] * len(ranks)
    places = list(zip(ranks, stays, strict=True))
    return tuple(sum((own > other) - (own < other) for other in places) for own in places)


def follows_from_winner(rules: Rules, end: End) -> bool:
    """True if the payoffs at an end follow from its winner and the scores."""
    two = len(rules.players) == 2
    return not end.pays and (two or by_score(end) or not (rules.misere or end.result == "loses"))
