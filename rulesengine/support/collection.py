"""A pause of the cyclic garbage collector while many objects are built that all live on."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collection() -> Iterator[None]:
    """Run a block without garbage collections, which would visit its growing graph repeatedly.

    The collector stays off if the caller, or another thread's block, has switched it off before.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
