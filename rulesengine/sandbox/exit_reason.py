"""The end of a program: exit code or signal, broken limit, and resource usage."""

import signal
from types import MappingProxyType

from rulesengine.support.frozen import record


@record
class ExitReason:
    """The end of a program, and the resources that it and its descendants have used.

    - `exit`: the exit code, or None if `signal` ended it.
    - `limit`: the broken limit, `wall`, `cpu`, `memory`, `processes` or `output`; `stopped` if the
      host ended it; `lost` if its supervisor was killed or stopped, so nothing is known; otherwise
      empty.
    - `wall`, `cpu`: seconds.
    - `memory`: the maximum number of bytes, at least the 10 MB or so used before the program
      started.
    - `left`: the number of processes that could not be ended.
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
class RunResult:
    """The complete output of a program, truncated at its limit, and its end."""

    output: bytes
    errors: bytes
    ending: ExitReason


_LIMITS = MappingProxyType(
    {
        "wall": "took too long",
        "cpu": "took too much processor time",
        "processes": "too many processes",
        "stopped": "was stopped",
        "lost": "killed or stopped its supervisor",
    }
)


def _name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
