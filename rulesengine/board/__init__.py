"""Boards: cells and how they lie to each other; knows nothing of pieces, rules or specs."""
