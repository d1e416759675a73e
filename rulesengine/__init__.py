"""A declarative rules engine for board games: one YAML spec is one game.

`load` reads a spec and returns a `Game`; `games` lists the bundled specs.

>>> import rulesengine
>>> game = rulesengine.load(rulesengine.games()[0].name)  # a name or the path of a spec
>>> session = game.start()  # a mutable line of play
>>> session.push(session.legal[0])
>>> session.outcome() is None
True
>>> state = game.apply(game.initial_state(), session.moves[0])  # states are immutable values
>>> state == session.state, state.mover == session.mover
(True, True)

All errors are `RulesError`s. Matches and tournaments are in `rulesengine.contests`, environments of
Gymnasium, PettingZoo and OpenSpiel in `rulesengine.bridges`. The other packages are internal.
`docs/python.md` describes the API by task.
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
