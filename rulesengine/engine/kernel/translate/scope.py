"""The names of a driver as it is read: what each holds, where it is given and where it is used."""

from collections.abc import Iterator
from contextlib import contextmanager

from rulesengine.engine.kernel.translate.nodes import Kind

_Path = tuple[int, ...]
_OF_MOVES = ("moves", "move")


class Scope:
    """What is known at a place of the source.

    A name holds values of one kind. Where it is given in one place and used in the same block
    only, what it holds is a value, else it is a variable. Names of moves are known to the end of
    the block that gives them, and as long as their state keeps its name.
    """

    def __init__(self, params: tuple[tuple[str, Kind], ...]) -> None:
        self.kinds: dict[str, Kind] = {}
        # The names that hold something, those of moves with the name of their state.
        self.known: dict[str, str] = {}
        self.left: dict[str, str] = {}
        self._path: _Path = ()
        self._blocks = 0
        self._given: dict[str, list[_Path]] = {}
        self._used: dict[str, list[_Path]] = {}
        for name, kind in params:
            self.give(name, kind)

    def give(self, name: str, kind: Kind, source: str = "") -> bool:
        """Let a name hold something, if it holds that kind; moves have the name of their state."""
        if self.kinds.setdefault(name, kind) != kind:
            return False
        self._forget([name])
        self.known[name] = source
        self._given.setdefault(name, []).append(self._path)
        return True

    def _forget(self, changed: list[str]) -> None:
        """Names hold something else: moves of old states are of use no longer."""
        self.known = {
            name: source
            for name, source in self.known.items()
            if source not in changed and not (name in changed and self.kinds[name] in _OF_MOVES)
        }

    def use(self, name: str) -> Kind | None:
        """The kind of a name; None if it does not hold anything there, whatever way is taken."""
        if name not in self.known:
            return None
        self._used.setdefault(name, []).append(self._path)
        return self.kinds[name]

    @contextmanager
    def block(self) -> Iterator[None]:
        """A block inside, after which is known what was before; `left` has what it leaves."""
        before, path = dict(self.known), self._path
        self._blocks += 1
        self._path = (*path, self._blocks)
        yield
        self.left = {n: source for n, source in self.known.items() if not self._stays_inside(n)}
        self._path, self.known = path, before

    def _stays_inside(self, name: str) -> bool:
        """Whether a name of moves is given in the block in hand."""
        paths = (path[: len(self._path)] for path in self._given[name])
        return self.kinds[name] in _OF_MOVES and self._path in paths

    @contextmanager
    def loop(self, changed: list[str]) -> Iterator[None]:
        """A block that is gone through any number of times, which changes some names."""
        self._forget(changed)
        with self.block():
            yield
        self.join([self.known, self.left])

    def join(self, branches: list[dict[str, str]]) -> None:
        """Know what every branch leaves that comes to its end."""
        if branches:
            first, *rest = branches
            self.known = {n: s for n, s in first.items() if all(n in other for other in rest)}

    def variables(self) -> tuple[tuple[str, Kind], ...]:
        """The names that are variables."""
        return tuple((name, self.kinds[name]) for name in self._given if not self._is_value(name))

    def _is_value(self, name: str) -> bool:
        first, *more = self._given[name]
        used = self._used.get(name, ())
        inside = all(path[: len(first)] == first for path in used)
        return self.kinds[name] in (*_OF_MOVES, "game") or (inside and not more)
