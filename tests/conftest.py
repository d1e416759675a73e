"""Settings that all tests share."""

import os

import pytest
from hypothesis import settings

# The gate must say the same twice; at the desk each run tries new examples.
settings.register_profile("desk", deadline=None)
settings.register_profile("gate", deadline=None, derandomize=True)
settings.load_profile("gate" if os.environ.get("CI") else "desk")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite the golden files")


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be rewritten rather than compared."""
    return bool(request.config.getoption("--update-golden"))
