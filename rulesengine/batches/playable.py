"""What batches and positions read of a game, and how their drivers ask its rules."""

from collections.abc import Sequence
from typing import Protocol

from rulesengine.actions import Actions
from rulesengine.batches.work import Functions
from rulesengine.dispatch import Dispatcher
from rulesengine.ir.program import Program
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


def functions_of(program: Program, dispatcher: Dispatcher) -> Functions:
    """The rules as drivers of batches ask them."""
    if not program.keeps_history:
        return dispatcher.stepped()
    from rulesengine.batches.histories import Histories

    return Histories(dispatcher).functions()
