"""I/O scripts as kernel code: an entry point that reads, plays and prints in memory of the caller.

A script becomes a list of nodes with jumps (`flow`). Some nodes are left to the caller: those
without kernel code, and those at which an error occurs or the available input ends. The caller
executes such a node with the interpreter of scripts and calls the entry point again.
"""
