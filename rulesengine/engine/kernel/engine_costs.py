"""The cost of each engine for an amount of work, and the choice of the cheapest one.

Costs are seconds of processor time. The unit of work is a ply: the moves of one position are
generated, and one of them is made. See decision 093.
"""

from collections.abc import Iterable

from rulesengine.support.frozen import record


@record
class EngineCost:
    """The cost of an engine.

    - `start`: the seconds until it can run, which is the time to compile or load its kernel.
    - `rate`: the time of a ply, divided by that of the interpreter.
    """

    engine: str
    start: float
    rate: float

    def total(self, seconds: float) -> float:
        """Return the seconds for work that takes the interpreter `seconds`."""
        return self.start + seconds * self.rate


def cheapest_first(costs: Iterable[EngineCost], seconds: float) -> list[str]:
    """Return the engines by their cost for work that takes the interpreter `seconds`.

    Of two engines with the same cost the faster one is first.
    """
    ranked = sorted(costs, key=lambda cost: (cost.total(seconds), cost.rate))
    return [cost.engine for cost in ranked]


def remaining_seconds(known: float, spent: float) -> float:
    """Return the estimated seconds of the remaining work, as the interpreter does it.

    `known` is the work that was announced. Work of unknown length is assumed to last as long again
    as it has lasted. The choice then costs at most twice the best one (the ski rental problem,
    Karlin et al. 1988).
    """
    return max(known, spent)
