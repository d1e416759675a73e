"""A least-recently-used cache."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LruCache(Generic[K, V]):
    """A mapping that evicts the least recently used entry when it is full."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values = OrderedDict[K, V]()

    def get(self, key: K, make: Callable[[], V]) -> V:
        """Return the value of a key, computed on a miss."""
        value = self._values.get(key)
        if value is None:
            value = make()
        self.put(key, value)
        return value

    def find(self, keys: Iterable[K]) -> V | None:
        """Return the value of the first key in the cache, or None."""
        key = next((key for key in keys if key in self._values), None)
        if key is None:
            return None
        self._values.move_to_end(key)
        return self._values[key]

    def put(self, key: K, value: V) -> None:
        self._values[key] = value
        self._values.move_to_end(key)
        if len(self._values) > self._most:
            self._values.popitem(last=False)
