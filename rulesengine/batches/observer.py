"""Single states as planes of cells and numbers, for whoever holds states and no batch."""

from typing import TYPE_CHECKING

from rulesengine.batches.batch import Playable
from rulesengine.batches.observing import Planes
from rulesengine.batches.plan import plan_of
from rulesengine.errors import UsageError
from rulesengine.memory import WORD
from rulesengine.state import State

if TYPE_CHECKING:
    from rulesengine.batches.given import Flags, Ints


class Observer:
    """What a batch of one game would show of states, one after the other."""

    def __init__(self, game: Playable) -> None:
        packed = game.initial_state().packed
        assert packed is not None
        players = len(game.program.form.players)
        plan = plan_of(game.actions, packed, players, games=1, shares=1, restarts=False)
        self._record, self._begin = plan.records(), plan.state * WORD
        self._planes = Planes(game.program, plan)

    def observe(self, state: State, player: int) -> "tuple[Flags, Ints]":
        """The planes of a state as a player sees them, and its numbers.

        Raises UsageError for a state with a piece that has no symbol.
        """
        if state.packed is None:
            raise UsageError("the state holds a piece that has no symbol")
        self._record.bytes[self._begin :] = state.packed
        seen, numbers = self._planes.of_player(self._record, player), self._planes.numbers
        return seen[0], numbers(self._record)[0]
