"""Programs of others, run as processes below a supervisor, within limits, and ended as a whole.

A `Programs` holds what starts them; it may be used from several threads, and is left when the
last one has ended::

    with Programs() as programs:
        ran = programs.run(["./solve"], b"1 2 3\\n", Limits(cpu=1.0))        # batch
        ran.output, ran.errors, ran.ending.exit, ran.ending.limit, ran.ending.cpu
        with programs.start("python3 player.py", Limits(memory=2**28)) as program:   # interactive
            program.send(b"e4\\n", seconds=1.0)
            line = program.read_line(seconds=1.0)

A command is a list of words, or a text that is split as a shell would (`words_of`); no shell runs.
`start` and `run` raise `ProgramError`, a sentence, where there is no such program or what there is
is none. What a program does cannot raise anything else but `Misbehaved`, from the calls that
talk to it: `Late` (silent beyond the time given), `Closed` (it has ended, or closed the pipe) or
`Flooded` (more output than its limit). After each of them the program still has to be left or
`stop()`ped, and `program.stop()` gives its `Ending`: exit code or signal, seconds, memory, the
limit that ended it.

All calls wait by `poll`, and read whatever the program prints while they wait or write: two full
pipes never wait for one another. `program.pending` are bytes that came and were not asked for yet,
by which one knows who answers before being asked.

On Linux all descendants are ended with the program, those too that left its session; elsewhere
the process group is, and no sum over processes is kept to. Neither is a security boundary: a
program may do whatever its user may, reach the network, read and write files.
"""

from rulesengine.sandbox.exit_reason import Ending, Ran
from rulesengine.sandbox.launcher import ProgramError, Programs, words_of
from rulesengine.sandbox.limits import Limits
from rulesengine.sandbox.program import Closed, Flooded, Late, Misbehaved, Program

__all__ = [
    "Closed",
    "Ending",
    "Flooded",
    "Late",
    "Limits",
    "Misbehaved",
    "Program",
    "ProgramError",
    "Programs",
    "Ran",
    "words_of",
]
