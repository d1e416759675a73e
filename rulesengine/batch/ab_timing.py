"""A/B timing: selects the faster of two implementations, repeatedly, at run time."""

# measurements per alternative; the first ones are discarded, since a thread may have to wake
_TRIAL_CALLS = 12
_COUNTED = 9
_CALLS_BETWEEN_TRIALS = 500  # calls until both alternatives are measured again


class AlternativeTiming:
    """The selection between alternatives 0 and 1, by the smaller median time.

    The median is robust against a thread that is descheduled once.
    """

    def __init__(self) -> None:
        self.selected, self._is_trial, self._remaining = 0, True, _TRIAL_CALLS
        self._seconds: tuple[list[float], list[float]] = [], []

    def record(self, seconds: float) -> None:
        """Record the time of the selected alternative."""
        if self._is_trial and self._remaining <= _COUNTED:
            self._seconds[self.selected].append(seconds)
        self._remaining -= 1
        if self._remaining:
            return
        if not self._is_trial:
            self.selected, self._is_trial, self._remaining = 0, True, _TRIAL_CALLS
            self._seconds = [], []
        elif self.selected == 0:
            self.selected, self._remaining = 1, _TRIAL_CALLS
        else:
            first, second = (sorted(each)[_COUNTED // 2] for each in self._seconds)
            self.selected, self._is_trial, self._remaining = (
                int(second < first),
                False,
                _CALLS_BETWEEN_TRIALS,
            )
