"""Kernels: a program's functions and drivers as code made for its board and its rules."""
