"""Kernel code, the intermediate representation: form, builder, folding, dead code elimination."""
