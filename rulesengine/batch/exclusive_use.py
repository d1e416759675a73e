"""A lock that a second thread does not wait for."""

from threading import Lock

from rulesengine.errors import UsageError


class ExclusiveUse:
    """Locks a batch for a `with` block. Raises UsageError if another thread is using it."""

    __slots__ = ("_acquire", "release")

    def __init__(self) -> None:
        lock = Lock()
        self._acquire, self.release = lock.acquire, lock.release

    def take(self) -> None:
        """Lock the batch, until `release` is called."""
        if not self._acquire(False):
            raise UsageError("another thread is using this batch: use one batch per thread")

    def __enter__(self) -> None:
        self.take()

    def __exit__(self, *error: object) -> None:
        self.release()
