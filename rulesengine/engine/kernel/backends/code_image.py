"""Cached code of a module: its entry points and its code, without the module that it came from."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from rulesengine.support.frozen import record

if TYPE_CHECKING:
    from rulesengine.engine.kernel.code.form import Module

_HEAD = 8  # the number of bytes of the length of the description


@record
class Image:
    """The code of a module, ready to be loaded by the back end that compiled it.

    - `entries`: the types of the parameters and of the results of each entry point.
    - `maker`: a description of the compiler and the machine, which must be equal at load time.
    - `code`: the code, or its cache key.
    - `words`: words of memory of a set of cells, for machine code.
    - `context`: bytes of a thread's context record, for machine code.
    """

    entries: Mapping[str, tuple[str, str]]
    maker: str
    code: bytes
    words: int = 1
    context: int = 0

    def to_bytes(self) -> bytes:
        header = json.dumps([dict(self.entries), self.maker, self.words, self.context]).encode()
        return len(header).to_bytes(_HEAD, "little") + header + self.code

    @classmethod
    def from_bytes(cls, data: bytes) -> "Image":
        """Decode an image. Raises ValueError for invalid data."""
        end = _HEAD + int.from_bytes(data[:_HEAD], "little")
        entries, maker, words, context = json.loads(data[_HEAD:end])
        pairs = {name: (params, results) for name, (params, results) in entries.items()}
        return cls(pairs, maker, data[end:], words, context)


def entries_of(module: "Module") -> dict[str, tuple[str, str]]:
    """Return the types of the parameters and of the results of a module's entry points."""
    return {
        name: ("".join(param.type for param in function.params), "".join(function.results))
        for name, function in module.functions.items()
        if function.entry
    }
