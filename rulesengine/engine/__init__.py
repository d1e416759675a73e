"""The engine: a program becomes moves, by the interpreter or by compiled kernels."""
