"""Two hundred clients for a minute, a quarter of them hostile."""

import os

import pytest

from tests.crowd import crowd, part

pytestmark = [
    pytest.mark.deep,
    pytest.mark.skipif(os.name != "posix", reason="workers are forked"),
]


def test_honest_clients_are_served_among_hostile_ones() -> None:
    found = crowd(200, 60)
    assert part(0.95, found.clicks + found.edits) < 0.5
    assert found.unanswered == 0
    assert found.memory < 2**31
    assert found.left == 0
