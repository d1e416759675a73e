"""The turns of a long search: each one may search twice as many positions as the one before."""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter

from rulesengine.engine.drivers.search.result import Budget, Solved

_FIRST, _MOST = 1 << 22, 1 << 28  # positions of the first turn, and of any
_UNLIMITED = 1 << 62


@dataclass(slots=True)
class SearchTurns:
    """The turns of one search within a budget.

    - `share` is the maximum number of positions of the next turn.
    - `earlier` is the number of positions searched before the budget began.
    """

    budget: Budget
    share: int = field(default_factory=lambda: _FIRST)
    earlier: int = 0
    _begun: float = field(default_factory=perf_counter)

    @property
    def seconds(self) -> float:
        """Return the time since the first turn."""
        return perf_counter() - self._begun

    def room(self, nodes: int) -> int:
        """Return the positions of the next turn, after `nodes` positions; 0 without a budget."""
        left = (self.budget.nodes or _UNLIMITED) - (nodes - self.earlier)
        return max(0, min(left, self.share))

    def take(
        self,
        turn: Callable[[], bool],
        save: Callable[[], None],
        result: Callable[[], Solved],
        each: Callable[[Solved], None] | None,
    ) -> None:
        """Take turns until one returns False; save and report the result after each other one."""
        while turn():
            self.share = min(2 * self.share, _MOST)
            save()
            if each:
                each(result())
