"""Interactive play in a terminal."""
