"""Rooms: games between persons on several devices, kept in memory. See decision 114."""
