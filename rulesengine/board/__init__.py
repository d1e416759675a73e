"""Boards: cells and their geometry, independent of pieces, rules and specs."""
