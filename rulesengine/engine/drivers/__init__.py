"""Drivers: perft, playouts, search and batches over the functions of a game."""
