"""How a program ended."""

import signal
from types import MappingProxyType

from rulesengine.support.frozen import record


@record
class Ending:
    """How a program ended, and what it and all that it started have used.

    `exit` is its exit code, or None if `signal` ended it. `limit` is the limit that was broken,
    `wall`, `cpu`, `memory`, `processes` or `output`; `stopped` where the host had no more use for
    it; empty where it ended by itself. `lost` where its supervisor was ended, so that nothing is
    known. `wall` and `cpu` are seconds. `memory` is the most bytes at once, and not less than the
    ten megabytes or so that there were before the program itself began; `left` is how many
    processes could not be ended.
    """

    exit: int | None
    signal: int | None
    limit: str
    wall: float
    cpu: float
    memory: int
    left: int = 0

    def __str__(self) -> str:
        if self.limit:
            return _LIMITS.get(self.limit, f"more {self.limit} than allowed")
        if self.signal is not None:
            return f"ended by {_name(self.signal)}"
        return f"exit code {self.exit}"


@record
class Ran:
    """What a program printed from start to end, cut at its limit, and how it ended."""

    output: bytes
    errors: bytes
    ending: Ending


_LIMITS = MappingProxyType(
    {
        "wall": "took too long",
        "cpu": "took too much processor time",
        "processes": "too many processes",
        "stopped": "was stopped",
        "lost": "ended its supervisor",
    }
)


def _name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
