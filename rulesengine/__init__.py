"""Board games from their spec files: load a game, ask for its moves, play, count.

`load` makes a `Game` of a spec; states, moves and outcomes are plain values.
"""

from rulesengine.errors import (
    EvaluationError,
    IllegalMoveError,
    InputError,
    InternalError,
    LimitError,
    NotationError,
    RulesError,
    SpecError,
    UsageError,
)
from rulesengine.game import Game
from rulesengine.loading import load
from rulesengine.state import Move, Outcome, Playouts, State

__all__ = [
    "EvaluationError",
    "Game",
    "IllegalMoveError",
    "InputError",
    "InternalError",
    "LimitError",
    "Move",
    "NotationError",
    "Outcome",
    "Playouts",
    "RulesError",
    "SpecError",
    "State",
    "UsageError",
    "load",
]
