"""A check of the cost of the rules for a given position.

The compiler bounds the cost by the pieces of the initial position; other positions may have more.
"""

from functools import cached_property

from rulesengine.errors import LimitError
from rulesengine.language.ir.program import Program
from rulesengine.state import State
from rulesengine.support.limits import MAX_PLY_COST


class CostChecker:
    """The worst-case cost of the rules of a program, by the number of pieces."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def require(self, state: State) -> None:
        """Raise LimitError if the rules may cost too much with the pieces of a state."""
        if self._is_always:
            return
        cost = self._cost([plane.bit_count() for plane in state.planes])
        if cost > MAX_PLY_COST:
            amount = f"up to {cost:,} set operations a ply, at most {MAX_PLY_COST:,}"
            raise LimitError(f"too expensive with so many pieces: {amount}")

    @cached_property
    def _is_always(self) -> bool:
        """True if the cost is below the limit even with pieces of each kind on all cells."""
        cells = self._program.topology.cells
        return self._cost([cells] * len(self._program.form.symbols)) <= MAX_PLY_COST

    def _cost(self, pieces: list[int]) -> int:
        # imported here: most games read no position
        from rulesengine.language.lower import worst_cost

        return worst_cost(self._program.rules, self._program.topology, pieces)
