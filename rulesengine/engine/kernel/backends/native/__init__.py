"""Kernels as machine code: modules of kernel code to LLVM, to objects, to callable functions."""
