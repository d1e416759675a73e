"""Texts of a spec on its clauses, as sentences for readers."""

import re

from rulesengine.language.ir.rules import Rules

_CODE = re.compile(r"`([^`\n]+)`")


class Remarks:
    """The comments of a spec and its own texts, by section and name."""

    def __init__(self, rules: Rules) -> None:
        self._own = {(t.section, t.name): t.text for t in rules.texts if t.is_own}
        self._comments = {(t.section, t.name): t.text for t in rules.texts if not t.is_own}

    def own(self, section: str, name: str) -> str:
        """Return the text that replaces the generated one, or an empty text."""
        return sentence(self._own.get((section, name), ""))

    def comment(self, section: str, name: str) -> str:
        """Return the comment on a clause, or an empty text."""
        return sentence(self._comments.get((section, name), ""))


def sentence(text: str) -> str:
    """Return a text with a capital, a full stop and no backticks."""
    text = _CODE.sub(lambda code: f"‘{code[1]}’", " ".join(text.split()))
    if not text:
        return ""
    text = text[0].upper() + text[1:]
    return text if text.endswith((".", "!", "?", ".”", ".)")) else f"{text}."
