"""The age of this process, for time limits that include its start."""

import os
import time


def age() -> float:
    """Return the seconds since this process began, or its CPU time if that is unknown."""
    try:
        with open("/proc/self/stat", encoding="ascii", errors="replace") as file:  # noqa: PTH123 pathlib takes time
            fields = file.read().rpartition(")")[2].split()
        began = int(fields[_BEGAN]) / os.sysconf("SC_CLK_TCK")
        return max(time.clock_gettime(time.CLOCK_BOOTTIME) - began, time.process_time())
    except (OSError, AttributeError, LookupError, ValueError):
        return time.process_time()


# the index of the start time, in ticks, among the fields after the program name (proc(5))
_BEGAN = 19
