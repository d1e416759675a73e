"""The public path of `rulesengine.adapters.openspiel`."""

from rulesengine.adapters.openspiel import load_game

__all__ = ["load_game"]
