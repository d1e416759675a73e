"""Formats of game records."""
