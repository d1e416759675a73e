"""I/O scripts as kernel code: an entry point that reads, plays and prints in memory of the caller.

A script becomes a list of nodes with jumps (`flow`). A node without kernel code, or whose code
meets an error or the end of the available input, is left to the caller, who executes it with the
interpreter of scripts and calls the entry point again.
"""
