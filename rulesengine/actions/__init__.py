"""Actions: the steps of moves, numbered once for a game."""

from rulesengine.actions.numbers import STOP, Actions, Path

__all__ = ["STOP", "Actions", "Path"]
