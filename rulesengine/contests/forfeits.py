"""Who loses one game after the other by faults of his own: a test of strength ends there."""

from collections.abc import Sequence

from rulesengine.contests.units import FORFEIT, Played
from rulesengine.support.frozen import record

RUN = 4  # games


@record
class Failing:
    """An entrant who has lost the last `games` by faults, one after the other.

    The last one is game `turn` of round `round`, lost by the fault `reason`; `transcript` is what
    was said to programs in it, `since` the round of the first one.
    """

    entrant: int
    games: int
    since: int
    round: int
    turn: int
    reason: str
    transcript: str

    @property
    def is_over(self) -> bool:
        """Whether these are so many games that no further ones are worth playing."""
        return self.games >= RUN


def failing_after(before: Failing | None, game: Played, group: Sequence[int]) -> Failing | None:
    """Who fails now that one game more was played, of the entrants of a group; None for nobody.

    Games come in the order of their numbers.
    """
    if game.ending != FORFEIT:
        return None
    entrant = group[game.seats[game.loser]]
    is_same = before is not None and before.entrant == entrant
    count, since = (before.games, before.since) if before and is_same else (0, game.round)
    at = game.round, game.turn
    return Failing(entrant, count + 1, since, *at, game.reason, game.transcript)
