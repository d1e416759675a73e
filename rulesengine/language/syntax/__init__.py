"""Texts of the expression language and of scripts to frozen nodes, and back."""
