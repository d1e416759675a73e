"""Scopes of drivers: the kind of each name, where it is assigned and where it is used."""

from collections.abc import Iterator
from contextlib import contextmanager

from rulesengine.engine.kernel.translate.nodes import Kind

_Path = tuple[int, ...]
_OF_MOVES = ("moves", "move")


class Scope:
    """The names in scope at a place of the source.

    A name has one kind. A name assigned once and used only within the same block is a value, any
    other one a variable. A name of moves is in scope until the end of its block, unless the name of
    its state is assigned again.
    """

    def __init__(self, params: tuple[tuple[str, Kind], ...]) -> None:
        self.kinds: dict[str, Kind] = {}
        # The names in scope; names of moves map to the name of their state.
        self.sources: dict[str, str] = {}
        self.block_end: dict[str, str] = {}
        self._path: _Path = ()
        self._blocks = 0
        self._assignments: dict[str, list[_Path]] = {}
        self._used: dict[str, list[_Path]] = {}
        for name, kind in params:
            self.assign(name, kind)

    def assign(self, name: str, kind: Kind, source: str = "") -> bool:
        """Assign a name; False if it has another kind. `source` is the state of moves, by name."""
        if self.kinds.setdefault(name, kind) != kind:
            return False
        self._forget([name])
        self.sources[name] = source
        self._assignments.setdefault(name, []).append(self._path)
        return True

    def _forget(self, changed: list[str]) -> None:
        """Drop assigned names of moves from the scope, and the moves of reassigned states."""
        self.sources = {
            name: source
            for name, source in self.sources.items()
            if source not in changed and not (name in changed and self.kinds[name] in _OF_MOVES)
        }

    def use(self, name: str) -> Kind | None:
        """Return the kind of a name; None if it may be unassigned on some path."""
        if name not in self.sources:
            return None
        self._used.setdefault(name, []).append(self._path)
        return self.kinds[name]

    @contextmanager
    def block(self) -> Iterator[None]:
        """Enter an inner block; afterwards the outer scope is restored, and `left` has the scope at
        its end.
        """
        before, path = dict(self.sources), self._path
        self._blocks += 1
        self._path = (*path, self._blocks)
        yield
        self.block_end = {
            n: source for n, source in self.sources.items() if not self._stays_inside(n)
        }
        self._path, self.sources = path, before

    def _stays_inside(self, name: str) -> bool:
        """True if a name of moves is assigned in the current block."""
        paths = (path[: len(self._path)] for path in self._assignments[name])
        return self.kinds[name] in _OF_MOVES and self._path in paths

    @contextmanager
    def loop(self, changed: list[str]) -> Iterator[None]:
        """Enter the body of a loop that assigns some names."""
        self._forget(changed)
        with self.block():
            yield
        self.join([self.sources, self.block_end])

    def join(self, branches: list[dict[str, str]]) -> None:
        """Set the scope to the intersection of those at the ends of the branches."""
        if branches:
            first, *rest = branches
            self.sources = {n: s for n, s in first.items() if all(n in other for other in rest)}

    def variables(self) -> tuple[tuple[str, Kind], ...]:
        """Return the names that are variables."""
        return tuple(
            (name, self.kinds[name]) for name in self._assignments if not self._is_value(name)
        )

    def _is_value(self, name: str) -> bool:
        first, *more = self._assignments[name]
        used = self._used.get(name, ())
        inside = all(path[: len(first)] == first for path in used)
        return self.kinds[name] in (*_OF_MOVES, "game") or (inside and not more)
