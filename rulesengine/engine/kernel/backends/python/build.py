"""Compile a module of kernel code to Python bytecode."""

import marshal

from rulesengine.engine.kernel.backends.code_image import Image, entries_of
from rulesengine.engine.kernel.backends.python.engine import Compiled, maker
from rulesengine.engine.kernel.backends.python.statements import source
from rulesengine.engine.kernel.code.form import Module


def compiled(module: Module) -> Compiled:
    """Compile a module to Python functions and return its entry points."""
    # The printer emits only its own words and numbers; no text of a spec is compiled.
    code = compile(source(module), "<kernel>", "exec")
    return Compiled(Image(entries_of(module), maker(), marshal.dumps(code)))
