"""Compile a module of kernel code to machine code: LLVM assembly, object code, image."""

from collections.abc import Mapping

from rulesengine.engine.kernel.backends.callables import CallableSpec
from rulesengine.engine.kernel.backends.code_image import Image, entries_of
from rulesengine.engine.kernel.backends.native.compiler_process import FULL
from rulesengine.engine.kernel.backends.native.cpython_calls import PythonCalls
from rulesengine.engine.kernel.backends.native.cpython_offsets import object_layout
from rulesengine.engine.kernel.backends.native.emit import emit, layout_of, record_of
from rulesengine.engine.kernel.backends.native.engine import Native, host_target, maker
from rulesengine.engine.kernel.backends.native.object_code import compile_cached, object_key
from rulesengine.engine.kernel.backends.native.promotion import compile_first, promote
from rulesengine.engine.kernel.backends.native.target import Target
from rulesengine.engine.kernel.backends.protocol import Store
from rulesengine.engine.kernel.code.form import Module


def native(
    module: Module,
    *,
    store: Store | None = None,
    target: Target | None = None,
    level: int = FULL,
    separate: bool = False,
    fasts: Mapping[str, CallableSpec] | None = None,
    in_tiers: bool = False,
) -> Native:
    """Compile a module to native code and return its entry points.

    `target` is the processor, by default that of this machine. `separate` selects separate words
    for large boards. `fasts` are the callables to emit; none are emitted if this interpreter does
    not have the object layout that they rely on. `in_tiers` returns code without passes if the
    others would take long; code with all passes then replaces it. Raises CompileError.
    """
    target = target or host_target()
    objects = object_layout() if fasts else None
    calls = PythonCalls(fasts, objects) if fasts and objects else None
    text = emit(module, target, separate=separate, calls=calls)
    words, context = layout_of(module, target, separate=separate).words, record_of(module).size
    key = object_key(text, target, level)
    image = Image(entries_of(module), maker(target), key, words, context)
    data, is_final = (
        compile_first(text, target, store, key)
        if in_tiers
        else (compile_cached(text, target, level, store), True)
    )
    engine = Native(image, data, target, calls.fasts if calls else {})
    if not is_final:
        engine.promotion = promote(engine, text, target, store, key)
    return engine
