"""Kernels as readable text."""

from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.kernel.backends.protocol import Backend
from rulesengine.engine.kernel.backends.registry import BACKENDS, backend_by_name
from rulesengine.engine.kernel.emission import emitted
from rulesengine.engine.kernel.kernels import parts_of, title
from rulesengine.engine.kernel.selection import Engine
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.errors import UsageError
from rulesengine.support.validate import check_text


def listing(machine: Interpreter, engine: Engine = "auto") -> str:
    """Return the text of all parts of a program's kernels, with a remark for unsupported parts.

    `auto` selects the last back end of the registry. Raises UsageError if an engine has no kernels,
    or cannot compile on this machine.
    """
    backend = BACKENDS[-1] if check_text("engine", engine) == "auto" else backend_by_name(engine)
    if backend is None:
        raise UsageError(f"the engine `{engine[:40]}` has no kernels")
    problem = backend.problem()
    if problem:
        raise UsageError(f"no {backend.name} kernels here: {problem}")
    parts = [(title(machine, part), _text(machine, part, backend)) for part in parts_of(machine)]
    return "\n\n".join(f"{backend.remark} {name}\n\n{text.rstrip()}\n" for name, text in parts)


def kind(machine: Interpreter, part: str, engine: Engine) -> str:
    """Return a description of the representation of cell sets in an engine's kernel of a part."""
    backend = backend_by_name(engine)
    return backend.kind(emitted(machine, part, backend.seats)) if backend else "no kernel"


def _text(machine: Interpreter, part: str, backend: Backend) -> str:
    try:
        return backend.text(emitted(machine, part, backend.seats))
    except Unsupported as reason:
        return f"{backend.remark} no kernel: {reason}"
