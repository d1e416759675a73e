"""Resource limits of a program."""

from rulesengine.support.frozen import record


@record
class Limits:
    """Limits of a program and its descendants; None is no limit.

    - `wall`, `cpu`: seconds of wall time and of CPU time.
    - `memory`: bytes of resident memory.
    - `output`: bytes printed, on standard output and on standard error each.
    - `file`: bytes of each file written.
    - `processes`: the maximum number of processes at a time.

    Each process may have one gigabyte of writable memory more than `memory`; reserved address
    space, as virtual machines use it, is not limited. Sums of time, memory and processes are
    checked twenty times a second, so a program may exceed them a little. `ExitReason` has the exact
    values. The system's own process limit is not used, since it counts all processes of the user.
    """

    wall: float | None = None
    cpu: float | None = None
    memory: int | None = 2**30
    output: int = 2**26
    file: int | None = 2**26
    processes: int = 64
