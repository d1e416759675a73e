"""Classes of the words of the language, for highlighting in editors and on pages."""

from enum import StrEnum
from functools import cache
from types import MappingProxyType

from rulesengine.tools.explain import entries

# Keys with text for people.
PROSE_KEYS = frozenset({"about", "label", "name", "reason", "says", "source", "summary", "title"})
# Keys with expressions: a quoted value is one, too.
EXPRESSION_KEYS = frozenset(
    {"do", "evaluate", "forbid", "from", "keep", "move", "place", "score", "select", "to", "when"}
)


class WordClass(StrEnum):
    """A class of words that are highlighted alike."""

    FUNCTION = "function"
    NAME = "name"
    DIRECTION = "direction"
    KEYWORD = "keyword"


# The class of a kind of entry; of a word with several kinds the first in this order counts.
_CLASSES = MappingProxyType(
    {
        "function": WordClass.FUNCTION,
        "function of scripts": WordClass.FUNCTION,
        "name": WordClass.NAME,
        "region": WordClass.NAME,
        "direction": WordClass.DIRECTION,
        "directions": WordClass.DIRECTION,
        "expression": WordClass.KEYWORD,
        "effect": WordClass.KEYWORD,
        "form": WordClass.KEYWORD,
        "statement": WordClass.KEYWORD,
        "word of moves": WordClass.KEYWORD,
        "result": WordClass.KEYWORD,
        "key of a strategy": WordClass.KEYWORD,
    }
)


@cache
def word_classes() -> MappingProxyType[str, WordClass]:
    """Return the class of each word that expressions, effects and scripts can have."""
    ranks = {kind: rank for rank, kind in enumerate(_CLASSES)}
    known = sorted((e for e in entries() if e.kind in ranks), key=lambda e: ranks[e.kind])
    classes: dict[str, WordClass] = {}
    for entry in known:
        for word in entry.word.split():
            if word.isidentifier():
                classes.setdefault(word, _CLASSES[entry.kind])
    return MappingProxyType(classes)
