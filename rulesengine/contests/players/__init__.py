"""Players by text: chance, strategies, searches, people and programs of others."""

from rulesengine.contests.players.base import Fault, Player, Quiet, Seat, Turn
from rulesengine.contests.players.registry import (
    is_person,
    known,
    player_of,
    plays_from_start,
    spoken_by,
)
from rulesengine.contests.players.scripted import asks_strategies

__all__ = [
    "Fault",
    "Player",
    "Quiet",
    "Seat",
    "Turn",
    "asks_strategies",
    "is_person",
    "known",
    "player_of",
    "plays_from_start",
    "spoken_by",
]
