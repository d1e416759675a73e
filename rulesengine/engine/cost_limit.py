"""Whether rules cost too much for a position: they were reckoned with the pieces of the start."""

from functools import cached_property

from rulesengine.errors import LimitError
from rulesengine.language.ir.program import Program
from rulesengine.state import State
from rulesengine.support.limits import MAX_PLY_COST


class Affordable:
    """What the rules of a program cost at worst, with as many pieces as there are."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def require(self, state: State) -> None:
        """Raise LimitError if the rules cost too much with so many pieces as a state has."""
        if self._is_always:
            return
        cost = self._cost([plane.bit_count() for plane in state.planes])
        if cost > MAX_PLY_COST:
            what = f"up to {cost:,} set operations a ply, at most {MAX_PLY_COST:,}"
            raise LimitError(f"too expensive with so many pieces: {what}")

    @cached_property
    def _is_always(self) -> bool:
        """Whether they cost little enough with pieces of each kind on all cells."""
        cells = self._program.topology.cells
        return self._cost([cells] * len(self._program.form.symbols)) <= MAX_PLY_COST

    def _cost(self, pieces: list[int]) -> int:
        from rulesengine.language.lower import worst_cost  # here: most games read no position

        return worst_cost(self._program.rules, self._program.topology, pieces)
