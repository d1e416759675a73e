"""Object code in the memory of this process."""

import atexit
import mmap
from contextlib import ExitStack
from threading import RLock

from rulesengine.engine.kernel.backends.native.object_code import CompileError
from rulesengine.engine.kernel.backends.native.target import Target

# What one thread has asked memory for no other one takes. Code may be loaded beside the work: the
# end of the program waits for that, and lets no other thread begin, since LLVM is then taken down.
_ONE_AT_A_TIME = RLock()
atexit.register(_ONE_AT_A_TIME.acquire)

_LOADING = 8 * 1024 * 1024  # more than LLVM takes beside copies of the object
_COPIES = 4
_PIECES = 8  # mappings, more than those of an object and its context


class Loaded:
    """Object code that stays in memory as long as this is there.

    Sections of an object refer to one another by 32 bits. LLVM maps each by itself: where a
    process maps much between them they come to lie further apart, and it is ended. So all go to
    llvmlite's memory manager, which takes one block for an object. A process is ended as well
    where LLVM gets no memory, so there has to be enough before it begins. Raises CompileError.
    """

    def __init__(self, data: bytes, target: Target) -> None:
        import llvmlite.binding as llvm

        from rulesengine.engine.kernel.backends.native.compiler_process import initialize

        with _ONE_AT_A_TIME:
            _ask_for(_LOADING + _COPIES * len(data))
            initialize()
            machine = llvm.Target.from_triple(target.triple).create_target_machine()
            module = llvm.parse_assembly("")
            self._engine = llvm.create_mcjit_compiler(module, machine, use_lmm=True)
            self._engine.add_object_file(llvm.ObjectFileRef.from_data(data))
            self._engine.finalize_object()

    def symbol(self, name: str) -> int:
        """Where a function is."""
        return _there(name, int(self._engine.get_function_address(name)))

    def variable(self, name: str) -> int:
        """Where a variable is."""
        return _there(name, int(self._engine.get_global_value_address(name)))


def _there(name: str, address: int) -> int:
    """An address; what the code does not have stands at 0. Raises CompileError."""
    if not address:
        raise CompileError(f"the code has no {name}")
    return address


def zeros(size: int, *, writable: bool = True) -> mmap.mmap:
    """Memory of zeros, which costs nothing until it is touched. Raises CompileError."""
    try:
        return _mapped(size, writable)
    except OSError:
        raise CompileError("there is no memory for native code") from None


def _mapped(size: int, writable: bool) -> mmap.mmap:
    if not hasattr(mmap, "MAP_PRIVATE"):
        return mmap.mmap(-1, size)
    prot = mmap.PROT_READ | (mmap.PROT_WRITE if writable else 0)
    return mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot)


def _ask_for(size: int) -> None:
    """Raise CompileError unless there is so much memory, in as many pieces as it takes."""
    with ExitStack() as stack:
        for number, piece in enumerate((size, *[mmap.PAGESIZE] * _PIECES)):
            # Neighbours that may be used alike would be one mapping.
            stack.enter_context(zeros(piece, writable=number % 2 == 0))
