"""The action space: the steps of moves, with fixed numbers for a game."""

from rulesengine.engine.actions.action_space import STOP, TOO_MANY, Actions, Path

__all__ = ["STOP", "TOO_MANY", "Actions", "Path"]
