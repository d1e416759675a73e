"""The part of a state that a player sees, and the knowledge of a player in a game."""

from rulesengine.engine.observation.information_state import (
    InformationState,
    information_after,
    is_noticed,
    revealed_moves,
)
from rulesengine.engine.observation.observer import (
    CHANCE,
    Observation,
    Observer,
    VisiblePart,
    observe,
)
from rulesengine.engine.observation.rounds import Rounds

__all__ = [
    "CHANCE",
    "InformationState",
    "Observation",
    "Observer",
    "Rounds",
    "VisiblePart",
    "information_after",
    "is_noticed",
    "observe",
    "revealed_moves",
]
