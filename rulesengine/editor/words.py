"""The words of the language in an editor: what one means, and which may stand at a place."""

import re
from collections.abc import Iterator
from types import MappingProxyType

from lsprotocol import types as lsp

from rulesengine.editor.names import Names, at, declaration, word_at
from rulesengine.editor.text import Text
from rulesengine.explain import Entry, entries, explain
from rulesengine.resources import bundled_names
from rulesengine.source import Source

_KINDS = MappingProxyType(
    {
        "definition": lsp.CompletionItemKind.Function,
        "effect": lsp.CompletionItemKind.Function,
        "piece": lsp.CompletionItemKind.Class,
        "register": lsp.CompletionItemKind.Variable,
        "parameter": lsp.CompletionItemKind.TypeParameter,
        "player": lsp.CompletionItemKind.EnumMember,
    }
)
_EXPRESSIONS = frozenset({"name", "function", "form", "expression", "effect", "result"})
_LINE = re.compile(r"(\s*(?:- +)*)([A-Za-z_][\w-]*)\s*:")


def hover(text: Text, found: Names, offset: int) -> str:
    """What stands at a place, as Markdown: a name of the spec or a word of the language."""
    span = word_at(text.source, offset)
    if span is None:
        return ""
    own = at(text, found, offset)
    if own is not None:
        where = declaration(found, own.name)
        return f"```yaml\n{where.text if where else own.name}\n```\n{own.kind} of this spec"
    meanings, _ = explain(span.text)
    return "\n\n---\n\n".join(_shown(entry) for entry in _fitting(text.source, span.end, meanings))


def _fitting(source: Source, end: int, meanings: tuple[Entry, ...]) -> list[Entry]:
    """Of a word before a colon its meanings as a key, if there are any, else all others."""
    path = _path(source, source.position(end)[0])
    is_key = source.text[end : end + 1] == ":"
    keys = [entry for entry in meanings if _is_key(entry) and is_key]
    here = [entry for entry in keys if entry.kind == _kind_below(path)]
    return here or keys or [e for e in meanings if not _is_key(e)] or list(meanings)


def _is_key(entry: Entry) -> bool:
    return entry.kind.startswith("key of") or entry.kind == "section of a spec"


def _kind_below(path: tuple[str, ...]) -> str:
    return f"key of `{path[-1]}`" if path else "section of a spec"


def _shown(entry: Entry) -> str:
    lines = [f"**{entry.word}** ({entry.kind})", f"```yaml\n{entry.syntax}\n```", entry.meaning]
    if entry.examples:
        lines.append("```yaml\n" + "\n".join(entry.examples) + "\n```")
    return "\n\n".join(line for line in lines if line)


def completions(text: Text, found: Names, offset: int) -> list[lsp.CompletionItem]:
    """Keys where a key may begin, parents behind `extends`, else words and names of the spec."""
    line, column = text.source.position(offset)
    before = text.source.line_text(line)[: column - 1]
    if before.startswith("extends:"):
        return [_item(name, lsp.CompletionItemKind.File) for name in bundled_names()]
    if re.fullmatch(r"\s*(- +)*[A-Za-z_]*", before):
        keys = _keys(_path(text.source, line))
        items = [
            _item(key, lsp.CompletionItemKind.Property, meaning, f"{key}: ")
            for key, meaning in keys.items()
        ]
        if items:
            return items
    return [*_own(found), *_words()]


def _keys(path: tuple[str, ...]) -> dict[str, str]:
    """The keys below others, and what they mean."""
    from rulesengine.explain import keys_below

    return keys_below(path)


def _path(source: Source, line: int) -> tuple[str, ...]:
    """The keys that a line stands below, by their indentation."""
    indent = _indent(source.line_text(line))
    path: list[str] = []
    for number in range(line - 1, 0, -1):
        found = _LINE.match(source.line_text(number))
        if found and len(found[1]) < indent and not _is_beside(source, number, indent):
            path.append(found[2])
            indent = _outer(source.line_text(number))
    return tuple(reversed(path))


def _indent(line: str) -> int:
    """Where the text of a line begins, behind the dashes of a list."""
    found = re.match(r"\s*(?:- +)*", line)
    return found.end() if found else 0


def _outer(line: str) -> int:
    """Where a line begins, its dash being inside the key above it."""
    blanks = len(line) - len(line.lstrip(" "))
    return blanks + 1 if line.lstrip(" ").startswith("- ") else blanks


def _is_beside(source: Source, line: int, indent: int) -> bool:
    return _indent(source.line_text(line)) >= indent


def _own(found: Names) -> Iterator[lsp.CompletionItem]:
    for one in found:
        if one.text:
            kind = _KINDS.get(one.kind, lsp.CompletionItemKind.Variable)
            yield _item(one.name, kind, one.text)


def _words() -> Iterator[lsp.CompletionItem]:
    for entry in entries(only="no key at all"):
        if entry.kind in _EXPRESSIONS and entry.word.isidentifier():
            function = entry.kind in ("function", "form")
            kind = lsp.CompletionItemKind.Function if function else lsp.CompletionItemKind.Keyword
            yield _item(entry.word, kind, entry.meaning)


def _item(
    label: str, kind: lsp.CompletionItemKind, detail: str = "", write: str = ""
) -> lsp.CompletionItem:
    return lsp.CompletionItem(label, kind=kind, detail=detail or None, insert_text=write or None)
