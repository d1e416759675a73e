"""Searching, solving, learning and enumerating a game; `game_calls` has the methods of `Game`."""
