"""The checker: a document to checked rules, with names, types and every finding at once."""

from rulesengine.language.check.board_findings import board_finding
from rulesengine.language.check.checker import CheckedRules, check
from rulesengine.language.check.diagrams import diagram_finding

__all__ = ["CheckedRules", "board_finding", "check", "diagram_finding"]
