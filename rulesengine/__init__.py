"""A declarative rules engine for board games: one YAML spec is one game.

`load` reads a spec and returns a `Game`, which lists legal moves, applies them, plays, searches and
counts. States, moves and outcomes are immutable values.
"""

from rulesengine.engine.moves import Moves
from rulesengine.engine.observation import InformationState, Observation
from rulesengine.errors import (
    EvaluationError,
    IllegalMoveError,
    InputError,
    InternalError,
    LimitError,
    NotationError,
    RulesError,
    SpecError,
    Stopped,
    UsageError,
)
from rulesengine.game import Game
from rulesengine.job import Job
from rulesengine.loading import load, loads
from rulesengine.session import Session
from rulesengine.state import Move, Outcome, Playouts, Record, State, Step
from rulesengine.tools.bundled import BundledSpec, games
from rulesengine.version import __version__

__all__ = [
    "BundledSpec",
    "EvaluationError",
    "Game",
    "IllegalMoveError",
    "InformationState",
    "InputError",
    "InternalError",
    "Job",
    "LimitError",
    "Move",
    "Moves",
    "NotationError",
    "Observation",
    "Outcome",
    "Playouts",
    "Record",
    "RulesError",
    "Session",
    "SpecError",
    "State",
    "Step",
    "Stopped",
    "UsageError",
    "__version__",
    "games",
    "load",
    "loads",
]
