"""Two ways of doing the same, of which the faster one depends on what else is at work."""

_TRIED = 12  # times each way is tried, and of these how many count: a thread may have to wake first
_COUNTED = 9
_KEPT = 500  # times until both are tried again


class Trying:
    """Which way to go next, 0 or 1: each is tried for a while, then the faster one is kept.

    That is the one whose median is less: a thread that is put off once tells nothing.
    """

    def __init__(self) -> None:
        self.way, self._is_trial, self._left = 0, True, _TRIED
        self._seconds: tuple[list[float], list[float]] = [], []

    def took(self, seconds: float) -> None:
        """Note how long the way has taken that was to be gone."""
        if self._is_trial and self._left <= _COUNTED:
            self._seconds[self.way].append(seconds)
        self._left -= 1
        if self._left:
            return
        if not self._is_trial:
            self.way, self._is_trial, self._left = 0, True, _TRIED
            self._seconds = [], []
        elif self.way == 0:
            self.way, self._left = 1, _TRIED
        else:
            first, second = (sorted(each)[_COUNTED // 2] for each in self._seconds)
            self.way, self._is_trial, self._left = int(second < first), False, _KEPT
