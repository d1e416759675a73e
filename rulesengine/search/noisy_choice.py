"""The choice of a move by values with noise, for levels of play. See decision 156."""

from collections.abc import Sequence

from rulesengine.engine.drivers.random import generator, mix, word
from rulesengine.engine.drivers.search.layout import CERTAIN

THOUSANDTHS = 1000
_PARTS, _BITS = 4, 16  # a sum of four uniform numbers is nearly normal (Irwin and Hall)
_DEVIATION = 37_837  # its standard deviation: 2**16 times the root of 4 / 12
_LEAD = 4  # a sure result differs from the estimates by so many times their mean deviation


def noisy_choice(values: Sequence[int | None], noise: float, seed: int) -> int | None:
    """Return the number of the move with the greatest value after noise; None without a value.

    The noise of a move is normal. Its standard deviation is `noise` times the mean deviation of the
    estimates from their mean. Sure results lie just outside the estimates, so that they can be
    overlooked too. A move without a value is never chosen. The arithmetic is in integers.
    """
    known = [value for value in values if value is not None]
    estimates = [value for value in known if abs(value) < CERTAIN] or [0]
    count, total = len(estimates), sum(estimates)
    # times the square of `count`, so that there are no fractions
    deviation = max(sum(abs(count * value - total) for value in estimates), count * count)
    size, thousandths = count * count, round(THOUSANDTHS * noise)
    most, least = max(estimates), min(estimates)

    def worth(number: int, value: int) -> int:
        if value >= CERTAIN:
            plain = size * most + _LEAD * deviation
        elif value <= -CERTAIN:
            plain = size * least - _LEAD * deviation
        else:
            plain = size * value
        return THOUSANDTHS * _DEVIATION * plain + deviation * thousandths * _normal(seed, number)

    worths = [
        (worth(number, value), -number) for number, value in enumerate(values) if value is not None
    ]
    return -max(worths)[1] if worths else None


def log_visits(visits: int) -> int:
    """Return 256 times the logarithm of the visits and one more to base 2, in integers.

    It is exact at powers of two and linear between them.
    """
    exponent = (visits + 1).bit_length() - 1
    return 256 * (exponent - 1) + ((visits + 1 << 8) >> exponent)


def _normal(seed: int, number: int) -> int:
    """Return a normal random number with mean 0 and standard deviation `_DEVIATION`."""
    drawn = mix(generator(word(seed), number))
    mask = (1 << _BITS) - 1
    return sum(drawn >> _BITS * part & mask for part in range(_PARTS)) - _PARTS // 2 * mask
