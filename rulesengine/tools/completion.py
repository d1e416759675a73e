"""Hover texts and completions at an offset of a spec, for any editor."""

import re
from collections.abc import Iterator
from typing import Literal

from rulesengine.language.pipeline import Occurrence
from rulesengine.support.frozen import record
from rulesengine.support.resources import bundled_names
from rulesengine.support.source import Source, Span
from rulesengine.tools.explain import Entry, entries, explain, keys_below

Occurrences = tuple[Occurrence, ...]
Kind = Literal[
    "spec", "key", "word", "function", "definition", "effect", "piece", "register", "parameter",
    "player", "name",
]  # fmt: skip

_OWN: frozenset[Kind] = frozenset(
    {"definition", "effect", "piece", "register", "parameter", "player"}
)
_EXPRESSIONS = frozenset({"name", "function", "form", "expression", "effect", "result"})
_LINE = re.compile(r"(\s*(?:- +)*)([A-Za-z_][\w-]*)\s*:")


@record
class Item:
    """A completion: label, kind, meaning, and the inserted text if it differs from the label."""

    label: str
    kind: Kind
    detail: str = ""
    write: str = ""


def hover(source: Source, occurrences: Occurrences, offset: int) -> str:
    """Return the Markdown hover text at an offset: a name of the spec or a word of the language."""
    span = word_at(source, offset)
    if span is None:
        return ""
    own = occurrence_at(source, occurrences, offset)
    if own is not None:
        origin = declaration(occurrences, own.name)
        return f"```yaml\n{origin.text if origin else own.name}\n```\n{own.kind} of this spec"
    meanings, _ = explain(span.text)
    own_entries = tuple(entry for entry in meanings if entry.word.split()[0] == span.text)
    return "\n\n---\n\n".join(
        _hover_text(entry) for entry in _fitting(source, span.end, own_entries or meanings)
    )


def _fitting(source: Source, end: int, meanings: tuple[Entry, ...]) -> list[Entry]:
    """Return the entries of a word: its meanings as a key before a colon, otherwise the others."""
    path = _path(source, source.position(end)[0])
    is_key = source.text[end : end + 1] == ":"
    keys = [entry for entry in meanings if _is_key(entry) and is_key]
    here = [entry for entry in keys if entry.kind == _kind_below(path)]
    return here or keys or [e for e in meanings if not _is_key(e)] or list(meanings)


def _is_key(entry: Entry) -> bool:
    return entry.kind.startswith("key of") or entry.kind == "section of a spec"


def _kind_below(path: tuple[str, ...]) -> str:
    return f"key of `{path[-1]}`" if path else "section of a spec"


def _hover_text(entry: Entry) -> str:
    lines = [f"**{entry.word}** ({entry.kind})", f"```yaml\n{entry.syntax}\n```", entry.meaning]
    if entry.examples:
        lines.append("```yaml\n" + "\n".join(entry.examples) + "\n```")
    return "\n\n".join(line for line in lines if line)


def completions(source: Source, occurrences: Occurrences, offset: int) -> list[Item]:
    """Return the completions at an offset.

    These are keys where a key may begin, parents after `extends`, and otherwise words of the
    language and names of the spec.
    """
    line, column = source.position(offset)
    before = source.line_text(line)[: column - 1]
    if before.startswith("extends:"):
        return [Item(name, "spec") for name in bundled_names()]
    if re.fullmatch(r"\s*(- +)*[A-Za-z_]*", before):
        keys = keys_below(_path(source, line))
        if keys:
            return [Item(key, "key", meaning, f"{key}: ") for key, meaning in keys.items()]
    return [*_own(occurrences), *_words()]


def _path(source: Source, line: int) -> tuple[str, ...]:
    """Return the keys above a line, found by indentation."""
    indent = _indent(source.line_text(line))
    path: list[str] = []
    for number in range(line - 1, 0, -1):
        match = _LINE.match(source.line_text(number))
        if match and len(match[1]) < indent and not _is_sibling(source, number, indent):
            path.append(match[2])
            indent = _outer(source.line_text(number))
    return tuple(reversed(path))


def _indent(line: str) -> int:
    """Return the column where a line's text begins, after the dashes of a list."""
    match = re.match(r"\s*(?:- +)*", line)
    return match.end() if match else 0


def _outer(line: str) -> int:
    """Return the column where a line begins; a dash counts as one column inside its key."""
    blanks = len(line) - len(line.lstrip(" "))
    return blanks + 1 if line.lstrip(" ").startswith("- ") else blanks


def _is_sibling(source: Source, line: int, indent: int) -> bool:
    return _indent(source.line_text(line)) >= indent


def _own(occurrences: Occurrences) -> Iterator[Item]:
    for one in occurrences:
        if one.text:
            kind: Kind = next((kind for kind in _OWN if kind == one.kind), "name")
            yield Item(one.name, kind, one.text)


def _words() -> Iterator[Item]:
    for entry in entries(only="no key at all"):
        if entry.kind in _EXPRESSIONS and entry.word.isidentifier():
            is_function = entry.kind in ("function", "form")
            yield Item(entry.word, "function" if is_function else "word", entry.meaning)


def occurrence_at(source: Source, occurrences: Occurrences, offset: int) -> Occurrence | None:
    """Return the name at an offset, or None."""
    for one in occurrences:
        if one.span.source == source and one.span.start <= offset <= one.span.end:
            return one
    return None


def declaration(occurrences: Occurrences, name: str) -> Occurrence | None:
    """Return the occurrence that declares a name, or None."""
    return next((one for one in occurrences if one.name == name and one.text), None)


def word_at(source: Source, offset: int) -> Span | None:
    """Return the span of the word at an offset; a word may contain hyphens, as codes do."""
    line, column = source.position(offset)
    start = offset - column + 1
    for match in re.finditer(r"[A-Za-z_][A-Za-z0-9_-]*", source.line_text(line)):
        if match.start() <= column - 1 <= match.end():
            return Span(source, start + match.start(), start + match.end())
    return None
