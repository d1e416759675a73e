"""A document to checked rules: names, types and every finding at once."""

from rulesengine.check.checker import Checked, check

__all__ = ["Checked", "check"]
