"""Code as it is kept from run to run: how it is called, and what it is, not how it was made."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from rulesengine.support.frozen import record

if TYPE_CHECKING:
    from rulesengine.engine.kernel.code.form import Module

_HEAD = 8  # bytes that tell how long the description is


@record
class Image:
    """The code of a module, ready to be loaded by the back end that has made it.

    `entries` has the types of the parameters and of the results of each entry point. Of machine
    code, `words` says how many words of memory a set of cells takes, and `context` how many bytes
    a thread's context. `maker` is all that must be the same where it is loaded; `code` is the
    code, or the key that it is kept under.
    """

    entries: Mapping[str, tuple[str, str]]
    maker: str
    code: bytes
    words: int = 1
    context: int = 0

    def to_bytes(self) -> bytes:
        told = json.dumps([dict(self.entries), self.maker, self.words, self.context]).encode()
        return len(told).to_bytes(_HEAD, "little") + told + self.code

    @classmethod
    def from_bytes(cls, data: bytes) -> "Image":
        """Raises ValueError for what is none."""
        end = _HEAD + int.from_bytes(data[:_HEAD], "little")
        entries, maker, words, context = json.loads(data[_HEAD:end])
        pairs = {name: (params, results) for name, (params, results) in entries.items()}
        return cls(pairs, maker, data[end:], words, context)


def entries_of(module: "Module") -> dict[str, tuple[str, str]]:
    """The types of the parameters and of the results of a module's entry points."""
    return {
        name: ("".join(param.type for param in function.params), "".join(function.results))
        for name, function in module.functions.items()
        if function.entry
    }
