"""Text of other programs for a terminal, without control sequences."""

import re

# ECMA-48: control sequences, control strings up to their terminator, other escape sequences.
_SEQUENCE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f]).*?(?:\x07|\x1b\\|\x9c|$)"
    r"|\x1b[ -/]*[0-~]",
    re.DOTALL,
)


def printable(text: str) -> str:
    """Remove control sequences, and replace other characters that are not printable by `?`."""
    return "".join(c if c.isprintable() else "?" for c in _SEQUENCE.sub("", text))
