"""Type checks that run next to other tests: mypy alone would leave a core idle."""

import sys
from importlib.util import find_spec

import pytest

from tests.helpers.processes import ROOT, running


@pytest.mark.slow
@pytest.mark.first
@pytest.mark.skipif(find_spec("mypy") is None, reason="mypy is not installed")
def test_types_are_right() -> None:
    with running(sys.executable, "-m", "mypy", folder=ROOT) as mypy:
        out, err = mypy.communicate()
    assert mypy.returncode == 0, (out + err).decode()
