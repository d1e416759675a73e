"""A temporary cache for the workers of one command, where the user has no cache."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from rulesengine.support.cache import Cache
from rulesengine.support.leftovers import temporary_folder


@contextmanager
def cache_for_workers() -> Iterator[None]:
    """Provide a temporary cache in the environment for a `with` block, if the user has none.

    Worker processes and threads of a command share it, and compile each kernel once.
    """
    if Cache.open():
        yield
        return
    before = os.environ.get("RULESENGINE_CACHE")
    with temporary_folder("rulesengine-cache-") as folder:
        os.environ["RULESENGINE_CACHE"] = str(folder)
        try:
            yield
        finally:
            if before is None:
                del os.environ["RULESENGINE_CACHE"]
            else:
                os.environ["RULESENGINE_CACHE"] = before
