"""Compilation in the test process: the start of a compiler takes longer than most compilations.

Programs that tests start, and calls with a budget of their own, use a process as in production.
"""

from functools import partial
from subprocess import CompletedProcess

from rulesengine.engine.kernel.backends.native import compiler_process, object_code
from rulesengine.support.limits import MAX_COMPILE_BYTES, MAX_COMPILE_SECONDS

apart = object_code._ended  # in a process, as in production


def compile_in_process() -> None:
    """Compile without a process from now on, unless a call has a time budget."""
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
