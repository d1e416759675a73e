"""The environment variables of workers, and the suspension of the cache."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_HANDED_ON = ("HOME", "LANG", "LC_ALL", "PATH", "RULESENGINE_CACHE", "TMPDIR", "XDG_CACHE_HOME")
_CACHE = "RULESENGINE_CACHE"


def for_workers() -> dict[str, str]:
    """Return the environment of a worker: selected variables and the import path."""
    values = {name: os.environ[name] for name in _HANDED_ON if name in os.environ}
    return {**values, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONSAFEPATH": "1"}


@contextmanager
def without_cache() -> Iterator[None]:
    """Disable the cache while an untrusted text is processed."""
    values = os.environ.get(_CACHE)
    os.environ[_CACHE] = ""
    try:
        yield
    finally:
        os.environ.pop(_CACHE)
        if values is not None:
            os.environ[_CACHE] = values
