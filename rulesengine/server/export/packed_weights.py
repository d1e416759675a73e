"""Learned weights for the page of a game: as few bytes for each number as hold them in one unit."""

from array import array
from functools import reduce
from operator import or_

from rulesengine.support.frozen import record

_WORD = 8


@record
class WeightPlanes:
    """The bytes of weights: the low bytes of all numbers come first.

    A number has `width` bytes, with a sign, in units of `unit`, a power of two.
    """

    unit: int
    width: int
    planes: bytes


def weight_planes(words: bytes) -> WeightPlanes:
    """Return 64-bit words as planes of bytes; without words there are none."""
    numbers = memoryview(words).cast("q")
    common = reduce(or_, numbers, 0)
    unit = common & -common or 1
    scaled = array("q", (number // unit for number in numbers))
    most = max(max(scaled, default=0), -1 - min(scaled, default=0))
    width = most.bit_length() // _WORD + 1
    plain = b"".join(number.to_bytes(width, "little", signed=True) for number in scaled)
    return WeightPlanes(unit, width, b"".join(plain[place::width] for place in range(width)))
