"""A/B timing: selects the faster of two implementations, repeatedly, at run time."""

# measurements per alternative; the first ones are discarded, since a thread may have to wake
_TRIED = 12
_COUNTED = 9
_KEPT = 500  # calls until both alternatives are measured again


class AlternativeTiming:
    """The selection between alternatives 0 and 1, by the smaller median time.

    The median is robust against a thread that is descheduled once.
    """

    def __init__(self) -> None:
        self.way, self._is_trial, self._left = 0, True, _TRIED
        self._seconds: tuple[list[float], list[float]] = [], []

    def took(self, seconds: float) -> None:
        """Record the time of the selected alternative."""
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
