"""Machine code made in the process of the tests: to start a compiler takes longer than most of it.

Programs that tests start, and calls with a budget of their own, have a process as users have it.
"""

from functools import partial
from subprocess import CompletedProcess

from rulesengine.engine.kernel.backends.native import compiler_process, object_code
from rulesengine.support.limits import MAX_COMPILE_BYTES, MAX_COMPILE_SECONDS

apart = object_code._ended  # by a process, as users have it


def compile_here() -> None:
    """From now on no process is started for code that may take as long as it likes."""
    usual = object_code._granted(MAX_COMPILE_SECONDS, MAX_COMPILE_BYTES)

    def ended(command: list[str], text: bytes, longest: float) -> CompletedProcess[bytes]:
        *program, triple, cpu, flags, level, memory, seconds = command
        if program != object_code._program() or (int(seconds), int(memory)) != usual:
            return apart(command, text, longest)
        done = partial(CompletedProcess[bytes], command)
        try:
            data = compiler_process.object_code(text.decode(), triple, cpu, flags, int(level))
        except (RuntimeError, MemoryError) as error:
            return done(compiler_process.REFUSED, b"", str(error).encode())
        return done(compiler_process.COMPILED, data, b"")

    object_code._ended = ended
