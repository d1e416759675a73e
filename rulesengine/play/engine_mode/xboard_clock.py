"""The clock of an engine in the Chess Engine Communication Protocol."""

import re

from rulesengine.play.engine_mode.session import Clock

_PERIOD = re.compile(r"[0-9]{1,6}")
_BASE = re.compile(r"([0-9]{1,6})(?::([0-9]{1,2}))?")
_NUMBER = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,6})?")


class XboardClock:
    """The clock that `level`, `st` and `time` set; all times are in seconds.

    - `for_move` is the time of each move; None with a clock.
    """

    def __init__(self) -> None:
        self.for_move: float | None = None
        self._period, self._base, self._increment = 0, 300.0, 0.0
        self._left: float | None = None

    def set_level(self, words: list[str]) -> bool:
        """Set moves of a period, its minutes and the increment; return False for other words."""
        if len(words) != 3 or not _PERIOD.fullmatch(words[0]):
            return False
        base, increment = _BASE.fullmatch(words[1]), _NUMBER.fullmatch(words[2])
        if base is None or increment is None:
            return False
        self._period, self._increment = int(words[0]), float(words[2])
        self._base = 60.0 * int(base[1]) + int(base[2] or 0)
        self._left = self.for_move = None
        return True

    def set_left(self, seconds: float) -> None:
        """Set the time that is left to the engine."""
        self._left = seconds

    def restart(self) -> None:
        """Begin a new game with the full time."""
        self._left = None

    def spend(self, seconds: float) -> None:
        """Subtract the time of a move, until the client sends the clock again."""
        left = self._base if self._left is None else self._left
        self._left = max(left - seconds + self._increment, 0.0)

    def clock(self, moves: int) -> Clock:
        """Return the clock for the next move, after a number of moves of the engine's side."""
        left = self._base if self._left is None else self._left
        to_go = self._period - moves % self._period if self._period else None
        return Clock(left, self._increment, to_go)
