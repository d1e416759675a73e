"""Load object code into the memory of this process. See decision 020."""

import atexit
import mmap
from contextlib import ExitStack
from threading import RLock

from rulesengine.engine.kernel.backends.native.object_code import CompileError
from rulesengine.engine.kernel.backends.native.target import Target

# The memory check and the load must not interleave with those of other threads. Code may be loaded
# in a background thread: interpreter exit waits for a load in progress and prevents new ones, since
# LLVM is shut down then.
_ONE_AT_A_TIME = RLock()
atexit.register(_ONE_AT_A_TIME.acquire)

_LOADING = 8 * 1024 * 1024  # more than LLVM allocates in addition to copies of the object
_COPIES = 4
_PIECES = 8  # mappings, more than those of an object and its context


class LoadedCode:
    """Object code that stays in memory as long as this object lives.

    Sections of an object refer to one another by 32-bit offsets. LLVM's default memory manager maps
    each section separately. If other mappings come between them, an offset overflows and LLVM
    aborts the process. llvmlite's memory manager allocates one block for an object instead. LLVM
    also aborts the process if it gets no memory, so the memory is checked first. Raises
    CompileError.
    """

    def __init__(self, data: bytes, target: Target) -> None:
        import llvmlite.binding as llvm

        from rulesengine.engine.kernel.backends.native.compiler_process import initialize

        with _ONE_AT_A_TIME:
            _require_memory(_LOADING + _COPIES * len(data))
            initialize()
            machine = llvm.Target.from_triple(target.triple).create_target_machine()
            module = llvm.parse_assembly("")
            self._engine = llvm.create_mcjit_compiler(module, machine, use_lmm=True)
            self._engine.add_object_file(llvm.ObjectFileRef.from_data(data))
            self._engine.finalize_object()

    def symbol(self, name: str) -> int:
        """Return the address of a function."""
        return _checked_address(name, int(self._engine.get_function_address(name)))

    def variable(self, name: str) -> int:
        """Return the address of a variable."""
        return _checked_address(name, int(self._engine.get_global_value_address(name)))


def _checked_address(name: str, address: int) -> int:
    """Return an address; raise CompileError for 0, which means that the name is undefined."""
    if not address:
        raise CompileError(f"the code has no {name}")
    return address


def zeros(size: int, *, writable: bool = True) -> mmap.mmap:
    """Return zeroed memory, allocated by the system on first access. Raises CompileError."""
    try:
        return _mapped(size, writable)
    except OSError:
        raise CompileError("there is no memory for native code") from None


def _mapped(size: int, writable: bool) -> mmap.mmap:
    if not hasattr(mmap, "MAP_PRIVATE"):
        return mmap.mmap(-1, size)
    prot = mmap.PROT_READ | (mmap.PROT_WRITE if writable else 0)
    return mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot)


def _require_memory(size: int) -> None:
    """Raise CompileError unless this much memory is available, in several mappings."""
    with ExitStack() as stack:
        for number, piece in enumerate((size, *[mmap.PAGESIZE] * _PIECES)):
            # Adjacent mappings with equal permissions would be merged into one.
            stack.enter_context(zeros(piece, writable=number % 2 == 0))
