"""Sums of entries as values between a loss and a win: x / (1 + |x|), in whole numbers."""

from rulesengine.engine.drivers.search.layout import STAKE

ONE = 1 << 24  # what counts as 1 in the sums of entries
FLAT = 1 << 36  # beyond this a value changes no more


def squashed(total: int) -> int:
    """A value above -`STAKE` and below `STAKE`, of the sum of the entries that a state shows."""
    kept = max(-FLAT, min(FLAT, total))
    return kept * STAKE // (ONE + max(kept, -kept))
