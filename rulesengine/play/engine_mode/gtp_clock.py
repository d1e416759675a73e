"""The clocks of the Go Text Protocol: main time, then a number of stones in each period."""

from rulesengine.play.engine_mode.time_limits import move_seconds

_UNLIMITED = None
_DEFAULT = 1.0  # seconds of a move without clocks


class GtpClock:
    """The clocks of both players; times are in seconds.

    `main` is the main time, `period` that of `stones` moves after it. A period without stones
    means that there is no limit.
    """

    def __init__(self) -> None:
        self._settings: tuple[float, float, int] | None = _UNLIMITED
        self._left: dict[str, tuple[float, int]] = {}

    def set(self, main: float, period: float, stones: int) -> None:
        """Set the clocks; both players have their full time."""
        is_unlimited = period > 0 and stones == 0
        self._settings = _UNLIMITED if is_unlimited else (main, period, stones)
        self._left = {}

    def set_left(self, player: str, seconds: float, stones: int) -> None:
        """Set the time of a player: main time if `stones` is 0, else the time for so many moves."""
        self._left[player] = (seconds, stones)

    def reset(self) -> None:
        """Reset the time of both players."""
        self._left = {}

    def seconds(self, player: str, overhead: float) -> float:
        """Return the seconds for the next move of a player."""
        if player not in self._left and self._settings is None:
            return _DEFAULT
        main, period, moves = self._settings or (0.0, 0.0, 0)
        seconds, stones = self._left.get(player, (main, 0))
        if stones == 0 and moves > 0:  # main time, after which the periods begin
            if seconds <= overhead:
                return move_seconds(period, 0, moves, overhead)
            return move_seconds(seconds, period / moves, None, overhead)
        return move_seconds(seconds, 0, stones or None, overhead)

    def spend(self, player: str, seconds: float) -> None:
        """Subtract the time of a move, until the client sends the clock again."""
        if self._settings is None and player not in self._left:
            return
        main, period, moves = self._settings or (0.0, 0.0, 0)
        left, stones = self._left.get(player, (main, 0))
        left -= seconds
        if stones > 1:
            self._left[player] = (left, stones - 1)
        elif left > 0 and stones == 0:
            self._left[player] = (left, 0)
        else:
            self._left[player] = (period, moves)
