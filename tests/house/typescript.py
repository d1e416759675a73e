"""Comments and identifiers of TypeScript and JavaScript sources, found by a regular expression."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("web", "editors", "website", "tests")
BUILT = frozenset({"node_modules", "dist", "out", "assets"})
SUFFIXES = frozenset({".ts", ".mjs", ".cjs", ".js"})
# A string, a template or a regular expression hides comment signs and words that are no code.
# A division is no regular expression: the formatter puts a space after its sign.
TOKEN = re.compile(
    r"(?P<block>/\*.*?\*/)|(?P<line>//[^\n]*)"
    r"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|(?P<template>`(?:\\.|[^`\\])*`)"
    r"|(?<=[(\s])/(?![/*\s])(?:\[(?:\\.|[^\]\\\n])*\]|\\.|[^/\\\n\[])+/",
    re.DOTALL,
)
FUNCTION = re.compile(
    r"\s*(?:export\s+)?(?:default\s+)?(?:(?:private|protected|override|static|async)\s+)*"
    r"(?!get\b|set\b|if\b|for\b|while\b|switch\b|constructor\b)"
    r"(?:function\s*\*?\s*\w+|\*?\w+\??)\s*(?:<[^(]*>)?\("
)


@dataclass(frozen=True, slots=True)
class Comment:
    """The text of a comment, without its signs."""

    text: str
    line: int
    is_block: bool
    # True if a declaration of a function or a method follows.
    is_of_function: bool


def sources() -> list[Path]:
    """Return the hand-written files of the repository."""
    found = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.*"))
    return sorted(path for path in found if path.suffix in SUFFIXES and not is_built(path))


def is_built(path: Path) -> bool:
    """True if a file is installed or generated."""
    return not BUILT.isdisjoint(path.relative_to(ROOT).parts)


def comments(source: str) -> Iterator[Comment]:
    """Yield the comments of a source; adjacent line comments are one."""
    last: re.Match[str] | None = None
    text, first = "", 0
    for found in TOKEN.finditer(source):
        if found["block"]:
            inner = re.sub(r"^\s*\*+ ?", "", found["block"].strip("/*"), flags=re.MULTILINE)
            is_function = FUNCTION.match(source, found.end()) is not None
            yield Comment(inner.strip(), line_of(source, found.start()), True, is_function)
        elif found["line"]:
            is_next = last is not None and not source[last.end() : found.start()].strip(" \n")
            if last is not None and not is_next:
                yield Comment(text.strip(), line_of(source, first), False, False)
            text = f"{text} {found['line'][2:]}" if is_next else found["line"][2:]
            first, last = (first if is_next else found.start()), found
    if last is not None:
        yield Comment(text.strip(), line_of(source, first), False, False)


def line_of(source: str, offset: int) -> int:
    return source.count("\n", 0, offset) + 1


def words_of_code(source: str) -> Iterator[str]:
    """Yield the words of identifiers in lower case: `isAtEnd` has `is`, `at` and `end`."""
    code = TOKEN.sub(lambda found: found["template"] or " ", source)
    for name in re.findall(r"[A-Za-z_$][\w$]*", code):
        for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name):
            yield word.lower()
