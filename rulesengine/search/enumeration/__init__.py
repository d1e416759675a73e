"""Enumeration of all reachable positions by ply: counts, statistics, retrograde analysis."""
