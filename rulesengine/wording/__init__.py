"""Programs in plain English: the rules of a game as a page, and what moves do, in words."""

from rulesengine.wording.account import account
from rulesengine.wording.page import rules_page
from rulesengine.wording.svg import board_svg
from rulesengine.wording.trace import trace_text

__all__ = ["account", "board_svg", "rules_page", "trace_text"]
