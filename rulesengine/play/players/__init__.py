"""Players by text: random moves, strategies, searches, people and external programs."""

from rulesengine.play.players.base import HUMAN, RANDOM, BasePlayer, Fault, Player, Seat, Turn
from rulesengine.play.players.io_script import has_program_moves
from rulesengine.play.players.objects import (
    PYTHON,
    CheckedPlayer,
    Chooser,
    Contestant,
    PlayerObject,
    checked,
    player_object,
)
from rulesengine.play.players.registry import (
    describe_player,
    is_person,
    is_program,
    known_players,
    player_of,
    plays_from_start,
    protocol_of,
    require_player,
    seated,
    takes_positions,
)
from rulesengine.play.players.search_players import plies_of_move
from rulesengine.play.players.views import HiddenSeat, PlayerSession, PlayerView

__all__ = [
    "HUMAN",
    "PYTHON",
    "RANDOM",
    "BasePlayer",
    "CheckedPlayer",
    "Chooser",
    "Contestant",
    "Fault",
    "HiddenSeat",
    "Player",
    "PlayerObject",
    "PlayerSession",
    "PlayerView",
    "Seat",
    "Turn",
    "checked",
    "describe_player",
    "has_program_moves",
    "is_person",
    "is_program",
    "known_players",
    "player_object",
    "player_of",
    "plays_from_start",
    "plies_of_move",
    "protocol_of",
    "require_player",
    "seated",
    "takes_positions",
]
