"""The form of kernel code: typed instructions, how they are made, folded and left out."""
