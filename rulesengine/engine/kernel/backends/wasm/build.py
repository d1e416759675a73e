"""Build a WebAssembly module of several kernels of a program: merge, compile, link."""

from collections.abc import Mapping
from types import MappingProxyType

from rulesengine.engine.kernel.backends.code_image import entries_of
from rulesengine.engine.kernel.backends.native.emit import emit, layout_of, record_of
from rulesengine.engine.kernel.backends.native.object_code import compile_cached
from rulesengine.engine.kernel.backends.native.target import Target
from rulesengine.engine.kernel.backends.protocol import Store
from rulesengine.engine.kernel.backends.wasm.linker import link
from rulesengine.engine.kernel.backends.wasm.module_merge import merge_modules
from rulesengine.engine.kernel.backends.wasm.object_reader import read_object
from rulesengine.engine.kernel.code.form import Module
from rulesengine.support.frozen import record
from rulesengine.support.limits import MAX_COMPILE_SECONDS

# The features that all current browsers support.
TARGET = Target(
    "wasm32-unknown-unknown",
    "generic",
    frozenset({"bulk-memory", "bulk-memory-opt", "mutable-globals", "sign-ext", "simd128"}),
)


@record
class WebModule:
    """A module of WebAssembly.

    - `entries`: the types of the parameters and results of each entry point, a letter each.
    - `words`: words of memory of a set of cells.
    - `heap`: the address from which on the memory is free for the caller.
    """

    code: bytes
    entries: Mapping[str, tuple[str, str]]
    words: int
    heap: int


def build_web_module(
    parts: Mapping[str, Module], store: Store | None = None, *, level: int = 2
) -> WebModule:
    """Build the module of several kernels of a program; `level` is LLVM's, from 0 to 3.

    The time limit is that of one kernel for each part. Raises CompileError.
    """
    module = merge_modules(parts)
    text, entries = emit(module, TARGET), entries_of(module)
    seconds = len(parts) * MAX_COMPILE_SECONDS
    data = compile_cached(text, TARGET, level, store, seconds=seconds)
    context = record_of(module).size
    made = link(read_object(data), {name: f"e.{name}" for name in entries}, context)
    words = layout_of(module, TARGET).words
    return WebModule(made.code, MappingProxyType(entries), words, made.heap)
