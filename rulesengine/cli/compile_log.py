"""The compilations of a command: the current one, and their time where they cannot be cached."""

from collections.abc import Iterator
from contextlib import contextmanager

from rulesengine.cli.output import print_error
from rulesengine.support.cache import Cache, is_switched_off

_LONG = 1.0  # seconds of compilation that are worth a message


class CompileLog:
    """The kernels that are compiled now, and the seconds of those that have been compiled."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._running: list[str] = []

    @property
    def current(self) -> str:
        """Return the kernel that is compiled now, empty if there is none."""
        return next(iter(self._running), "")

    def take(self, kernel: str, seconds: float | None) -> None:
        """Record the start of a compilation or, with its seconds, the end."""
        if seconds is None:
            self._running = [*self._running, kernel]
        else:
            self._running = [name for name in self._running if name != kernel]
            self.seconds += seconds


@contextmanager
def compile_log(*, is_shown: bool) -> Iterator[CompileLog]:
    """Record the compilations of a block, if they are shown or cannot be cached.

    At its end report long ones that were not cached. A cache that is switched off is not reported.
    """
    log, cache = CompileLog(), Cache.find()
    is_lost = isinstance(cache, str) and not is_switched_off()
    if not (is_shown or is_lost):
        yield log
        return
    from rulesengine.engine.background import listening

    with listening(log.take):
        yield log
    if is_lost and log.seconds > _LONG:
        print_error(f"compiling took {log.seconds:.1f} s and cannot be cached: {cache}")
