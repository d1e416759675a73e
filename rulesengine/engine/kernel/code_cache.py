"""Kernels kept from run to run, under the program that they are made of."""

import json
from collections.abc import Callable, Collection, Mapping
from functools import cached_property

from rulesengine.engine.kernel.backends.callables import Fast
from rulesengine.engine.kernel.backends.code_image import Image
from rulesengine.engine.kernel.backends.protocol import Backend, Compiled, StampedStore
from rulesengine.errors import RulesError
from rulesengine.language.ir.json_table import pack
from rulesengine.language.ir.program import Program
from rulesengine.support.cache import digest

_KIND = "kernel"


class Images:
    """The parts of a program by one back end, in a store.

    Emission makes the same of the same, so a part need not be emitted to know that it is kept:
    its key is the program, and the stamp of all that makes kernels.
    """

    def __init__(self, program: Program, backend: Backend, store: StampedStore) -> None:
        self._program, self._backend, self._store = program, backend, store

    def has(self, part: str) -> bool:
        """Whether a part is kept, maybe by another machine that has the same cache."""
        return self._store.has(_KIND, self._key(part))

    def load(
        self, part: str, fasts: Callable[[Collection[str]], Mapping[str, Fast]]
    ) -> Compiled | None:
        """A part that is kept; None where there is none, or where it does not load here."""
        data = self._store.get(_KIND, self._key(part))
        if data is None:
            return None
        try:
            image = Image.from_bytes(data)
            return self._backend.reloaded(image, self._store, fasts(image.entries))
        except (RulesError, TypeError, ValueError):
            return None

    def keep(self, part: str, made: Compiled) -> None:
        if made.image is not None:
            self._store.put(_KIND, self._key(part), made.image.to_bytes())

    @property
    def whole(self) -> bytes:
        """The key of what is kept of the program as a whole."""
        return self._key("")

    def _key(self, part: str) -> bytes:
        told = (part, self._backend.name, str(self._backend.seats))
        return digest(self._store.stamp, self._packed, *map(str.encode, told))

    @cached_property
    def _packed(self) -> bytes:
        return json.dumps(pack((self._program,)), separators=(",", ":")).encode()
