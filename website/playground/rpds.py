"""A replacement of the extension module `rpds`, which is not built for WebAssembly.

`jsonschema` and `referencing` use these methods of its persistent collections. Each change copies
the collection, which is fast enough for a registry of a few schemas.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any


class HashTrieMap(Mapping[Any, Any]):
    """An immutable map."""

    def __init__(self, *args: Any, **more: Any) -> None:
        self._items = dict(*args, **more)

    @classmethod
    def convert(cls, value: Any) -> "HashTrieMap":
        """Return a map with the items of a mapping."""
        return value if isinstance(value, cls) else cls(value)

    def __getitem__(self, key: Any) -> Any:
        return self._items[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def insert(self, key: Any, value: Any) -> "HashTrieMap":
        """Return the map with another item."""
        return HashTrieMap({**self._items, key: value})

    def remove(self, key: Any) -> "HashTrieMap":
        """Return the map without a key. Raises KeyError."""
        rest = dict(self._items)
        del rest[key]
        return HashTrieMap(rest)

    def update(self, *args: Any, **more: Any) -> "HashTrieMap":
        """Return the map with the items of a mapping or of pairs."""
        return HashTrieMap({**self._items, **dict(*args, **more)})


class HashTrieSet(frozenset[Any]):
    """An immutable set."""

    def insert(self, item: Any) -> "HashTrieSet":
        """Return the set with another item."""
        return HashTrieSet(self | {item})

    def remove(self, item: Any) -> "HashTrieSet":
        """Return the set without an item. Raises KeyError."""
        rest = set(self)
        rest.remove(item)
        return HashTrieSet(rest)

    def update(self, *others: Iterable[Any]) -> "HashTrieSet":
        """Return the set with the items of others."""
        return HashTrieSet(self.union(*others))


class List(tuple[Any, ...]):
    """An immutable list."""

    __slots__ = ()

    def push_front(self, item: Any) -> "List":
        """Return the list with another first item."""
        return List((item, *self))
