"""Kernels for NVIDIA GPUs as PTX. Experimental: no part of the package launches them yet."""
