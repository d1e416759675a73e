"""Search drivers for any game, with the memory layouts, settings and results that they use."""
