"""Foundations that know no game: source texts, diagnostics, files, cache, limits."""
