"""Kernels as text, for reading."""

from rulesengine.errors import UsageError
from rulesengine.interpreter import Interpreter
from rulesengine.kernel.code import Module
from rulesengine.kernel.context import Unsupported
from rulesengine.kernel.engine import emitted, parts_of, title
from rulesengine.kernel.python import source
from rulesengine.kernel.selection import NO_LLVMLITE, Backend, has_native


def listing(machine: Interpreter, backend: Backend) -> str:
    """The text of all parts of a program's kernels, with a remark in the place of one without.

    Python has the rules beside it as remarks; LLVM's assembly is that for this processor. Raises
    UsageError where nothing native can be made at all.
    """
    if backend == "native" and not has_native():
        raise UsageError(f"no native kernels here: {NO_LLVMLITE}")
    sign = "#" if backend == "python" else ";"
    parts = [(title(machine, part), _text(machine, part, backend)) for part in parts_of(machine)]
    return "\n\n".join(f"{sign} {name}\n\n{text.rstrip()}\n" for name, text in parts)


def _text(machine: Interpreter, part: str, backend: Backend) -> str:
    try:
        module = emitted(machine, part, backend)
    except Unsupported as reason:
        sign = "#" if backend == "python" else ";"
        return f"{sign} no kernel: {reason}"
    return source(module, remarks=True) if backend == "python" else _assembly(module)


def _assembly(module: Module) -> str:
    from rulesengine.kernel.native.emit import emit
    from rulesengine.kernel.native.target import host

    return emit(module, host())
