"""Entry points of kernels: single calls, strategies, perft, playouts."""
