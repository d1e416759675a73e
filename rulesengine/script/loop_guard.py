"""Detection of script loops that run forever without input, output or a move."""

from rulesengine.errors import LimitError
from rulesengine.script.runtime import ScriptState
from rulesengine.support.limits import MAX_IDLE_ROUNDS


class LoopGuard:
    """A count of loop rounds since the script last read, printed or played.

    Progress is compared once in many rounds, because the comparison takes longer than a round.
    """

    def __init__(self, stage: ScriptState) -> None:
        self._stage = stage
        self._progress = stage.progress
        self.idle = 0

    @property
    def patience(self) -> int:
        """Return the number of rounds without a comparison of progress."""
        return MAX_IDLE_ROUNDS

    def begin(self, *, counted: bool) -> None:
        """Count a new round. Raises LimitError if too many rounds in a row had no effect.

        Rounds of a counted loop have twice the limit, so the message names an endless loop around
        it.
        """
        self.idle += 1
        if self.idle <= (2 * self.patience if counted else self.patience):
            return
        progress = self._stage.progress
        if progress == self._progress:
            raise LimitError(
                f"nothing is read, printed or played in {MAX_IDLE_ROUNDS:,} rounds of loops:"
                " end the loop by `until`, `leave` or `stop`"
            )
        self.idle, self._progress = 1, progress
