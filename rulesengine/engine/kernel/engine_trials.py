"""Measured speeds of kernels on announced work, in place of the typical ones of their engines.

A slow engine that compiles at once is tried before a fast one that compiles for long, if their
estimated costs are close. In some games the typical speed is wrong by a factor of five.
"""

from collections.abc import Sequence

from rulesengine.engine.kernel.engine_costs import EngineCost

_SHARE = 0.1  # of the time to compile the fast engine, which a trial takes
_SMALL = 0.2  # of the same time, which the slow engine may take to compile
_CLOSE = 10.0  # maximum factor between the costs
_LEAST = 0.02  # seconds of work that are a measurement


class EngineTrials:
    """The seconds and the plies of the kernels of a program so far, by engine and part."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}
        self._plies: dict[str, float] = {}

    def add(self, key: str, seconds: float, plies: float) -> None:
        """Count work of a kernel."""
        self._seconds[key] = self._seconds.get(key, 0.0) + seconds
        self._plies[key] = self._plies.get(key, 0.0) + plies

    def rate(self, key: str, typical: float, ply: float) -> float:
        """Return the measured time of a ply, divided by `ply` of the interpreter.

        Return the typical rate without a measurement.
        """
        seconds, plies = self._seconds.get(key, 0.0), self._plies.get(key, 0.0)
        return seconds / (plies * ply) if seconds >= _LEAST and plies else typical

    def candidate(self, part: str, costs: Sequence[EngineCost], best: str, seconds: float) -> str:
        """Return the engine to try before the best one is compiled, empty if there is none.

        `costs` are those of all engines with the interpreter first, for work that takes it
        `seconds`.
        """
        fast = next(cost for cost in costs if cost.engine == best)
        for cost in costs[1:]:
            is_sooner = cost.rate > fast.rate and cost.start <= _SMALL * fast.start
            is_close = cost.total(seconds) < _CLOSE * fast.total(seconds)
            spent = self._seconds.get(f"{cost.engine} {part}", 0.0)
            if is_sooner and is_close and spent < _SHARE * fast.start:
                return cost.engine
        return ""
