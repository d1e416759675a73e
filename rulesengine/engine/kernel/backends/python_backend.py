"""The back end `python`: Python source, compiled in about 0.05 s; works everywhere."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rulesengine.engine.kernel.backends.callables import CallableSpec
    from rulesengine.engine.kernel.backends.code_image import Image
    from rulesengine.engine.kernel.backends.protocol import CompiledModule, Store
    from rulesengine.engine.kernel.code.form import Module


class PythonBackend:
    """Plain Python on integers.

    Playouts are not interleaved: an interpreter has no memory latency to hide.
    """

    __slots__ = ()
    name: Final = "python"
    steps: Final = 1_000
    seconds: Final = 0.05
    kept_seconds: Final = 0.05
    seats: Final = 1
    keeps_history: Final = False
    has_threads: Final = False
    remark: Final = "#"

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
