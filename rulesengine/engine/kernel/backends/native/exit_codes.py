"""How an entry point ends, as the number that it gives."""

RETURNED, FAILED, STOPPED = 0, 1, 2
