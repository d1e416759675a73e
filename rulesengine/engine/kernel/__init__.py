"""Kernels: a program's functions and drivers, compiled for its board and its rules."""
