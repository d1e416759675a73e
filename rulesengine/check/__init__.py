"""A document to checked rules: names, types and every finding at once."""

from rulesengine.check.boards import board_finding
from rulesengine.check.checker import Checked, check
from rulesengine.check.diagrams import diagram_finding

__all__ = ["Checked", "board_finding", "check", "diagram_finding"]
