"""Explanations of words of the language and of diagnostic codes, from tables, with examples."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from rulesengine.language.check.builtins import EACH, FUNCTIONS, NAMES, OTHER_FORMS
from rulesengine.language.check.script_builtins import SCRIPTED
from rulesengine.language.document.nodes import Mapping
from rulesengine.support.diagnostic import nearest
from rulesengine.support.source import Source
from rulesengine.tools.explain.board_words import board_words
from rulesengine.tools.explain.examples import Example, examples
from rulesengine.tools.explain.finding_codes import Mistake, mistakes, spec_with
from rulesengine.tools.explain.keys import bundled, keys, keys_below, place, uses
from rulesengine.tools.explain.language_versions import since
from rulesengine.tools.explain.synonyms import forms, synonyms
from rulesengine.tools.explain.tables import (
    FORMS,
    KEYS,
    MOVES,
    RESULTS,
    STATEMENTS,
    each_head,
    effects,
    head,
    statements,
)

__all__ = [
    "Entry",
    "Example",
    "Mistake",
    "entries",
    "examples",
    "explain",
    "keys_below",
    "mistakes",
    "spec_with",
]

_COUNT = 3
# Statements with a keyword after their first value.
_PARTED = frozenset({("play", "NUMBER"), ("repeat", "NAME"), ("read", "NUMBER")})
_KINDS = MappingProxyType({"key of a strategy": "key", "result": "end", "word of moves": "piece"})


@dataclass(frozen=True, slots=True)
class Entry:
    """A meaning of a word: its kind, syntax and description.

    The examples of a code are specs with that mistake. `since` is the first version of the language
    that has the word.
    """

    word: str
    kind: str
    syntax: str
    meaning: str
    examples: tuple[str, ...]
    specs: tuple[Source, ...] = ()
    since: int = 1


def explain(word: str) -> tuple[tuple[Entry, ...], str]:
    """Return every meaning of a word, or none and the closest known word.

    The first word of a statement selects all statements that begin with it. A word that the
    language does not have is explained by its singular or plural, or by the keys that take it as a
    value. The words that `grammars/synonyms.txt` gives for it follow.
    """
    query = " ".join(word.split()).removesuffix(":")
    other = synonyms()
    every = entries(only=query)
    matching = _of(query, every)
    if matching:
        matching += [entry for entry in _related(query, other, every) if entry not in matching]
    else:
        matching = _first_form(query, other, every)
    words = list(dict.fromkeys([*(entry.word for entry in every), *other]))
    return tuple(_with_examples(matching)), "" if matching else nearest(query.lower(), words)


def _first_form(
    query: str, other: dict[str, tuple[str, ...]], every: tuple[Entry, ...]
) -> list[Entry]:
    """Return the entries of the first form of a word that has some."""
    for form in forms(query):
        if matching := _of(form, every):
            return matching
        if matching := [entry for entry in every if f"`{form}`" in entry.syntax]:
            return matching
        if matching := _related(form, other, every):
            return matching
    return []


def _related(word: str, other: dict[str, tuple[str, ...]], every: tuple[Entry, ...]) -> list[Entry]:
    """Return the entries of the words that the table of synonyms gives for a word."""
    return [entry for one in other.get(word, ()) for entry in _of(one, every)]


def _of(word: str, every: tuple[Entry, ...]) -> list[Entry]:
    matching = [entry for entry in every if entry.word == word]
    return matching + [
        entry
        for entry in every
        if entry.kind == "statement" and entry.word.split()[0] == word and entry not in matching
    ]


def _with_examples(entries_of_word: list[Entry]) -> list[Entry]:
    """Return entries with the examples of keys, which `entries` gives for one key only."""
    missing = {entry.word for entry in entries_of_word if not entry.examples and not entry.specs}
    full = {(e.word, e.kind): e for word in missing for e in entries(only=word) if e.word == word}
    return [full.get((entry.word, entry.kind), entry) for entry in entries_of_word]


def entries(only: str = "") -> tuple[Entry, ...]:
    """Return an entry for each meaning of every word and for every code.

    `only` restricts the examples of keys to that key, which takes less time.
    """
    shown = _ExampleIndex(examples())
    words = (
        *_expressions(shown),
        *_effects(shown),
        *(_entry(shown, w, "result", s, m) for w, s, m in RESULTS),
        *(_entry(shown, w, "key of a strategy", s, m) for w, s, m in KEYS),
        *(_entry(shown, w, "word of moves", s, m) for w, s, m in MOVES),
        *_statements(shown),
    )
    dated = (replace(entry, since=since(entry.kind, entry.word)) for entry in words)
    board = (Entry(b.word, b.kind, b.word, b.meaning, b.examples) for b in board_words())
    return (*dated, *board, *_keys(shown, only), *(_mistake(mistake) for mistake in mistakes()))


class _ExampleIndex:
    """Examples by kind of text and word."""

    def __init__(self, written: tuple[Example, ...]) -> None:
        self._examples = written

    def of(self, kind: str, word: str) -> tuple[str, ...]:
        return tuple(e.text for e in self._examples if (e.kind, e.word) == (kind, word))[:_COUNT]


def _entry(shown: _ExampleIndex, word: str, kind: str, syntax: str, meaning: str) -> Entry:
    return Entry(word, kind, syntax, meaning, shown.of(_KINDS.get(kind, kind), word))


def _expressions(shown: _ExampleIndex) -> Iterator[Entry]:
    for row in (*NAMES.values(), *FUNCTIONS.values()):
        kind = "function" if row.parameters else "name"
        syntax = f"{head(row)} gives {row.result}"
        texts = shown.of("expression", row.word)
        yield Entry(row.word, kind, syntax, row.meaning, texts)
    for row in SCRIPTED.values():
        syntax = f"{head(row)} gives {row.result}"
        texts = shown.of("statement", row.word)
        yield Entry(row.word, "function of scripts", syntax, row.meaning, texts)
    for word, (argument, gives, meaning) in EACH.items():
        syntax = f"{each_head(word, argument)} gives {gives}"
        yield Entry(word, "form", syntax, meaning, shown.of("expression", word))
    for word, text in OTHER_FORMS.items():
        syntax, _, meaning = text.partition("`: ")
        yield Entry(word, "form", syntax.strip("`"), meaning, shown.of("expression", word))
    for word, syntax, meaning in FORMS:
        yield Entry(word, "expression", syntax, meaning, shown.of("expression", word))


def _effects(shown: _ExampleIndex) -> Iterator[Entry]:
    for word, syntax, meaning in effects():
        yield Entry(word, "effect", syntax, meaning, shown.of("effect", word))


def _statements(shown: _ExampleIndex) -> Iterator[Entry]:
    for name, syntax in statements():
        word = _statement_word(syntax)
        if not word:  # an effect, which has its own entry
            continue
        texts = shown.of("statement", word) or shown.of("statement", " ".join(word.split()[:2]))
        yield Entry(word, "statement", syntax, STATEMENTS[name], texts)


def _statement_word(syntax: str) -> str:
    """Return the keywords that begin a statement; `play moves by` has a number between them."""
    if syntax.startswith('"'):
        return '"'
    first, second, *_ = [*syntax.split(), ""]
    if (first, second) in _PARTED:
        syntax = syntax.replace(f" {second}", "", 1)
    small = []
    for word in syntax.split():
        if not word.isalpha() or not word.islower():
            break
        small.append(word)
    return " ".join(small)


def _keys(shown: _ExampleIndex, only: str) -> Iterator[Entry]:
    seen: set[tuple[str, str]] = set()
    specs: tuple[Mapping, ...] = ()
    for path, schema in keys():
        key, location = path[-1], place(path)
        if (key, location) in seen:
            continue
        seen.add((key, location))
        kind = f"key of {location}" if location else "section of a spec"
        meaning = schema.get("description", "").rstrip(".")
        specs = specs or (bundled() if only in ("", key) else ())
        texts = _key_examples(path, schema, shown, specs) if only in ("", key) else ()
        values = [f"`{_yaml(value)}`" for value in schema.get("enum", ()) if value is not None]
        syntax = f"{key}: {' or '.join(values) or schema.get('title', 'VALUE')}"
        first = int(schema["$comment"].removeprefix("since "))
        yield Entry(key, kind, syntax, meaning, texts, since=first)


def _key_examples(
    path: tuple[str, ...], schema: dict[str, Any], shown: _ExampleIndex, specs: tuple[Mapping, ...]
) -> tuple[str, ...]:
    """Return written examples, then lines of bundled specs, then the schema's examples."""
    lines = [*shown.of("piece", ".".join(path)), *uses(path, specs)]
    written = (f"{path[-1]}: {_yaml(example)}" for example in schema.get("examples", ()))
    return tuple(dict.fromkeys([*lines, *written]))[:_COUNT]


def _yaml(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _mistake(mistake: Mistake) -> Entry:
    run = [piece for piece in mistake.pieces if not piece.startswith("SHOWN")]
    shown = tuple(piece.removeprefix("SHOWN ") for piece in mistake.pieces if piece not in run)
    specs = tuple(map(spec_with, run))
    return Entry(mistake.code, "code", mistake.code, mistake.meaning, shown, specs)
