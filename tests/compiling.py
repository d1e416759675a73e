"""Machine code made in the process of the tests: to start a compiler takes longer than most of it.

Programs that tests start, and calls with a budget of their own, have a process as users have it.
"""

from functools import partial
from subprocess import CompletedProcess

from rulesengine.kernel.backends.native import child, objects
from rulesengine.limits import MAX_COMPILE_BYTES, MAX_COMPILE_SECONDS

apart = objects._ended  # by a process, as users have it


def compile_here() -> None:
    """From now on no process is started for code that may take as long as it likes."""
    usual = objects._granted(MAX_COMPILE_SECONDS, MAX_COMPILE_BYTES)

    def ended(command: list[str], text: bytes, longest: float) -> CompletedProcess[bytes]:
        *program, triple, cpu, flags, level, memory, seconds = command
        if program != objects._program() or (int(seconds), int(memory)) != usual:
            return apart(command, text, longest)
        done = partial(CompletedProcess[bytes], command)
        try:
            data = child.object_code(text.decode(), triple, cpu, flags, int(level))
        except (RuntimeError, MemoryError) as error:
            return done(child.REFUSED, b"", str(error).encode())
        return done(child.COMPILED, data, b"")

    objects._ended = ended
