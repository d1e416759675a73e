"""The back end `python`: Python source, compiled in about 0.05 s; works everywhere."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rulesengine.engine.kernel.backends.callables import CallableSpec
    from rulesengine.engine.kernel.backends.code_image import Image
    from rulesengine.engine.kernel.backends.protocol import CompiledModule, Store
    from rulesengine.engine.kernel.code.form import Module

# Seconds to compile a part, and for each operation: of 11 bundled games.
_COMPILING = MappingProxyType(
    {
        "singles": (0.01, 0.0006),
        "perft": (0.01, 0.0006),
        "playouts": (0.01, 0.0006),
        "choose": (0.02, 0.0006),
    }
)
_DRIVER = 0.1, 0.0008  # searches, batches and learning


class PythonBackend:
    """Plain Python on integers.

    Playouts are not interleaved: an interpreter has no memory latency to hide.
    """

    __slots__ = ()
    name: Final = "python"
    rate: Final = 1 / 25
    call_rate: Final = 1 / 7
    load_seconds: Final = 0.05
    seats: Final = 1
    keeps_history: Final = False
    has_threads: Final = False
    remark: Final = "#"

    def compile_seconds(self, size: int, part: str) -> float:
        fixed, each = _COMPILING.get(part.partition(" ")[0], _DRIVER)
        return fixed + each * size

    def problem(self) -> None:
        return None

    def versions(self) -> dict[str, str]:
        return {"version": self.maker()}

    def maker(self) -> str:
        import platform

        return f"{platform.python_implementation()} {platform.python_version()}"

    def processor(self) -> tuple[str, tuple[str, ...]]:
        return "", ()

    def compile(
        self, module: "Module", store: "Store | None", fasts: "Mapping[str, CallableSpec]"
    ) -> "CompiledModule":
        from rulesengine.engine.kernel.backends.python.build import compiled

        return compiled(module)

    def reloaded(
        self, image: "Image", store: "Store", fasts: "Mapping[str, CallableSpec]"
    ) -> "CompiledModule | None":
        from rulesengine.engine.kernel.backends.python.engine import load_image

        return load_image(image)

    def kind(self, module: "Module") -> str:
        return "Python integers"

    def text(self, module: "Module") -> str:
        from rulesengine.engine.kernel.backends.python.statements import source

        return source(module, remarks=True)
