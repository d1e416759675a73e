"""Searches of one game as they run; `calls` is what a game has of them, and loads the rest."""
