"""Searching, solving, learning and enumerating a game; the services run the methods of `Game`."""
