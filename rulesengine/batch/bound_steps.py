"""The step of all games of a batch as one call, which is bound once to its kernel and memories."""

from collections.abc import Callable, Sequence

from rulesengine.batch.kernel_arguments import kernel_arguments
from rulesengine.engine.drivers.batch.memories import StepMemories
from rulesengine.engine.drivers.batch.step import step_games
from rulesengine.engine.drivers.memory import Memory
from rulesengine.engine.kernel.backends.protocol import CompiledModule


class BoundStep:
    """A step from one set of records to the other.

    - `call` makes it in the kernel; None if the interpreter has to.
    - `is_settled` is true if `call` no longer changes.
    """

    __slots__ = ("call", "is_settled", "memories", "part")

    def __init__(self, memories: StepMemories) -> None:
        self.memories = memories
        self.part: CompiledModule | None = None
        self.call: Callable[[], bool] | None = None
        self.is_settled = False

    def bind(self, part: CompiledModule | None, games: int, mark: int) -> None:
        """Bind the call to a kernel."""
        if part is not self.part:
            args = (0, games, mark, *kernel_arguments([self.memories]))
            self.call = part.bound(step_games.__name__, args) if part else None
            self.part = part


class BoundSteps:
    """The steps of a batch in both directions; they are renewed when the histories are moved."""

    def __init__(
        self, plan: Memory, records: Sequence[Memory], shown: Memory, actions: Memory, lines: Memory
    ) -> None:
        self._plan, self._records, self._shown, self._action_memory = plan, records, shown, actions
        self._renew(lines)

    def of(self, was: Memory, lines: Memory) -> BoundStep:
        """Return the step from a set of records, with these histories."""
        if lines is not self._lines:
            self._renew(lines)
        step = self._steps[0]
        return step if step.memories.was is was else self._steps[1]

    def _renew(self, lines: Memory) -> None:
        one, two = self._records
        self._steps = [
            BoundStep(StepMemories(self._plan, lines, *records, self._shown, self._action_memory))
            for records in ((one, two), (two, one))
        ]
        self._lines = lines
