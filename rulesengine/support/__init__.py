"""Foundations without any notion of a game: source texts, diagnostics, files, cache, limits."""
