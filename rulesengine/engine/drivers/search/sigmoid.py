"""A sigmoid in integer arithmetic, x / (1 + |x|): from sums of weights to values."""

from rulesengine.engine.drivers.search.layout import STAKE

ONE = 1 << 24  # the unit of sums of weights
FLAT = 1 << 36  # sums are clamped to this


def apply_sigmoid(total: int) -> int:
    """Return a value between `-STAKE` and `STAKE`, exclusive, for the sum of a state's weights."""
    clamped = max(-FLAT, min(FLAT, total))
    return clamped * STAKE // (ONE + max(clamped, -clamped))
