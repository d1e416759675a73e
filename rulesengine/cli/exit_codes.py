"""The exit codes of the program."""

OK = 0
FINDINGS = 1  # errors in a spec, failed tests, an incorrect program
WRONG_USAGE = 2
BUG = 101
INTERRUPTED = 130
