"""The back ends that there are, the fastest first: each has one row."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulesengine.kernel.backends.machine_code import MachineCode
from rulesengine.kernel.backends.python_text import PythonText

if TYPE_CHECKING:
    from rulesengine.kernel.backends.protocol import Backend

BACKENDS: "tuple[Backend, ...]" = (MachineCode(), PythonText())


def working(backends: "Sequence[Backend]" = BACKENDS) -> "tuple[Backend, ...]":
    """Those that nothing is known to be missing for."""
    return tuple(backend for backend in backends if backend.problem() is None)


def named(name: str, backends: "Sequence[Backend]" = BACKENDS) -> "Backend | None":
    return next((backend for backend in backends if backend.name == name), None)
