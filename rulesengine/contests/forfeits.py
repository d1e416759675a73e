"""Detection of consecutive forfeits: a test of strength ends when an entrant keeps failing."""

from collections.abc import Sequence

from rulesengine.contests.units import FORFEIT, PlayedGame
from rulesengine.support.frozen import record

RUN = 4  # consecutive forfeits that end a contest


@record
class ForfeitRun:
    """An entrant that has forfeited the last `games` games in a row.

    The last one is game `turn` of round `round`; `reason` is its fault, `transcript` the dialogue
    with programs in it. `since` is the round of the first one.
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
        """True if the run of forfeits is long enough to end the contest."""
        return self.games >= RUN


def forfeit_run_after(
    before: ForfeitRun | None, game: PlayedGame, group: Sequence[int]
) -> ForfeitRun | None:
    """Return the run of forfeits after one more game of a group, or None.

    Games come in the order of their numbers.
    """
    if game.ending != FORFEIT:
        return None
    entrant = group[game.seats[game.loser]]
    is_same = before is not None and before.entrant == entrant
    count, since = (before.games, before.since) if before and is_same else (0, game.round)
    at = game.round, game.turn
    return ForfeitRun(entrant, count + 1, since, *at, game.reason, game.transcript)
