"""Games whose rules read what was before: their states are kept as they are, beside the records.

Such a state is more than its words. The drivers of a batch then run as they stand, over single
calls, which kernels answer.
"""

from dataclasses import replace

from rulesengine.batches.work import Functions
from rulesengine.dispatch import Dispatcher
from rulesengine.interpreter.moving import Steps
from rulesengine.memory import Memory
from rulesengine.state import State

Places = dict[tuple[int, int], State]


class Histories:
    """The states of a batch, by the memory and the place where their words stand."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._plain = dispatcher.stepped()
        self._singles = dispatcher.selector.for_work("singles", 1 << 20)
        self._held: Places = {}
        # Memory is told by its number, and must not go.
        self._memories: list[Memory] = []

    def functions(self) -> Functions:
        found = replace(self._plain, loaded=self._loaded, saved=self._saved)
        return replace(found, legal=self._legal, apply=self._apply) if self._singles else found

    def _loaded(self, memory: Memory, at: int) -> State:
        return self._held[id(memory), at]

    def _saved(self, state: State, memory: Memory, at: int) -> int:
        if memory not in self._memories:
            self._memories.append(memory)
        self._held[id(memory), at] = state
        return self._plain.saved(state, memory, at)

    def _legal(self, state: State) -> tuple[Steps, ...]:
        assert self._singles is not None
        return self._singles.legal(state)

    def _apply(self, state: State, steps: Steps) -> State:
        assert self._singles is not None
        return self._singles.apply(state, steps)
