"""Players by text: chance, strategies, searches, people and programs of others."""

from rulesengine.play.players.base import Fault, Player, Quiet, Seat, Turn
from rulesengine.play.players.io_script import asks_strategies
from rulesengine.play.players.registry import (
    is_person,
    known,
    player_of,
    plays_from_start,
    spoken_by,
)

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
