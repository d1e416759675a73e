"""The back end `native`: machine code by LLVM, compiled in tiers; needs llvmlite."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from rulesengine.errors import LimitError
from rulesengine.support.limits import MAX_NATIVE_CELLS

if TYPE_CHECKING:
    from rulesengine.engine.kernel.backends.callables import CallableSpec
    from rulesengine.engine.kernel.backends.code_image import Image
    from rulesengine.engine.kernel.backends.protocol import CompiledModule, Store
    from rulesengine.engine.kernel.code.form import Module

# Seconds to compile the first tier of a part, and for each operation: of 11 bundled games.
_COMPILING = MappingProxyType(
    {
        "singles": (0.2, 0.001),
        "perft": (0.18, 0.0009),
        "playouts": (0.18, 0.0009),
        "choose": (0.18, 0.001),
    }
)
_DRIVER = 0.3, 0.0013  # searches, batches and learning


class NativeBackend:
    """Machine code for this processor.

    Each thread has a context of its own, and playouts are interleaved.
    """

    __slots__ = ()
    name: Final = "native"
    rate: Final = 1 / 2000
    call_rate: Final = 1 / 100
    load_seconds: Final = 0.05
    seats: Final = 8
    keeps_history: Final = True
    has_threads: Final = True
    remark: Final = ";"

    def compile_seconds(self, size: int, part: str) -> float:
        fixed, each = _COMPILING.get(part.partition(" ")[0], _DRIVER)
        return fixed + each * size

    def problem(self) -> str | None:
        from importlib.util import find_spec

        if find_spec("llvmlite") is None:
            return f"llvmlite is not installed: `pip install '.[{self.name}]'` in a clone adds it"
        return None

    def versions(self) -> dict[str, str]:
        from rulesengine.engine.kernel.backends.native.target import versions

        try:
            llvmlite, llvm = versions()
        except (ImportError, OSError):
            llvmlite = llvm = ""
        return {"llvmlite": llvmlite, "llvm": llvm}

    def maker(self) -> str:
        libraries = self.versions()
        return f"llvmlite {libraries['llvmlite']}, LLVM {libraries['llvm']}"

    def processor(self) -> tuple[str, tuple[str, ...]]:
        from rulesengine.engine.kernel.backends.native.target import USED, host

        try:
            target = host()
        except (ImportError, OSError):  # llvmlite is installed but cannot be loaded
            return "", ()
        return target.cpu, tuple(sorted(target.features & USED))

    def compile(
        self, module: "Module", store: "Store | None", fasts: "Mapping[str, CallableSpec]"
    ) -> "CompiledModule":
        check_size(module.cells)
        from rulesengine.engine.kernel.backends.native.build import native
        from rulesengine.engine.kernel.code.side_merging import merge_large

        return native(merge_large(module), store=store, fasts=fasts, in_tiers=True)

    def reloaded(
        self, image: "Image", store: "Store", fasts: "Mapping[str, CallableSpec]"
    ) -> "CompiledModule | None":
        from rulesengine.engine.kernel.backends.native.engine import load_image

        return load_image(image, store, fasts)

    def kind(self, module: "Module") -> str:
        from rulesengine.engine.kernel.backends.native.emit import kind_of
        from rulesengine.engine.kernel.backends.native.target import host

        return kind_of(module, host())

    def text(self, module: "Module") -> str:
        """Return LLVM assembly for this processor, without remarks."""
        from rulesengine.engine.kernel.backends.native.emit import emit
        from rulesengine.engine.kernel.backends.native.target import host
        from rulesengine.engine.kernel.code.side_merging import merge_large

        return emit(merge_large(module), host())


def check_size(cells: int) -> None:
    """Raise LimitError for a board that would take LLVM too long to compile.

    Compile time multiplies with each word of a set.
    """
    if cells > MAX_NATIVE_CELLS:
        message = f"machine code is made for at most {MAX_NATIVE_CELLS:,} cells"
        raise LimitError(f"{message}, this board has {cells:,}")
