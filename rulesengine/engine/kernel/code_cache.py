"""An on-disk cache of compiled kernels, keyed by the program. See decision 039."""

import json
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from functools import cached_property

from rulesengine.engine.kernel.backends.callables import CallableSpec
from rulesengine.engine.kernel.backends.code_image import Image
from rulesengine.engine.kernel.backends.protocol import Backend, CompiledModule, StampedStore
from rulesengine.errors import RulesError
from rulesengine.language.ir.json_table import pack
from rulesengine.language.ir.program import Program
from rulesengine.support.cache import digest

_KIND = "kernel"


class CodeCache:
    """The cached parts of one program for one back end.

    Emission is deterministic, so a key does not depend on the emitted code. It is a digest of the
    program, the part, the back end and the stamp of the code generator's sources.
    """

    def __init__(self, program: Program, backend: Backend, store: StampedStore) -> None:
        self._program, self._backend, self._store = program, backend, store

    def has(self, part: str) -> bool:
        """True if a part is cached, possibly by another machine that shares the cache."""
        return self._store.has(_KIND, self._key(part))

    def load(
        self, part: str, fasts: Callable[[Collection[str]], Mapping[str, CallableSpec]]
    ) -> CompiledModule | None:
        """Load a cached part; None if there is none, or if it does not load on this machine."""
        data = self._store.get(_KIND, self._key(part))
        if data is None:
            return None
        try:
            image = Image.from_bytes(data)
            return self._backend.reloaded(image, self._store, fasts(image.entries))
        except (RulesError, TypeError, ValueError):
            return None

    def lock(self, part: str) -> AbstractContextManager[None]:
        """Return a lock to compile a part."""
        return self._store.lock(self._key(part))

    def store(self, part: str, module: CompiledModule) -> None:
        if module.image is not None:
            self._store.put(_KIND, self._key(part), module.image.to_bytes())

    @property
    def program_key(self) -> bytes:
        """Return the key of entries for the program as a whole."""
        return self._key("")

    def _key(self, part: str) -> bytes:
        parts = (part, self._backend.name, str(self._backend.seats))
        return digest(self._store.stamp, self._packed, *map(str.encode, parts))

    @cached_property
    def _packed(self) -> bytes:
        return json.dumps(pack((self._program,)), separators=(",", ":")).encode()
