"""Parsers of the expression language and of scripts: texts to frozen nodes, and back."""
