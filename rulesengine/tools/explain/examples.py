"""The examples of words, read from `grammars/examples.txt`."""

from dataclasses import dataclass

from rulesengine.support.resources import read_text


@dataclass(frozen=True, slots=True)
class Example:
    """A text of the language: `kind` says where it may stand, `word` what it shows."""

    kind: str
    word: str
    text: str


def examples() -> tuple[Example, ...]:
    """All examples in the order of the file."""
    found: list[Example] = []
    kind, word = "", ""
    for line in read_text("grammars/examples.txt").splitlines():
        if line.startswith("== "):
            kind = line.removeprefix("== ")
        elif line.startswith("- ") and word:
            found.append(Example(kind, word, line.removeprefix("- ")))
        elif line.startswith("  "):
            last = found.pop()
            found.append(Example(kind, word, f"{last.text}\n{line.removeprefix('  ')}"))
        elif line and not line.startswith("# "):
            word = line
    return tuple(found)
