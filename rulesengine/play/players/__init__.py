"""Players by text: random moves, strategies, searches, people and external programs."""

from rulesengine.play.players.base import HUMAN, RANDOM, Fault, Player, Quiet, Seat, Turn
from rulesengine.play.players.io_script import asks_strategies
from rulesengine.play.players.registry import (
    is_person,
    is_program,
    known,
    player_of,
    plays_from_start,
    require_player,
    seated,
    spoken_by,
)

__all__ = [
    "HUMAN",
    "RANDOM",
    "Fault",
    "Player",
    "Quiet",
    "Seat",
    "Turn",
    "asks_strategies",
    "is_person",
    "is_program",
    "known",
    "player_of",
    "plays_from_start",
    "require_player",
    "seated",
    "spoken_by",
]
