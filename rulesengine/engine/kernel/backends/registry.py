"""The registry of back ends, the fastest first."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulesengine.engine.kernel.backends.native_backend import NativeBackend
from rulesengine.engine.kernel.backends.python_backend import PythonBackend

if TYPE_CHECKING:
    from rulesengine.engine.kernel.backends.protocol import Backend

BACKENDS: "tuple[Backend, ...]" = (NativeBackend(), PythonBackend())


def working(backends: "Sequence[Backend]" = BACKENDS) -> "tuple[Backend, ...]":
    """Return the back ends without a known problem."""
    return tuple(backend for backend in backends if backend.problem() is None)


def backend_by_name(name: str, backends: "Sequence[Backend]" = BACKENDS) -> "Backend | None":
    return next((backend for backend in backends if backend.name == name), None)
