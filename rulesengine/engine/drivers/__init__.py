"""Drivers: engine-independent algorithms over a game, compiled by every back end."""
