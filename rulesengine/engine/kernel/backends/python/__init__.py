"""Kernel code as plain Python on integers: needs nothing, and reads as what is done."""
