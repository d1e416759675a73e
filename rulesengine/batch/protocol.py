"""What batches and positions read of a game."""

from collections.abc import Sequence
from typing import Protocol

from rulesengine.engine.actions import Actions
from rulesengine.language.ir.program import Program
from rulesengine.state import State


class Playable(Protocol):
    """A game, as far as it is asked."""

    program: Program

    @property
    def name(self) -> str: ...

    @property
    def actions(self) -> Actions: ...

    def initial_state(self) -> State: ...

    def weights(self, state: State) -> Sequence[int]: ...
