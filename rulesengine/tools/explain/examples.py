"""The examples of words, read from `grammars/examples.txt`."""

from dataclasses import dataclass

from rulesengine.support.resources import read_text


@dataclass(frozen=True, slots=True)
class Example:
    """An example text of the language: `kind` is its place in a spec, `word` the word it shows."""

    kind: str
    word: str
    text: str


def examples() -> tuple[Example, ...]:
    """Return all examples in the order of the file."""
    collected: list[Example] = []
    kind, word = "", ""
    for line in read_text("grammars/examples.txt").splitlines():
        if line.startswith("== "):
            kind = line.removeprefix("== ")
        elif line.startswith("- ") and word:
            collected.append(Example(kind, word, line.removeprefix("- ")))
        elif line.startswith("  "):
            last = collected.pop()
            collected.append(Example(kind, word, f"{last.text}\n{line.removeprefix('  ')}"))
        elif line and not line.startswith("# "):
            word = line
    return tuple(collected)
