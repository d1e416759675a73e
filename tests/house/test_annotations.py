"""Type checks that run next to other tests: mypy alone would leave a core idle."""

import sys
from importlib.util import find_spec

import pytest

from tests.helpers.processes import ROOT, running


@pytest.mark.slow
@pytest.mark.first
@pytest.mark.skipif(find_spec("mypy") is None, reason="mypy is not installed")
@pytest.mark.parametrize(
    "folders",
    [
        pytest.param(("rulesengine", "examples", "website"), id="package"),
        pytest.param((), id="all"),
    ],
)
def test_types_are_right(folders: tuple[str, ...]) -> None:
    """Without a folder mypy checks all of its configuration, also tests: twice the time."""
    with running(sys.executable, "-m", "mypy", *folders, folder=ROOT) as mypy:
        out, err = mypy.communicate()
    assert mypy.returncode == 0, (out + err).decode()
