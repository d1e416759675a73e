"""Ends a script whose loops go on and on and do nothing."""

from rulesengine.errors import LimitError
from rulesengine.script.runtime import Stage
from rulesengine.support.limits import MAX_IDLE_ROUNDS


class Rounds:
    """The rounds of all loops since the script was last seen to read, print or play anything.

    What it has done is looked at once in so many rounds, since that takes longer than a round.
    """

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._progress = stage.progress
        self._idle = 0

    def begin(self, *, counted: bool) -> None:
        """A round begins. Raises LimitError where too many in a row have done nothing.

        One of a loop whose rounds are counted is let pass for longer, so that a loop without end
        around it is what the message names.
        """
        self._idle += 1
        if self._idle <= (2 * MAX_IDLE_ROUNDS if counted else MAX_IDLE_ROUNDS):
            return
        progress = self._stage.progress
        if progress == self._progress:
            raise LimitError(
                f"nothing is read, printed or played in {MAX_IDLE_ROUNDS:,} rounds of loops:"
                " end the loop by `until`, `leave` or `stop`"
            )
        self._idle, self._progress = 1, progress
