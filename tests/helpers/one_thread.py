"""Functions that are replaced for one thread; earlier tests may compile kernels in others."""

from collections.abc import Callable
from threading import get_ident
from typing import Any


def in_this_thread(replacement: Callable[..., Any], real: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls the replacement in this thread, and the real one in others."""
    here = get_ident()

    def called(*arguments: Any, **keywords: Any) -> Any:
        function = replacement if get_ident() == here else real
        return function(*arguments, **keywords)

    return called
