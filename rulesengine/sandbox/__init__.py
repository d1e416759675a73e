r"""Sandbox: external programs as child processes of a supervisor, with limits.

A `Programs` starts them. It may be shared by threads; closing it ends all its programs::

    with Programs() as programs:
        ran = programs.run(["./solve"], b"1 2 3\\n", Limits(cpu=1.0))        # batch
        ran.output, ran.errors, ran.ending.exit, ran.ending.limit, ran.ending.cpu
        with programs.start("python3 player.py", Limits(memory=2**28)) as program:   # interactive
            program.send(b"e4\\n", seconds=1.0)
            line = program.read_line(seconds=1.0)

A command is a list of words, or a text that is split like a shell command (`words_of`); no shell
runs. `start` and `run` raise `ProgramError`, a sentence, if the program does not exist or is not
executable. The calls that communicate with a running program raise `ProgramFault` alone: `TimedOut`
(timeout), `OutputClosed` (it has ended, or closed the pipe) or `OutputLimitExceeded` (more output
than its limit). After each of these the program must still be closed or `stop()`ped.
`program.stop()` returns its `ExitReason`: exit code or signal, seconds, memory, and the limit that
ended it.

All calls wait by `poll`, and read output while they wait or write, so full pipes cannot deadlock.
`program.pending` are bytes received but not read yet; they reveal a program that answers before its
turn.

Where Linux allows it, each program runs in a PID namespace: it reaches no process except its own
descendants, and all of them end with it. `confinement` returns the method that is used. On other
Linux systems descendants are found in the process tree, even those that left its session. Elsewhere
only its process group ends with it, and limits on sums over processes are not enforced. None of
these is a security boundary: a program has the rights of its user, including network and files.
"""

from rulesengine.sandbox.exit_reason import ExitReason, RunResult
from rulesengine.sandbox.launcher import ProgramError, Programs, confinement, words_of
from rulesengine.sandbox.limits import Limits
from rulesengine.sandbox.program import (
    OutputClosed,
    OutputLimitExceeded,
    Program,
    ProgramFault,
    TimedOut,
)
from rulesengine.sandbox.supervisor_handle import Confinement
from rulesengine.sandbox.work_folder import work_folder

__all__ = [
    "Confinement",
    "ExitReason",
    "Limits",
    "OutputClosed",
    "OutputLimitExceeded",
    "Program",
    "ProgramError",
    "ProgramFault",
    "Programs",
    "RunResult",
    "TimedOut",
    "confinement",
    "words_of",
    "work_folder",
]
