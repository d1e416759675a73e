"""Completions in the form of the protocol."""

from types import MappingProxyType

from lsprotocol import types as lsp

from rulesengine.server.lsp.positions import Text
from rulesengine.tools import completion
from rulesengine.tools.completion import Item, Kind, Occurrences

_KINDS: MappingProxyType[Kind, lsp.CompletionItemKind] = MappingProxyType(
    {
        "spec": lsp.CompletionItemKind.File,
        "key": lsp.CompletionItemKind.Property,
        "word": lsp.CompletionItemKind.Keyword,
        "function": lsp.CompletionItemKind.Function,
        "definition": lsp.CompletionItemKind.Function,
        "effect": lsp.CompletionItemKind.Function,
        "piece": lsp.CompletionItemKind.Class,
        "register": lsp.CompletionItemKind.Variable,
        "parameter": lsp.CompletionItemKind.TypeParameter,
        "player": lsp.CompletionItemKind.EnumMember,
        "name": lsp.CompletionItemKind.Variable,
    }
)


def completions(text: Text, occurrences: Occurrences, offset: int) -> list[lsp.CompletionItem]:
    """Return the completions at an offset."""
    return [_item(one) for one in completion.completions(text.source, occurrences, offset)]


def _item(one: Item) -> lsp.CompletionItem:
    kind, detail, write = _KINDS[one.kind], one.detail or None, one.write or None
    return lsp.CompletionItem(one.label, kind=kind, detail=detail, insert_text=write)
