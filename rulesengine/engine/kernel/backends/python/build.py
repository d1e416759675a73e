"""From a module of kernel code to Python's own code."""

import marshal

from rulesengine.engine.kernel.backends.code_image import Image, entries_of
from rulesengine.engine.kernel.backends.python.engine import Compiled, maker
from rulesengine.engine.kernel.backends.python.statements import source
from rulesengine.engine.kernel.code.form import Module


def compiled(module: Module) -> Compiled:
    """The entry points of a module as functions of Python."""
    # The text is our own: words of the printer and numbers, nothing of a spec.
    code = compile(source(module), "<kernel>", "exec")
    return Compiled(Image(entries_of(module), maker(), marshal.dumps(code)))
