"""From a module of kernel code to machine code: its assembly, its object code, its image."""

from collections.abc import Mapping

from rulesengine.engine.kernel.backends.callables import Fast
from rulesengine.engine.kernel.backends.code_image import Image, entries_of
from rulesengine.engine.kernel.backends.native.cpython_offsets import is_laid_out_so
from rulesengine.engine.kernel.backends.native.emit import emit, layout_of, record_of
from rulesengine.engine.kernel.backends.native.engine import Native, host_target, maker
from rulesengine.engine.kernel.backends.native.object_code import object_for, object_key
from rulesengine.engine.kernel.backends.native.target import Target
from rulesengine.engine.kernel.backends.protocol import Store
from rulesengine.engine.kernel.code.form import Module


def native(
    module: Module,
    *,
    store: Store | None = None,
    target: Target | None = None,
    level: int = 2,
    wide: bool = False,
    fasts: Mapping[str, Fast] | None = None,
) -> Native:
    """The entry points of a module as native code.

    `target` is the processor to make it for (this one), `wide` asks for the plain layout of
    large boards, `fasts` for callables: none are made where this Python is not the one that they
    are made for. Raises CompileError.
    """
    target = target or host_target()
    fasts = fasts if fasts and is_laid_out_so() else {}
    text = emit(module, target, wide=wide, fasts=fasts)
    words, context = layout_of(module, target, wide=wide).words, record_of(module).size
    image = Image(
        entries_of(module), maker(target), object_key(text, target, level), words, context
    )
    return Native(image, object_for(text, target, level, store), target, fasts)
