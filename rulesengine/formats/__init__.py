"""Formats of other programs: positions, moves and games to and from text, as a spec declares them.

See decision 107.
"""
