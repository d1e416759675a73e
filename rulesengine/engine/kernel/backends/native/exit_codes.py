"""Exit codes of entry points."""

RETURNED, FAILED, STOPPED = 0, 1, 2
