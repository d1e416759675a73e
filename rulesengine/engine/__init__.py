"""The engine: it executes a program, by the interpreter or by compiled kernels."""
