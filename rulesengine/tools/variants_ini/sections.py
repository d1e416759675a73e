"""Files of variants: sections with keys and values, where a section may derive from another one."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from rulesengine.errors import UsageError
from rulesengine.support.frozen import record
from rulesengine.support.resources import read_text

_HEADER = re.compile(r"\[\s*([^\]:]+?)\s*(?::\s*([^\]]+?)\s*)?\]")
_KEY = re.compile(r"([A-Za-z][A-Za-z0-9_]*)\s*=\s*(.*)")
_MOST_PARENTS = 32
_PIECES, _DEFAULTS = "pieces", "defaults"


@record
class VariantKeys:
    """The keys of a variant and of its parents.

    - `name` is the name of the section.
    - `keys` are the keys with their values.
    - `defaults` are the values of keys that are absent.
    - `pieces` are the moves of the pieces that are known by name, in Betza's notation.
    """

    name: str
    keys: Mapping[str, str]
    defaults: Mapping[str, str]
    pieces: Mapping[str, str]

    def get(self, key: str) -> str:
        """Return the value of a key or its default; empty if there is neither."""
        return self.keys.get(key, self.defaults.get(key, ""))

    def side(self, key: str, side: str) -> str:
        """Return the value of a key for a side, `White` or `Black`, or that for both sides."""
        for name in (key + side, key):
            if name in self.keys:
                return self.keys[name]
        return self.defaults.get(key + side, self.defaults.get(key, ""))

    def is_true(self, key: str) -> bool:
        """True if the value of a key is `true`."""
        return self.get(key) == "true"


def read_variant(text: str, name: str) -> VariantKeys:
    """Return the variant of a section in a file. Raises UsageError."""
    own, known = _sections(text), _sections(read_text("grammars/variants.ini"))
    if name not in own:
        names = ", ".join(own) or "none"
        raise UsageError(f"--from-ini: no section `{name[:40]}`: there is {names[:400]}")
    pieces, defaults = known.pop(_PIECES)[1], known.pop(_DEFAULTS)[1]
    chain: list[Mapping[str, str]] = []
    at: str | None = name
    while at is not None:
        if at not in own and at not in known:
            raise UsageError(f"--from-ini: `{at[:40]}` is not in the file: add its section")
        parent, section = own[at] if at in own else known[at]
        chain.append(section)
        if len(chain) > _MOST_PARENTS:
            raise UsageError(f"--from-ini: `{name[:40]}` derives from itself")
        at = parent if parent != at or at not in own else None
    values: dict[str, str] = {}
    for keys in reversed(chain):
        _override(values, keys, pieces)
    return VariantKeys(name, MappingProxyType(values), defaults, pieces)


def _override(values: dict[str, str], keys: Mapping[str, str], pieces: Mapping[str, str]) -> None:
    """Set the keys of a section; a piece replaces an inherited one with the same letter."""
    for key, value in keys.items():
        if is_piece(key, pieces) and value:
            for other in [k for k, v in values.items() if is_piece(k, pieces) and k != key]:
                if values[other][:1].lower() == value[0].lower():
                    del values[other]
        values[key] = value


def is_piece(key: str, pieces: Mapping[str, str]) -> bool:
    """True if a key gives a piece its letter."""
    return key in pieces or re.fullmatch(r"customPiece[0-9]{1,2}", key) is not None


def _sections(text: str) -> dict[str, tuple[str | None, dict[str, str]]]:
    """Return the parent and the keys of each section. Raises UsageError."""
    sections: dict[str, tuple[str | None, dict[str, str]]] = {}
    keys: dict[str, str] | None = None
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if not line or line[0] in "#;":
            continue
        if header := _HEADER.fullmatch(line):
            keys = {}
            sections[header[1]] = (header[2], keys)
        elif (match := _KEY.fullmatch(line)) and keys is not None:
            keys[match[1]] = match[2].strip()
        else:
            raise UsageError(f"--from-ini: line {number}: expected `[NAME]` or `KEY = VALUE`")
    return sections
