"""The transposition table of a search: guaranteed bounds of entries, computed by hand."""

import pytest

from rulesengine.engine.drivers.search.layout import AT_LEAST, AT_MOST, EXACT
from rulesengine.engine.drivers.search.transposition_table import is_cutoff, packed

ALPHA, BETA = 4, 5


@pytest.mark.parametrize(
    ("bound", "value", "served"),
    [
        (EXACT, 3, True),
        (EXACT, 9, True),
        (AT_LEAST, 5, True),
        (AT_LEAST, 4, False),
        (AT_MOST, 4, True),
        (AT_MOST, 5, False),
    ],
)
def test_a_bound_serves_on_its_side_of_the_window(bound: int, value: int, served: bool) -> None:
    data = packed(value, bound, 3, False, 0)
    assert is_cutoff(data, value, 3, ALPHA, BETA, False) is served


@pytest.mark.parametrize(
    ("whole", "depths"),
    [
        (False, [3]),
        # No position below was estimated: a deeper search returns the same.
        (True, [3, 4, 5]),
    ],
)
def test_an_entry_serves_its_depth_and_if_it_is_whole_greater_ones(
    whole: bool, depths: list[int]
) -> None:
    data = packed(7, EXACT, 3, whole, 0)
    served = [depth for depth in range(1, 6) if is_cutoff(data, 7, depth, ALPHA, BETA, False)]
    assert served == depths


def test_an_entry_of_a_greater_depth_serves_a_selective_search() -> None:
    data = packed(7, EXACT, 3, False, 0)
    served = [depth for depth in range(1, 6) if is_cutoff(data, 7, depth, ALPHA, BETA, True)]
    assert served == [1, 2, 3]
