"""Words that people type for those of the language, from `grammars/synonyms.txt`, and forms."""

from collections.abc import Iterator

from rulesengine.support.resources import read_text


def synonyms() -> dict[str, tuple[str, ...]]:
    """Return the words of the language for each other word."""
    lines = read_text("grammars/synonyms.txt").splitlines()
    rows = (line.rpartition(": ") for line in lines if line and not line.startswith("#"))
    return {word: tuple(meant.split(", ")) for word, _, meant in rows}


def forms(word: str) -> Iterator[str]:
    """Yield a word in small letters, in the singular, in the plural, and in British spelling."""
    small = word.lower()
    for one in dict.fromkeys((small, small.replace("bor", "bour"), small.replace("olor", "olour"))):
        yield one
        yield from _numbers(one)


def _numbers(word: str) -> Iterator[str]:
    if word.endswith("ies"):
        yield f"{word.removesuffix('ies')}y"
    if word.endswith("es"):
        yield word.removesuffix("es")
    if word.endswith("s"):
        yield word.removesuffix("s")
    elif word:
        yield f"{word}s"
