"""The cache of checked rules: from the texts of a spec to the parts of a game.

A lookup needs two entries, because the parents of a spec are unknown until it is read. The entry
under the spec's own text lists the parents; the entry under all their texts holds the rules.

See decision 011.
"""

from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import Any

from rulesengine.errors import RulesError
from rulesengine.language.ir.json_table import pack, unpack
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import Rules
from rulesengine.support.cache import Cache, digest, directory
from rulesengine.support.frozen import record
from rulesengine.support.resources import find_parent, stamp, stamp_below
from rulesengine.support.source import Source

# The folders with the code that makes kernels; their stamp covers these and the front end.
CODE = ("engine", "notation")
# Computed before the front end is imported: a process that runs while the package is changed then
# stores its results under the stamp of the version that it has loaded.
_PACKAGE = digest(b"rules 1", stamp().encode("utf-8", "surrogatepass"))
Link = tuple[str, int]


@record
class Parts:
    """The parts of a game: its rules, the program of its defaults, the tests of its spec."""

    rules: Rules
    program: Program
    tests: tuple[Any, ...]


class Parents:
    """A finder of the parents that `extends` names, which records the parents found.

    `links` are the names, each with the index of the child in `sources`.
    """

    def __init__(self, source: Source) -> None:
        self.sources = [source]
        self.links: list[Link] = []

    def __call__(self, name: str, child: Source) -> Source:
        """Return the parent of a child; raises UsageError."""
        parent = find_parent(name, child)
        link = name, self.sources.index(child)
        if link not in self.links:
            self.links.append(link)
            self.sources.append(parent)
        return parent


def recall(source: Source) -> Parts | None:
    """Return the cached parts for these texts and this version of the package, or None."""
    cache = Cache.open()
    if cache is None:
        return None
    links = cache.get("parents", _own_key(source))
    parents = _follow(source, links) if links is not None else None
    cached = cache.get("rules", _key(parents)) if parents else None
    return _read(cached) if cached is not None else None


def keep(parents: Parents, parts: Parts) -> None:
    """Store the parts of a spec without findings in the cache."""
    cache = Cache.open()
    if cache is not None:
        table = {"rows": pack((parts.rules, parts.program)), "tests": parts.tests}
        cache.put("rules", _key(parents), _to_json(table))
        cache.put("parents", _own_key(parents.sources[0]), _to_json(parents.links))


class CleanCache:
    """A cache of the texts that this version of a checker has found clean.

    Make it before the checker is imported, because it computes the stamp of the package.
    """

    def __init__(self, *folders: str) -> None:
        self._package = digest(b"clean 1", stamp(*folders).encode("utf-8", "surrogatepass"))

    def is_clean(self, source: Source) -> bool:
        cache = Cache.open()
        links = cache.get("looked", self._key(source)) if cache else None
        parents = _follow(source, links) if links is not None else None
        return bool(
            cache and parents and cache.get("clean", self._key(*parents.sources)) is not None
        )

    def mark_clean(self, parents: Parents) -> None:
        cache = Cache.open()
        if cache is not None:
            cache.put("clean", self._key(*parents.sources), b"clean")
            cache.put("looked", self._key(parents.sources[0]), _to_json(parents.links))

    def _key(self, *sources: Source) -> bytes:
        return digest(self._package, *(text for source in sources for text in _texts(source)))


class DerivedValue:
    """A cache entry with a JSON value derived from several texts by this version of the package."""

    def __init__(self, kind: str, sources: tuple[Source, ...]) -> None:
        texts = (text for source in sources for text in _texts(source))
        self._kind, self._key = kind, digest(_PACKAGE, kind.encode(), *texts)

    def recall(self) -> Any:
        """Return the cached value, or None."""
        cache = Cache.open()
        cached = cache.get(self._kind, self._key) if cache else None
        return _from_json(cached) if cached is not None else None

    def store(self, value: object) -> None:
        cache = Cache.open()
        if cache:
            cache.put(self._kind, self._key, _to_json(value))


class KernelCache:
    """The code of kernels in the same cache; it stays empty if the cache is off at the beginning.

    Background threads may thus outlive a change of the environment.
    """

    def __init__(self) -> None:
        self._is_on = bool(directory())

    @cached_property
    def stamp(self) -> bytes:
        """Return the stamp of the kernel compiler, computed on first use, before its import."""
        below = stamp_below(*CODE)
        return digest(_PACKAGE, below.encode("utf-8", "surrogatepass"))

    def has(self, kind: str, key: bytes) -> bool:
        cache = self._open()
        return cache.has(kind, key) if cache else False

    def get(self, kind: str, key: bytes) -> bytes | None:
        cache = self._open()
        return cache.get(kind, key) if cache else None

    def put(self, kind: str, key: bytes, data: bytes) -> None:
        cache = self._open()
        if cache:
            cache.put(kind, key, data)

    def lock(self, key: bytes) -> AbstractContextManager[None]:
        cache = self._open()
        return cache.lock(key) if cache else nullcontext()

    def _open(self) -> Cache | None:
        return Cache.open() if self._is_on else None


def _follow(source: Source, links: bytes) -> Parents | None:
    """Resolve the cached links to parents again; return None if a parent is gone."""
    parents = Parents(source)
    try:
        for name, child in _from_json(links):
            parents(name, parents.sources[child])
    except (RulesError, LookupError, TypeError, ValueError):
        return None
    return parents


def _read(data: bytes) -> Parts | None:
    try:
        table = _from_json(data)
        rules, program = unpack(table["rows"])
        return Parts(rules, program, tuple(table["tests"]))
    except (LookupError, TypeError, ValueError):
        return None


def _own_key(source: Source) -> bytes:
    return digest(_PACKAGE, b"parents", *_texts(source))


def _key(parents: Parents) -> bytes:
    texts = [text for source in parents.sources for text in _texts(source)]
    return digest(_PACKAGE, b"rules", _to_json(parents.links), *texts)


def _texts(source: Source) -> tuple[bytes, bytes]:
    name, text = source.name, source.text
    return name.encode("utf-8", "surrogatepass"), text.encode("utf-8", "surrogatepass")


def _to_json(value: object) -> bytes:
    import json  # a local import: commands that load no game do not need json

    return json.dumps(value, separators=(",", ":")).encode()


def _from_json(data: bytes) -> Any:
    import json

    return json.loads(data)
