"""What a caller can ask of a kernel: single calls, choices, perft, random games."""
