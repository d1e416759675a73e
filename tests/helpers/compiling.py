"""Compilation in the test process: the start of a compiler takes longer than most compilations.

Programs that tests start, and calls with a budget of their own, use a process as in production.
"""

import threading
from functools import partial
from subprocess import CompletedProcess

from rulesengine.engine.background import CompileThread
from rulesengine.engine.kernel.backends.native import build, compiler_process, object_code
from rulesengine.engine.kernel.backends.native.compiler_process import FULL
from rulesengine.engine.kernel.backends.native.object_code import Watch
from rulesengine.engine.kernel.backends.native.promotion import compile_first
from rulesengine.engine.kernel.backends.native.target import Target
from rulesengine.engine.kernel.backends.protocol import Store
from rulesengine.support.limits import MAX_COMPILE_BYTES, MAX_COMPILE_SECONDS
from tests.helpers.processes import PATIENCE

apart = object_code._ended  # in a process, as in production
in_tiers = compile_first  # as in production


def compile_in_process() -> None:
    """Compile without a process from now on, unless a call has a time budget, and in one tier."""
    usual = object_code._granted(MAX_COMPILE_SECONDS, MAX_COMPILE_BYTES)

    def ended(
        command: list[str], text: bytes, longest: float, watch: Watch | None = None
    ) -> CompletedProcess[bytes]:
        *program, triple, cpu, flags, level, memory, seconds, _ = command
        if program != object_code._program() or (int(seconds), int(memory)) != usual:
            return apart(command, text, longest, watch)
        done = partial(CompletedProcess[bytes], command)
        try:
            data = compiler_process.object_code(text.decode(), triple, cpu, flags, int(level))
        except (RuntimeError, MemoryError) as error:
            return done(compiler_process.REFUSED, b"", str(error).encode())
        return done(compiler_process.COMPILED, data, b"")

    object_code._ended = ended
    vars(build)["compile_first"] = in_one_tier


def in_one_tier(
    text: str, target: Target, store: Store | None, key: bytes, level: int = FULL
) -> tuple[bytes, bool]:
    """Return object code of one level, in place of `compile_first`."""
    return vars(build)["compile_cached"](text, target, level, store), True  # as patched


def join_compilations() -> None:
    """Wait for the kernels that earlier tests of this process compile in the background."""
    for thread in threading.enumerate():
        if isinstance(thread, CompileThread):
            thread.join(PATIENCE)
