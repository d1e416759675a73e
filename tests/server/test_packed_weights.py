"""Learned weights in the page of a game: planes of bytes that a browser turns into words."""

from array import array

import pytest

from rulesengine.server.export.packed_weights import WeightPlanes, weight_planes


def numbers_of(packed: WeightPlanes) -> list[int]:
    """Return the numbers of planes, by the definition of the format."""
    count = len(packed.planes) // packed.width
    rows = [packed.planes[place * count : (place + 1) * count] for place in range(packed.width)]
    texts = zip(*rows, strict=True)
    return [packed.unit * int.from_bytes(bytes(text), "little", signed=True) for text in texts]


@pytest.mark.parametrize(
    ("numbers", "unit", "width"),
    [
        ([0, 0], 1, 1),
        ([3, -4, 127, -128], 1, 1),
        ([128, 0], 128, 1),
        ([255, -1], 1, 2),
        ([-(2**31), 2**20], 2**20, 2),
        ([2**52, -1], 1, 7),
        ([], 1, 1),
    ],
)
def test_planes_hold_the_numbers_in_as_few_bytes_as_possible(
    numbers: list[int], unit: int, width: int
) -> None:
    packed = weight_planes(array("q", numbers).tobytes())
    assert (packed.unit, packed.width) == (unit, width)
    assert numbers_of(packed) == numbers
