"""What a program may use."""

from rulesengine.support.frozen import record


@record
class Limits:
    """Of a program and all that it starts; None is no limit.

    `wall` and `cpu` are seconds, of the clock and of the processors; `memory` is bytes in use at
    once, `output` bytes printed on standard output and on standard error, `file` bytes of each
    file that is written, `processes` how many there may be at a time.

    Each process may have a gigabyte that it could write more than `memory`; addresses that it
    only keeps free, as virtual machines do, are not limited. Time, memory and processes of all
    together are looked at twenty times a second, so that a little more may have been used; who
    asks whether a limit was kept compares what the `Ending` tells. The system's own limit of
    processes would count all that its user runs.
    """

    wall: float | None = None
    cpu: float | None = None
    memory: int | None = 2**30
    output: int = 2**26
    file: int | None = 2**26
    processes: int = 64
