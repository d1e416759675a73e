"""Two hundred clients for a minute, a quarter of them hostile.

The delays of the honest ones depend on the machine: `python -m tests.helpers.crowd 200 60` prints
them.
"""

import os

import pytest

from tests.helpers.crowd import crowd

pytestmark = [
    pytest.mark.deep,
    pytest.mark.skipif(os.name != "posix", reason="workers are forked"),
]


def test_honest_clients_are_served_among_hostile_ones() -> None:
    honest = 150
    found = crowd(200, 60)
    assert found.unanswered == 0
    assert len(found.clicks) >= honest
    assert len(found.edits) > 0
    assert found.memory < 2**31
    assert found.left == 0
