"""A chess clock: seconds for the game, and an increment for each move."""

import re
from collections.abc import Sequence

from rulesengine.server.web.errors import RequestError

_PACE = re.compile(r"([1-9][0-9]{0,2})\+([0-9]{1,2})")  # minutes and seconds


class ChessClock:
    """The time that each player has left; callers pass the current time in seconds."""

    def __init__(self, players: Sequence[str], seconds: float, increment: float) -> None:
        self.left = dict.fromkeys(players, seconds)
        self._increment = increment
        self._running: str | None = None
        self._since = 0.0

    @classmethod
    def of(cls, players: Sequence[str], pace: str) -> "ChessClock | None":
        """Return a clock for a text such as `3+2`, None for an empty one. Raises RequestError."""
        if not pace:
            return None
        match = _PACE.fullmatch(pace)
        if match is None:
            raise RequestError("request", "`clock`: expected minutes and seconds, such as `3+2`")
        return cls(players, 60.0 * int(match[1]), float(match[2]))

    @property
    def running(self) -> str | None:
        """Return the player whose time runs."""
        return self._running

    def remaining(self, player: str, now: float) -> float:
        """Return the seconds that a player has left."""
        passed = now - self._since if player == self._running else 0.0
        return self.left[player] - passed

    def start(self, player: str, now: float, *, has_moved: bool = True) -> None:
        """Start the time of a player; the player before gets the increment for a move."""
        if player == self._running:
            return
        before = self._running
        self.stop(now)
        if before is not None and has_moved:
            self.left[before] += self._increment
        self._running, self._since = player, now

    def stop(self, now: float) -> None:
        """Stop the running time."""
        if self._running is not None:
            self.left[self._running] = max(0.0, self.remaining(self._running, now))
        self._running = None
