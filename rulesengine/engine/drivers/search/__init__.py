"""Search of any game: drivers, which look ahead, and what they are told and tell."""
