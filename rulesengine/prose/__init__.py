"""Descriptions of programs in English: the rules of a game as a page, and explanations of moves."""

from rulesengine.prose.explanation import account
from rulesengine.prose.html import html_sections
from rulesengine.prose.page import Format, rules_page, sections, unused_rules
from rulesengine.prose.reasons import Reasons
from rulesengine.prose.section import Section
from rulesengine.prose.trace import trace_text

__all__ = [
    "Format",
    "Reasons",
    "Section",
    "account",
    "html_sections",
    "rules_page",
    "sections",
    "trace_text",
    "unused_rules",
]
