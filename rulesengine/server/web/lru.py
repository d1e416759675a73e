"""Values that are kept for whoever asks again, the last few of them."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Kept(Generic[K, V]):
    """Values by their keys, the last few that were asked for."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values = OrderedDict[K, V]()

    def get(self, key: K, make: Callable[[], V]) -> V:
        """The value of a key; it is made where it is not kept."""
        found = self._values.get(key)
        if found is None:
            found = make()
        self.put(key, found)
        return found

    def find(self, keys: Iterable[K]) -> V | None:
        """The value of the first key that is kept."""
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
