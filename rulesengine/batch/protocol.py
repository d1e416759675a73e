"""The part of a game's interface that batches and positions use."""

from collections.abc import Sequence
from typing import Protocol

from rulesengine.engine.actions import Actions
from rulesengine.engine.interpreter import Interpreter
from rulesengine.language.ir.program import Program
from rulesengine.state import State


class BatchGame(Protocol):
    """The interface of a game for batches."""

    machine: Interpreter
    program: Program

    @property
    def name(self) -> str: ...

    @property
    def actions(self) -> Actions: ...

    def initial_state(self) -> State: ...

    def weights(self, state: State) -> Sequence[int]: ...
