"""pyffish, the library of Fairy-Stockfish, in the version from which tests have their figures."""

from importlib import metadata
from types import ModuleType

import pytest

VERSION = (0, 0, 90)


def fairy_stockfish() -> ModuleType:
    """Return pyffish. Skip the test if it is not installed, or older than the figures."""
    needed = "pyffish " + ".".join(map(str, VERSION))
    library = pytest.importorskip("pyffish", reason=f"{needed} is not installed")
    found = metadata.version("pyffish")
    if tuple(map(int, found.split(".")[:3])) < VERSION:
        pytest.skip(f"the figures are those of {needed}, not of {found}")
    assert isinstance(library, ModuleType)
    return library
