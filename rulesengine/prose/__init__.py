"""Programs in plain English: the rules of a game as a page, and what moves do, in words."""

from rulesengine.prose.account import account, objection
from rulesengine.prose.page import Format, rules_page, sections
from rulesengine.prose.trace import trace_text

__all__ = ["Format", "account", "objection", "rules_page", "sections", "trace_text"]
