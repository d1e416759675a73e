"""How long this process has been there: who counts seconds counts those of its start too."""

import os
import time


def age() -> float:
    """Seconds since this process began; where the system does not tell, those it has worked."""
    try:
        with open("/proc/self/stat", encoding="ascii", errors="replace") as file:  # noqa: PTH123 pathlib takes time
            fields = file.read().rpartition(")")[2].split()
        began = int(fields[_BEGAN]) / os.sysconf("SC_CLK_TCK")
        return max(time.clock_gettime(time.CLOCK_BOOTTIME) - began, time.process_time())
    except (OSError, AttributeError, LookupError, ValueError):
        return time.process_time()


_BEGAN = 19  # among what stands behind the name of the program: when it began, in ticks (proc(5))
