"""Kernel code compiled by Python, with the helper functions that it calls."""

import marshal
import sys
from collections.abc import Callable, Sequence
from typing import Any

from rulesengine.engine.drivers.random import mix
from rulesengine.engine.kernel.backends.code_image import Image
from rulesengine.engine.kernel.backends.python import memory
from rulesengine.support.limits import INTEGER_MAX, INTEGER_MIN

_WORD = 2**64 - 1


class _Failed(Exception):
    """A failure of the code; the interpreter finds the reason."""


class Compiled:
    """The entry points of an image as functions for one thread at a time."""

    def __init__(self, image: Image) -> None:
        self.image = image
        self._marks = [0]
        names: dict[str, Any] = {
            "_Failed": _Failed,
            "_checked": _checked,
            "_fold": _fold,
            "_marks": self._marks,
            "_met": _has_sizes,
            "_mix": mix,
            "_nth": _nth,
            "_pick": _pick,
            **{f"_{name}": helper for name, helper in memory.helpers().items()},
        }
        exec(marshal.loads(image.code), names)  # noqa: S102 (our own, kept under a MAC)
        self._functions: dict[str, Callable[..., Any]] = {n: names[n] for n in image.entries}

    @property
    def fast(self) -> dict[str, Callable[..., Any]]:
        """Return no callables: here they would not be faster."""
        return {}

    @property
    def line(self) -> None:
        return None

    @property
    def is_final(self) -> bool:
        return True

    def wait_until_final(self, seconds: float) -> bool:
        return True

    @property
    def mark(self) -> int:
        """Return the last number marked."""
        return self._marks[0]

    def call(self, name: str, args: Sequence[Any]) -> tuple[Any, ...] | None:
        """Return the results of an entry point, None if it fails. Raises Stopped."""
        try:
            return self._functions[name](*args)  # type: ignore[no-any-return]
        except (_Failed, ZeroDivisionError, RecursionError):
            return None

    def bound(self, name: str, args: Sequence[Any]) -> Callable[[], bool]:
        """Return a function that calls an entry point with these arguments; True if it succeeds."""
        return lambda: self.call(name, args) is not None


def load_image(image: Image) -> Compiled | None:
    """Load the code of an image; None if another version of Python compiled it."""
    return Compiled(image) if image.maker == maker() else None


def maker() -> str:
    """Return the version of Python, which bytecode depends on."""
    return f"{sys.implementation.cache_tag} {sys.version}"


def _checked(number: int) -> int:
    if not INTEGER_MIN <= number <= INTEGER_MAX:
        raise _Failed
    return number


def _has_sizes(history: Sequence[tuple[int, ...]], *sizes: int) -> bool:
    """True if the sets of an earlier position have these sizes."""
    return any(sizes == tuple(map(int.bit_count, before[1:])) for before in history)


def _nth(mask: int, index: int) -> int:
    """Return the cell at an index in a set, in ascending order."""
    return _pick(mask, index).bit_length() - 1


def _pick(mask: int, index: int) -> int:
    """Return the set of the cell at an index; empty if there is no such cell."""
    if index < 0:
        return 0
    while index > 0 and mask:
        mask &= mask - 1
        index -= 1
    return mask & -mask


def _fold(total: int, mask: int) -> int:
    while True:
        total = mix(total ^ mask & _WORD)
        mask >>= 64
        if not mask:
            return total
